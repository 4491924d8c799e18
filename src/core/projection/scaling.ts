import type { TrainingPlan } from '../nn/plan.ts';
import type { Trajectory } from '../roofline/types.ts';
import { ringAllReduceSeconds, type Interconnect } from './allReduce.ts';

/** A measured step on one device. */
export interface MeasuredStep {
  readonly batch: number;
  readonly seconds: number;
  readonly ciLow: number;
  readonly ciHigh: number;
}

export interface ProjectionInput {
  /** One device's steps, of any batches. */
  readonly measured: readonly MeasuredStep[];
  /** Strong: images a step over all devices. Weak: images a step on each. */
  readonly batch: number;
  readonly scaling: 'strong' | 'weak';
  /** Bytes that are averaged after each step. */
  readonly gradientBytes: number;
  readonly link: Interconnect;
}

/** A step on so many devices, as the model has it: no measurement. */
export interface ProjectedStep {
  readonly kind: 'model';
  readonly devices: number;
  /** Images on the device that has most of them. */
  readonly largestShare: number;
  readonly computeSeconds: number;
  readonly allReduceSeconds: number;
  readonly seconds: number;
  /** The measured interval carried through; the link's parameters have none. */
  readonly ciLow: number;
  readonly ciHigh: number;
  readonly imagesPerSecond: number;
  /** Images a second over those of one device at `batch`. */
  readonly speedup: number;
  /** speedup / devices */
  readonly efficiency: number;
}

/**
 * Data-parallel training on several devices like the measured one: step(N) = compute(share) +
 * all-reduce(N), one after the other. The compute time of a batch between two measured ones is
 * interpolated in logarithms; outside of them nothing is guessed, and such numbers of devices are
 * left out. Empty where `batch` itself was not measured or lies outside.
 */
export function projectScaling(
  { measured, batch, scaling, gradientBytes, link }: ProjectionInput,
  devices: readonly number[],
): ProjectedStep[] {
  const alone = stepAt(measured, batch);
  if (alone === undefined) return [];
  return devices.flatMap((count) => {
    const largestShare = scaling === 'weak' ? batch : Math.ceil(batch / count);
    const step = count <= batch || scaling === 'weak' ? stepAt(measured, largestShare) : undefined;
    if (step === undefined) return [];
    const allReduceSeconds = ringAllReduceSeconds(count, gradientBytes, link);
    const seconds = step.seconds + allReduceSeconds;
    const images = scaling === 'weak' ? batch * count : batch;
    const imagesPerSecond = images / seconds;
    const speedup = imagesPerSecond / (batch / alone.seconds);
    return [
      {
        kind: 'model' as const,
        devices: count,
        largestShare,
        computeSeconds: step.seconds,
        allReduceSeconds,
        seconds,
        ciLow: step.ciLow + allReduceSeconds,
        ciHigh: step.ciHigh + allReduceSeconds,
        imagesPerSecond,
        speedup,
        efficiency: speedup / count,
      },
    ];
  });
}

/** The good steps of a batch trajectory. */
export function measuredSteps({ parameter, scope, points }: Trajectory): MeasuredStep[] {
  if (parameter !== 'batch' || scope !== 'step') return [];
  return points
    .filter(({ status }) => status === 'ok')
    .map(({ value, seconds, ciLow, ciHigh }) => ({ batch: value, seconds, ciLow, ciHigh }));
}

/** Bytes of a model's gradients, without the gaps between them in the buffer. */
export function gradientSize({ parameters }: Pick<TrainingPlan, 'parameters'>): number {
  return parameters.reduce((sum, { length }) => sum + 4 * length, 0);
}

/** The step of a batch, measured or interpolated between its neighbours; undefined outside. */
function stepAt(measured: readonly MeasuredStep[], batch: number): MeasuredStep | undefined {
  const rising = measured.toSorted((a, b) => a.batch - b.batch);
  const upper = rising.find((step) => step.batch >= batch);
  const lower = rising.findLast((step) => step.batch <= batch);
  if (upper === undefined || lower === undefined) return undefined;
  if (upper.batch === batch) return upper;
  const share = Math.log(batch / lower.batch) / Math.log(upper.batch / lower.batch);
  const between = (of: (step: MeasuredStep) => number): number =>
    Math.exp((1 - share) * Math.log(of(lower)) + share * Math.log(of(upper)));
  return {
    batch,
    seconds: between(({ seconds }) => seconds),
    ciLow: between(({ ciLow }) => ciLow),
    ciHigh: between(({ ciHigh }) => ciHigh),
  };
}
