import { trainingPlan } from '../../src/core/nn/trainingPlan.ts';
import type { ModelName } from '../../src/core/nn/zoo.ts';
import { openDevice } from '../../src/gpu/device.ts';
import { convCalls } from '../../src/gpu/kernels/convCalls.ts';
import {
  convKey,
  convVariants,
  isConv,
  variantName,
  type ConvOp,
} from '../../src/gpu/kernels/convVariants.ts';
import { KernelSet } from '../../src/gpu/kernels/kernelSet.ts';
import { GpuQueue } from '../../src/gpu/queue.ts';
import { GpuTimer } from '../../src/gpu/timer.ts';
import { TrainerBuffers } from '../../src/gpu/train/trainerBuffers.ts';
import { chooseVariants } from '../../src/gpu/train/tuner.ts';
import { opCost } from '../../src/core/nn/cost.ts';

/** A variant of an op, timed alone. */
export interface VariantTime {
  readonly key: string;
  readonly variant: string;
  readonly compileSeconds: number;
  readonly seconds: number;
  readonly flops: number;
  /** Whether the tuner chose it. */
  readonly chosen: boolean;
}

const passSeconds = 0.01;
const passesPerVariant = 6;

async function bench(
  model: ModelName,
  batch: number,
  wanted: string,
  tuneSeconds: number,
): Promise<VariantTime[]> {
  const opened = await openDevice();
  if (opened.kind === 'failure') throw new Error(opened.failure.detail);
  const queue = new GpuQueue(opened.device, opened.watch, new AbortController().signal);
  const plan = trainingPlan(model, batch, { height: 32, width: 32, channels: 1 });
  const kernels = new KernelSet(queue);
  const support = await kernels.support();
  const buffers = await TrainerBuffers.create(queue, plan);
  const timer = await GpuTimer.create(queue);
  const found = await chooseVariants(queue, timer, plan, { kernels, seconds: tuneSeconds });
  const choices = new Map(found.map(({ key, variant }) => [key, variant]));
  const ops = new Map<string, ConvOp>();
  for (const op of plan.ops) if (isConv(op)) ops.set(convKey(op), op);
  const times: VariantTime[] = [];
  for (const [key, op] of ops)
    for (const variant of convVariants(op, support)) {
      const name = variantName(variant);
      if (!`${key} ${name}`.includes(wanted)) continue;
      const begin = performance.now();
      const calls = await convCalls(op, variant, kernels, buffers);
      const compileSeconds = (performance.now() - begin) / 1000;
      const pass = (repeats: number) => ({
        expectedSeconds: passSeconds,
        record: (encoder: GPUComputePassEncoder) => {
          for (let repeat = 0; repeat < repeats; repeat += 1)
            for (const call of calls) call.record(encoder, { first: 0, end: call.tiles }, Infinity);
        },
      });
      const { seconds: first } = await timer.measure([pass(1), pass(1)]);
      const repeats = Math.ceil(passSeconds / Math.max(1e-6, Math.min(...first)));
      const passes = Array.from({ length: passesPerVariant }, () => pass(repeats));
      const { seconds } = await timer.measure(passes);
      const flops = opCost(op).executedFlops;
      times.push({
        key,
        variant: name,
        compileSeconds,
        seconds: Math.min(...seconds) / repeats,
        flops,
        chosen: choices.get(key) === name,
      });
    }
  opened.device.destroy();
  return times;
}

Object.assign(window, { benchVariants: bench });
