import type { TrainingPlan } from '../../src/core/nn/plan.ts';

/** What is trained: the same for our engine and its peers. */
export interface TrainingTask {
  readonly batch: number;
  /** [batch, size, size, channels] */
  readonly images: Float32Array;
  readonly size: number;
  readonly channels: number;
  readonly classes: number;
  /** One class an image. */
  readonly labels: Uint32Array;
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
  /** Steps until its times are those of a warm one. */
  readonly warmUpSteps: number;
  /** Runs so many steps to their end and gives the loss before the last update. */
  steps(count: number): Promise<number>;
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

/** The parameters of a ResNet-8 plan, cut out of all of its first parameters. */
export function parametersOf(plan: TrainingPlan, all: Float64Array | Float32Array): Parameter[] {
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
