import { expect } from 'vitest';
import type { TensorId } from '../../../src/core/nn/plan.ts';
import { readBuffer } from '../../../src/gpu/buffers.ts';
import { createBuffer } from '../../../src/gpu/buffers.ts';
import { convCalls } from '../../../src/gpu/kernels/convCalls.ts';
import { convVariants, variantName, type ConvOp } from '../../../src/gpu/kernels/convVariants.ts';
import type { KernelCall } from '../../../src/gpu/kernels/computeKernel.ts';
import type { KernelSet } from '../../../src/gpu/kernels/kernelSet.ts';
import type { GpuQueue } from '../../../src/gpu/queue.ts';
import { TrainerBuffers } from '../../../src/gpu/train/trainerBuffers.ts';
import { firstDifference } from '../../support/bits.ts';
import type { TensorList } from './opHarness.ts';

export interface VariantRun {
  readonly variant: string;
  /** The result of each number of workgroups. */
  readonly results: readonly Float32Array[];
}

/** Most workgroups of a call; a cut into two ranges of tiles comes on top. */
const workgroupCounts = [1, 2, 7, Infinity] as const;

/**
 * Runs a convolution by all its variants, each on several numbers of workgroups and once cut into
 * two ranges of tiles, in a single submit; before each run the result is set to what it held at first.
 */
export async function runVariants(
  { queue, kernels }: { readonly queue: GpuQueue; readonly kernels: KernelSet },
  op: ConvOp,
  list: TensorList,
  result: TensorId,
): Promise<readonly VariantRun[]> {
  const { specs: tensors, parameterLength, runningLength } = list;
  const plan = { tensors, ops: [op], parameterLength, runningLength };
  const buffers = await TrainerBuffers.create(queue, plan);
  for (const { id } of tensors)
    buffers.write(buffers.tensor(id), Float32Array.from(list.values[id]!));
  const variants = convVariants(op, await kernels.support());
  const calls = await Promise.all(
    variants.map((variant) => convCalls(op, variant, kernels, buffers)),
  );
  const target = buffers.tensor(result);
  const runs = [...workgroupCounts, 'cut'] as const;
  const usage = GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
  const kept = await createBuffer(queue, {
    size: target.size * runs.length * variants.length,
    usage,
  });
  const untouched = await createBuffer(queue, { size: target.size, usage });
  queue.device.queue.writeBuffer(untouched, 0, Float32Array.from(list.values[result]!));
  const encoder = queue.device.createCommandEncoder();
  let at = 0;
  for (const variantCalls of calls)
    for (const run of runs) {
      encoder.copyBufferToBuffer(untouched, 0, target.buffer, target.offset, target.size);
      const pass = encoder.beginComputePass();
      for (const call of variantCalls) record(pass, call, run);
      pass.end();
      encoder.copyBufferToBuffer(target.buffer, target.offset, kept, at, target.size);
      at += target.size;
    }
  queue.submit(encoder.finish());
  const all = new Float32Array(await readBuffer(queue, kept));
  for (const buffer of [kept, untouched]) buffer.destroy();
  buffers.destroy();
  const length = target.size / 4;
  return variants.map((variant, index) => ({
    variant: variantName(variant),
    results: runs.map((_, run) => {
      const first = (index * runs.length + run) * length;
      return all.subarray(first, first + length);
    }),
  }));
}

function record(pass: GPUComputePassEncoder, call: KernelCall, run: number | 'cut'): void {
  if (run !== 'cut') {
    call.record(pass, { first: 0, end: call.tiles }, run);
    return;
  }
  const middle = Math.ceil(call.tiles / 2);
  call.record(pass, { first: 0, end: middle }, 2);
  if (middle < call.tiles) call.record(pass, { first: middle, end: call.tiles }, 2);
}

/** Requires that a variant's results agree bit for bit, and gives the first. */
export function onlyResult({ variant, results }: VariantRun): Float32Array {
  const [first, ...others] = results;
  for (const other of others) expect(firstDifference(other, first!), variant).toBe(-1);
  return first!;
}
