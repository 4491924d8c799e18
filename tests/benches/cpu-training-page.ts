import { opCost } from '../../src/core/nn/cost.ts';
import { initialParameters } from '../../src/core/nn/initialParameters.ts';
import type { PlanOp } from '../../src/core/nn/plan.ts';
import { trainingPlan } from '../../src/core/nn/trainingPlan.ts';
import type { ModelName } from '../../src/core/nn/zoo.ts';
import { median } from '../../src/core/stats/median.ts';
import { CpuTrainer, type StepSample } from '../../src/cpu/train/cpuTrainer.ts';
import { openPool } from '../golden/cpu-threads.ts';
import type { CpuBenchOptions, CpuTrainingBench } from './cpuTrainingBench.ts';

const rates = { learningRate: 0.05, momentum: 0.9, weightDecay: 5e-4 };
/** Until the engine's best code runs. */
const warmUpSeconds = 1;

async function bench(options: CpuBenchOptions): Promise<CpuTrainingBench> {
  const { model, batch, channels, threads, replicas, build, caches } = options;
  const planOf = (images: number) =>
    trainingPlan(model as ModelName, images, { height: 32, width: 32, channels });
  const plan = planOf(batch);
  const pool = await openPool(threads * replicas, build, crossOriginIsolated);
  const batches = Array.from({ length: replicas }, () => batch / replicas);
  const trainer = await CpuTrainer.create(
    pool,
    { planOf, batches, threads, ...(caches && { caches }) },
    initialParameters(plan, 1),
  );
  const length = batch * 32 * 32 * channels;
  await trainer.setInput(
    Float32Array.from({ length }, (_, at) => Math.sin(at)),
    Uint32Array.from({ length: batch }, (_, image) => image % 10),
  );
  const warm = performance.now() + 1000 * warmUpSeconds;
  while (performance.now() < warm) await trainer.step(rates);
  const samples: StepSample[] = [];
  const end = performance.now() + 1000 * options.seconds;
  while (samples.length < 6 || performance.now() < end) samples.push(await trainer.step(rates));
  pool.terminate();
  const fastest = samples.reduce((best, each) => (each.seconds < best.seconds ? each : best));
  return {
    seconds: samples.map(({ seconds }) => seconds),
    barrierSeconds: median(samples.map(({ barrierSeconds }) => barrierSeconds)),
    allReduceSeconds: median(samples.map(({ allReduceSeconds }) => allReduceSeconds)),
    leastAllReduceSeconds: Math.min(...samples.map(({ allReduceSeconds }) => allReduceSeconds)),
    ops: planOf(batch / replicas).ops.map((op, at) => ({
      kind: op.kind,
      label: `${geometryLabel(op)} ${op.name}`,
      seconds: median(samples.map(({ opSeconds }) => opSeconds[at]!)),
      fastestSeconds: fastest.opSeconds[at]!,
      flops: opCost(op).executedFlops,
      bytes: opCost(op).bytes.algorithmic,
    })),
  };
}

function geometryLabel(op: PlanOp): string {
  if (!('geometry' in op)) return '';
  const g = op.geometry;
  if ('inChannels' in g)
    return `${g.kernelHeight}x${g.kernelWidth}/${g.stride} ${g.inHeight}x${g.inWidth} ${g.inChannels}-${g.outChannels}`;
  return Object.values(g)
    .filter((value) => Number.isInteger(value))
    .join('x');
}

Object.assign(window, { benchCpuTraining: bench });
