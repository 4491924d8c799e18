import { opCost } from '../../src/core/nn/cost.ts';
import { initialParameters } from '../../src/core/nn/initialParameters.ts';
import type { PlanOp, TrainingPlan } from '../../src/core/nn/plan.ts';
import { trainingPlan } from '../../src/core/nn/trainingPlan.ts';
import { openDevice } from '../../src/gpu/device.ts';
import type { KernelCall } from '../../src/gpu/kernels/computeKernel.ts';
import { KernelSet } from '../../src/gpu/kernels/kernelSet.ts';
import { opCalls } from '../../src/gpu/kernels/opCalls.ts';
import { GpuQueue } from '../../src/gpu/queue.ts';
import { GpuTimer } from '../../src/gpu/timer.ts';
import { GpuTrainer } from '../../src/gpu/train/gpuTrainer.ts';
import { TrainerBuffers } from '../../src/gpu/train/trainerBuffers.ts';
import type { BenchOptions, OpTime, TrainingBench } from './trainingBench.ts';

const wantedSeconds = 0.015;
const passesPerOp = 8;

async function bench({ batch, channels, steps }: BenchOptions): Promise<TrainingBench> {
  const opened = await openDevice();
  if (opened.kind === 'failure') throw new Error(opened.failure.detail);
  const queue = new GpuQueue(opened.device, opened.watch, new AbortController().signal);
  const plan = trainingPlan('resnet8', batch, { height: 32, width: 32, channels });
  const kernels = new KernelSet(queue);
  const begin = performance.now();
  const trainer = await GpuTrainer.create(queue, plan, initialParameters(plan, 1), kernels);
  const compileSeconds = (performance.now() - begin) / 1000;
  const timer = await GpuTimer.create(queue);
  const times = await stepTimes(trainer, timer, steps);
  const ops = await opTimes(queue, timer, plan, kernels);
  opened.device.destroy();
  return { compileSeconds, timer: timer.source, ops, steps: times };
}

async function stepTimes(trainer: GpuTrainer, timer: GpuTimer, steps: number): Promise<number[]> {
  const { batch, input } = trainer.plan;
  const images = Float32Array.from(
    { length: batch * input.height * input.width * input.channels },
    (_, at) => Math.sin(at),
  );
  const labels = Uint32Array.from({ length: batch }, (_, image) => image % 10);
  const rates = { learningRate: 0.05, momentum: 0.9, weightDecay: 5e-4 };
  await trainer.step(images, labels, rates);
  const times: number[] = [];
  let rate: number | undefined;
  while (times.length < steps) {
    const { seconds } = await timer.measure(trainer.passes(Infinity, rate));
    times.push(seconds.reduce((sum, pass) => sum + pass, 0));
    rate = trainer.work / times.at(-1)!;
  }
  return times;
}

async function opTimes(
  queue: GpuQueue,
  timer: GpuTimer,
  plan: TrainingPlan,
  kernels: KernelSet,
): Promise<OpTime[]> {
  const buffers = await TrainerBuffers.create(queue, plan);
  const times: OpTime[] = [];
  for (const op of plan.ops) {
    const calls = await opCalls(op, kernels, buffers);
    const { executedFlops, bytes } = opCost(op);
    times.push({
      kind: op.kind,
      label: `${geometryLabel(op)} ${op.name}`,
      tiles: Math.max(...calls.map(({ tiles }) => tiles)),
      seconds: await opSeconds(timer, calls),
      flops: executedFlops,
      bytes: bytes.algorithmic,
    });
  }
  buffers.destroy();
  return times;
}

async function opSeconds(timer: GpuTimer, calls: readonly KernelCall[]): Promise<number> {
  const record = (repeats: number) => (pass: GPUComputePassEncoder) => {
    for (let repeat = 0; repeat < repeats; repeat++)
      for (const call of calls) call.record(pass, { first: 0, end: call.tiles }, Infinity);
  };
  const pass = (repeats: number) => ({ record: record(repeats), expectedSeconds: wantedSeconds });
  const { seconds: first } = await timer.measure([pass(1)]);
  const repeats = Math.ceil(wantedSeconds / Math.max(...first));
  const passes = Array.from({ length: passesPerOp }, () => pass(repeats));
  const { seconds } = await timer.measure(passes);
  // The least: whatever else the machine does can only add.
  return Math.min(...seconds) / repeats;
}

function geometryLabel(op: PlanOp): string {
  if (!('geometry' in op)) return '';
  const g = op.geometry;
  if ('kernelHeight' in g && 'inChannels' in g)
    return `${g.kernelHeight}x${g.kernelWidth}/${g.stride} ${g.inHeight}x${g.inWidth} ${g.inChannels}-${g.outChannels}`;
  return Object.values(g)
    .filter((value) => Number.isInteger(value))
    .join('x');
}

Object.assign(window, { benchTraining: bench });
