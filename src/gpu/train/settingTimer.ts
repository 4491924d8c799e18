import type { Visit } from '../../core/sweeps/sweepPlanner.ts';
import type { TrainingImages } from '../../data/fashionMnist.ts';
import type { GpuContext } from '../context.ts';
import { GpuFault } from '../faults.ts';
import type { VariantChoices } from '../kernels/convVariants.ts';
import { MiniBatches } from './miniBatches.ts';
import { oneWorkgroupPerTile } from './planCalls.ts';
import { skippedPoint, timePoint, type PointTiming } from './sweepPoint.ts';
import { StepTimer } from './stepTimer.ts';
import type { TrainerSlot } from './trainerSlot.ts';

/** A visit as far as its timing goes. */
export type TimedVisit = Pick<Visit, 'setting' | 'skip' | 'expectedSeconds' | 'budget'>;

/** Times training steps of settings, one after the other, on real images. */
export class SettingTimer {
  readonly #slot: TrainerSlot;
  readonly #images: TrainingImages;
  readonly #timer: StepTimer;
  #toldCompileSeconds = 0;

  constructor({ queue, timer }: GpuContext, slot: TrainerSlot, images: TrainingImages) {
    this.#slot = slot;
    this.#images = images;
    this.#timer = new StepTimer(queue, timer);
  }

  /**
   * Times steps of a setting with kernels by `choices`, and its calls one by one for `callSeconds`
   * where these are given. One whose memory the device refuses is skipped like one that takes too long.
   */
  async time(
    { setting, skip, expectedSeconds, budget }: TimedVisit,
    choices: VariantChoices,
    callSeconds?: number,
  ): Promise<PointTiming> {
    if (skip !== undefined) return skippedPoint(skip);
    try {
      const trainer = await this.#slot.trainer(setting, choices);
      this.#timer.expect(trainer, expectedSeconds);
      const batches = new MiniBatches(this.#images);
      const { workgroups = oneWorkgroupPerTile } = setting;
      const { issuedBytes } = trainer;
      const compileSeconds = this.#newCompileSeconds();
      const timing: PointTiming = {
        ...(compileSeconds > 0 && { compileSeconds }),
        ...(await timePoint(this.#timer, trainer, batches, workgroups, budget)),
        issuedBytes,
      };
      if (callSeconds === undefined || timing.status !== 'ok') return timing;
      const calls = await this.#timer.timeCalls(trainer, callSeconds);
      return { ...timing, ...(calls && { calls }) };
    } catch (error) {
      const isFull = error instanceof GpuFault && error.fault.kind === 'out-of-memory';
      if (isFull) return skippedPoint(error.fault.detail);
      throw error;
    }
  }

  /** Seconds of compiling since the last point. */
  #newCompileSeconds(): number {
    const { compileSeconds } = this.#slot;
    const anew = compileSeconds - this.#toldCompileSeconds;
    this.#toldCompileSeconds = compileSeconds;
    return anew;
  }
}
