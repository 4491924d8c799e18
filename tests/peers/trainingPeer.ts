import { initialParameters } from '../../src/core/nn/initialParameters.ts';
import type { ImageShape, TrainingPlan } from '../../src/core/nn/plan.ts';
import { trainingPlan } from '../../src/core/nn/trainingPlan.ts';
import type { Sample } from '../../src/core/roofline/sample.ts';
import type { StepTiming } from '../../src/core/run/events.ts';

/** So many images, NHWC, and one class an image. */
interface LabelledImages {
  readonly images: Float32Array<ArrayBuffer>;
  readonly labels: Uint32Array<ArrayBuffer>;
}

/** What is trained: the same for our engine and its peers. */
export interface TrainingTask extends LabelledImages {
  readonly batch: number;
  readonly input: ImageShape;
  readonly classes: number;
  /** The first parameters by name, each in the plan's layout. */
  readonly parameters: readonly Parameter[];
}

export interface Parameter {
  readonly name: string;
  readonly shape: readonly number[];
  readonly values: Float32Array;
  readonly decays: boolean;
}

/** Something that trains the task step by step. */
export interface TrainingPeer {
  readonly name: string;
  /** Steps until its times are those of a warm one: two at the least. */
  readonly warmUpSteps: number;
  /** Runs so many steps to their end and gives the loss before the last update. */
  steps(count: number): Promise<number>;
}

/** The times of one peer in a comparison. */
export interface PeerTimes {
  readonly name: string;
  /** Seconds a step of each turn, in order. */
  readonly seconds: readonly number[];
  /** Losses of the first steps: the same for all, or they do not train the same. */
  readonly losses: readonly number[];
}

/** Our engine's ceilings, and its steps, which stand against them. */
export interface OurFigures {
  readonly samples: readonly Sample[];
  readonly steps: readonly StepTiming[];
}

export const rates = { learningRate: 0.05, momentum: 0.9, weightDecay: 5e-4 } as const;
export const epsilon = 1e-5;

/** A block of the CIFAR ResNet: its place in the parameters' names, and how it begins. */
export interface Block {
  readonly name: string;
  readonly stride: 1 | 2;
}

export const blocks: readonly Block[] = [
  { name: 'stage1.block1', stride: 1 },
  { name: 'stage2.block1', stride: 2 },
  { name: 'stage3.block1', stride: 2 },
];

const input: ImageShape = { height: 32, width: 32, channels: 3 };
/** The first losses, which have to agree. */
const comparedLosses = 3;

/** A ResNet-8 on images of 32x32x3. */
export function trainingTask(batch: number): TrainingTask {
  const plan = trainingPlan('resnet8', batch, input);
  const { classes } = plan;
  return {
    batch,
    input,
    classes,
    ...labelledImages(batch, classes),
    parameters: parametersOf(plan, initialParameters(plan, 1)),
  };
}

/** The first `count` images of the task, however many it has. */
export function labelledImages(count: number, classes: number): LabelledImages {
  const length = count * input.height * input.width * input.channels;
  return {
    images: Float32Array.from({ length }, (_, at) => Math.sin(at)),
    labels: Uint32Array.from({ length: count }, (_, image) => image % classes),
  };
}

/**
 * Warms each peer up, then times turns of all of them, one after the other, so many rounds. Of a peer
 * whose step is short a turn is several steps.
 */
export async function takeTurns(
  peers: readonly { readonly peer: TrainingPeer; readonly stepsPerTurn: number }[],
  rounds: number,
): Promise<PeerTimes[]> {
  const times: { name: string; seconds: number[]; losses: number[] }[] = [];
  for (const { peer } of peers) {
    const losses: number[] = [];
    for (let step = 0; step < peer.warmUpSteps; step += 1) losses.push(await peer.steps(1));
    times.push({ name: peer.name, seconds: [], losses: losses.slice(0, comparedLosses) });
  }
  for (let round = 0; round < rounds; round += 1)
    for (const [at, { peer, stepsPerTurn }] of peers.entries()) {
      const begin = performance.now();
      await peer.steps(stepsPerTurn);
      times[at]!.seconds.push((performance.now() - begin) / 1000 / stepsPerTurn);
    }
  return times;
}

/** The parameters of a ResNet-8 plan, cut out of all of its first parameters. */
function parametersOf(plan: TrainingPlan, all: Float64Array | Float32Array): Parameter[] {
  return plan.parameters.map(({ name, shape, offset, length, decays }) => ({
    name,
    shape,
    values: Float32Array.from(all.subarray(offset, offset + length)),
    decays,
  }));
}

/**
 * Firefox looks for finished work only every 100 ms and at each submit: submits of nothing keep a
 * peer's waits as short as ours.
 */
export async function poked<T>(device: GPUDevice, work: Promise<T>): Promise<T> {
  const poke = setInterval(() => device.queue.submit([]), 4);
  try {
    return await work;
  } finally {
    clearInterval(poke);
  }
}
