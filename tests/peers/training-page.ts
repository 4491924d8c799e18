import { initialParameters } from '../../src/core/nn/initialParameters.ts';
import type { TrainingPlan } from '../../src/core/nn/plan.ts';
import { trainingPlan } from '../../src/core/nn/trainingPlan.ts';
import { openDevice } from '../../src/gpu/device.ts';
import type { VariantChoices } from '../../src/gpu/kernels/convVariants.ts';
import { KernelSet } from '../../src/gpu/kernels/kernelSet.ts';
import { submitPasses } from '../../src/gpu/passes.ts';
import { GpuQueue } from '../../src/gpu/queue.ts';
import { GpuTimer } from '../../src/gpu/timer.ts';
import { GpuTrainer } from '../../src/gpu/train/gpuTrainer.ts';
import { tunePlan } from '../../src/gpu/train/tuner.ts';
import { jaxPeer } from './jaxPeer.ts';
import { tensorflowPeer } from './tensorflowPeer.ts';
import { parametersOf, rates, type TrainingPeer, type TrainingTask } from './trainingPeer.ts';

export interface PeerOptions {
  readonly batch: number;
  /** Timed rounds, after the warm-up; each peer takes one turn a round. */
  readonly rounds: number;
  /** For the tuner; 0 keeps the default variants. */
  readonly tuneSeconds: number;
}

export interface PeerTimes {
  readonly name: string;
  /** Seconds a step of each turn, in order. */
  readonly seconds: readonly number[];
  /** Losses of the first steps: the same for all, or they do not train the same. */
  readonly losses: readonly number[];
}

/** Our step is the shortest by far: as long a turn wants more of them. */
const ourStepsPerTurn = 4;

const size = 32;
const channels = 1;

async function comparePeers(options: PeerOptions): Promise<PeerTimes[]> {
  const plan = trainingPlan('resnet8', options.batch, { height: size, width: size, channels });
  const task = taskOf(plan);
  const peers: TrainingPeer[] = [
    await ourPeer(plan, task, options.tuneSeconds),
    await jaxPeer(task, 'webgpu'),
    await tensorflowPeer(task),
  ];
  const times = peers.map(({ name }) => ({
    name,
    seconds: [] as number[],
    losses: [] as number[],
  }));
  for (const [at, peer] of peers.entries())
    for (let step = 0; step < peer.warmUpSteps; step += 1)
      times[at]!.losses.push(await peer.steps(1));
  for (let round = 0; round < options.rounds; round += 1)
    for (const [at, peer] of peers.entries()) {
      const steps = at === 0 ? ourStepsPerTurn : 1;
      const begin = performance.now();
      await peer.steps(steps);
      times[at]!.seconds.push((performance.now() - begin) / 1000 / steps);
    }
  return times;
}

function taskOf(plan: TrainingPlan): TrainingTask {
  const { batch, classes } = plan;
  const length = batch * size * size * channels;
  return {
    batch,
    size,
    channels,
    classes,
    images: Float32Array.from({ length }, (_, at) => Math.sin(at)),
    labels: Uint32Array.from({ length: batch }, (_, image) => image % classes),
    parameters: parametersOf(plan, initialParameters(plan, 1)),
  };
}

async function ourPeer(
  plan: TrainingPlan,
  task: TrainingTask,
  tuneSeconds: number,
): Promise<TrainingPeer> {
  const opened = await openDevice();
  if (opened.kind === 'failure') throw new Error(opened.failure.detail);
  const queue = new GpuQueue(opened.device, opened.watch, new AbortController().signal);
  const kernels = new KernelSet(queue);
  const choices = tuneSeconds > 0 ? await tunedChoices(queue, plan, kernels, tuneSeconds) : {};
  const parameters = initialParameters(plan, 1);
  const trainer = await GpuTrainer.create(queue, plan, parameters, kernels, choices);
  trainer.setInput(task.images, task.labels, rates);
  let workPerSecond: number | undefined;
  return {
    name: 'rooftrace',
    warmUpSteps: 3,
    steps: async (count) => {
      const begin = performance.now();
      const passes = Array.from({ length: count }, () =>
        trainer.passes(undefined, workPerSecond),
      ).flat();
      await submitPasses(queue, passes);
      const losses = await trainer.readLosses();
      workPerSecond = (1000 * count * trainer.work) / (performance.now() - begin);
      return losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
    },
  };
}

async function tunedChoices(
  queue: GpuQueue,
  plan: TrainingPlan,
  kernels: KernelSet,
  seconds: number,
): Promise<VariantChoices> {
  const timer = await GpuTimer.create(queue);
  const { choices } = await tunePlan(queue, timer, plan, { kernels, seconds });
  return choices;
}

Object.assign(window, { comparePeers });
