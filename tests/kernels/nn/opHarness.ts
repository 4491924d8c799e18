import { expect, inject } from 'vitest';
import type { PlanOp, StepRates, TensorSpec, TensorStorage } from '../../../src/core/nn/plan.ts';
import { parameterAlignment } from '../../../src/core/nn/planBuilder.ts';
import { readBuffer } from '../../../src/gpu/buffers.ts';
import { openDevice } from '../../../src/gpu/device.ts';
import { KernelSet } from '../../../src/gpu/kernels/kernelSet.ts';
import type { VariantChoices } from '../../../src/gpu/kernels/convVariants.ts';
import { GpuQueue } from '../../../src/gpu/queue.ts';
import { PlanCalls } from '../../../src/gpu/train/planCalls.ts';
import { TrainerBuffers } from '../../../src/gpu/train/trainerBuffers.ts';
import { firstDifference } from '../../support/bits.ts';
import { generator } from '../../support/random.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Lanes of a workgroup in exhaustive runs; elsewhere not provided. */
    readonly workgroupSize: number | undefined;
  }
}

/** Unit roundoff of f32: a correctly rounded operation is off by at most this share. */
export const roundoff = 2 ** -24;

/** The tensors of one op under test, written down like those of a plan. */
export class TensorList {
  readonly specs: TensorSpec[] = [];
  readonly values: Float64Array[] = [];
  parameterLength = 0;
  runningLength = 0;

  /** Adds a tensor; its values are rounded to f32, so that both executors start alike. */
  add(storage: TensorStorage, shape: readonly number[], value: (at: number) => number): number {
    const id = this.specs.length;
    const length = shape.reduce((product, side) => product * side, 1);
    const inBuffer = storage === 'parameter' || storage === 'gradient' || storage === 'velocity';
    const isRunning = storage === 'running';
    const offset = inBuffer ? this.parameterLength : isRunning ? this.runningLength : 0;
    const extent = Math.ceil(length / parameterAlignment) * parameterAlignment;
    if (inBuffer) this.parameterLength += extent;
    if (isRunning) this.runningLength += extent;
    this.specs.push({ id, name: `tensor${id}`, shape, length, storage, offset });
    this.values.push(Float64Array.from({ length }, (_, at) => Math.fround(value(at))));
    return id;
  }

  random(storage: TensorStorage, shape: readonly number[], seed: number): number {
    const next = generator(seed);
    return this.add(storage, shape, () => 2 * next() - 1);
  }

  /** An output: it starts as something that no kernel makes, so that a gap is seen. */
  output(storage: TensorStorage, shape: readonly number[]): number {
    return this.add(storage, shape, () => untouched);
  }
}

const untouched = 1e30;

/** A device and its kernels for the tests of one file. */
export async function openKernels(): Promise<{ queue: GpuQueue; kernels: KernelSet }> {
  const opened = await openDevice();
  if (opened.kind === 'failure') throw new Error(opened.failure.detail);
  const queue = new GpuQueue(opened.device, opened.watch, new AbortController().signal);
  return { queue, kernels: new KernelSet(queue, inject('workgroupSize')) };
}

/** Most workgroups of a call; the last is one a tile. */
const workgroupCounts = [1, 2, 7, Infinity];

/**
 * Runs an op on the GPU with every number of workgroups, and once cut into two ranges of tiles,
 * requires that all runs agree bit for bit, and gives the tensors as they are afterwards.
 */
export async function runOnGpu(
  { queue, kernels }: { readonly queue: GpuQueue; readonly kernels: KernelSet },
  op: PlanOp,
  list: TensorList,
  rates?: StepRates,
): Promise<readonly Float32Array[]> {
  return runOpsOnGpu({ queue, kernels }, [op], list, {}, rates);
}

/** The same of several ops, one after the other, by chosen variants. */
export async function runOpsOnGpu(
  { queue, kernels }: { readonly queue: GpuQueue; readonly kernels: KernelSet },
  ops: readonly PlanOp[],
  list: TensorList,
  choices: VariantChoices,
  rates?: StepRates,
): Promise<readonly Float32Array[]> {
  const { specs: tensors, parameterLength, runningLength } = list;
  const plan = { tensors, ops, parameterLength, runningLength };
  const buffers = await TrainerBuffers.create(queue, plan);
  const { calls } = await PlanCalls.create(ops, kernels, buffers, choices);
  if (rates !== undefined) buffers.writeRates(rates);
  const runs: (readonly Float32Array[])[] = [];
  for (const workgroups of [...workgroupCounts, 'cut'] as const) {
    for (const { id, storage } of list.specs) {
      const values = list.values[id]!;
      const content = storage === 'labels' ? Uint32Array.from(values) : Float32Array.from(values);
      buffers.write(buffers.tensor(id), content);
    }
    const encoder = queue.device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    for (const { call } of calls) {
      if (workgroups === 'cut') {
        const middle = Math.ceil(call.tiles / 2);
        call.record(pass, { first: 0, end: middle }, 2);
        if (middle < call.tiles) call.record(pass, { first: middle, end: call.tiles }, 2);
      } else call.record(pass, { first: 0, end: call.tiles }, workgroups);
    }
    pass.end();
    queue.submit(encoder.finish());
    runs.push(await Promise.all(list.specs.map(({ id }) => readTensor(queue, buffers, id))));
  }
  buffers.destroy();
  const [first, ...others] = runs;
  for (const other of others)
    for (const [id, tensor] of first!.entries())
      expect(firstDifference(other[id]!, tensor), `tensor ${id}`).toBe(-1);
  return first!;
}

async function readTensor(
  queue: GpuQueue,
  buffers: TrainerBuffers,
  id: number,
): Promise<Float32Array> {
  const { buffer, offset, size } = buffers.tensor(id);
  return new Float32Array(await readBuffer(queue, buffer, offset, size));
}

/** Requires every element to be within its own tolerance of the reference. */
export function expectWithin(
  actual: ArrayLike<number>,
  reference: ArrayLike<number>,
  tolerance: (at: number) => number,
  what = 'result',
): void {
  expect(actual.length).toBe(reference.length);
  const wrong: unknown[] = [];
  for (let at = 0; at < reference.length; at += 1) {
    const [found, expected] = [actual[at]!, reference[at]!];
    if (!(Math.abs(found - expected) <= tolerance(at)))
      wrong.push({ at, expected, actual: found, tolerance: tolerance(at) });
  }
  expect(wrong.slice(0, 3), `${what}: ${wrong.length} of ${reference.length} elements`).toEqual([]);
}
