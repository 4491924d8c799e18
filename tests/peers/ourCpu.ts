import { initialParameters } from '../../src/core/nn/initialParameters.ts';
import { trainingPlan } from '../../src/core/nn/trainingPlan.ts';
import type { Sample } from '../../src/core/roofline/sample.ts';
import type { StepTiming } from '../../src/core/run/events.ts';
import type { Pool } from '../../src/cpu/pool.ts';
import { cpuProfiles, fitToClock, teamLengths } from '../../src/cpu/profile.ts';
import { Progress } from '../../src/cpu/progress.ts';
import { stagesOf } from '../../src/cpu/stages.ts';
import { CpuTrainer } from '../../src/cpu/train/cpuTrainer.ts';
import { MiniBatches } from '../../src/cpu/train/miniBatches.ts';
import { timePoint } from '../../src/cpu/train/sweepPoint.ts';
import { clockOf } from '../../src/cpu/train/trainingStage.ts';
import { openPool } from '../golden/cpu-threads.ts';
import { rates, type OurFigures, type TrainingPeer, type TrainingTask } from './trainingPeer.ts';

const model = 'resnet8';
const build = 'relaxed-simd';
/** Until the engine's best code runs. */
const warmUpSteps = 20;
const budget = { seconds: 2, mostSeconds: 60, fewestSteps: 3 };

async function createTrainer(
  pool: Pool,
  { batch, input }: TrainingTask,
  threads: number,
): Promise<CpuTrainer> {
  const planOf = (images: number) => trainingPlan(model, images, input);
  const parameters = initialParameters(planOf(batch), 1);
  return CpuTrainer.create(pool, { planOf, batches: [batch], threads }, parameters);
}

/** Our engine on so many threads of the CPU. */
export async function ourCpuPeer(task: TrainingTask, threads: number): Promise<TrainingPeer> {
  const trainer = await createTrainer(await openPool(threads, build, true), task, threads);
  await trainer.setInput(task.images, task.labels);
  return {
    warmUpSteps,
    name: `rooftrace, ${threads} thread${threads === 1 ? '' : 's'}`,
    steps: async (count) => {
      for (let step = 0; step < count; step++) await trainer.step(rates);
      return trainer.readLoss();
    },
  };
}

/** Measures ceilings of one and of all threads as a quick run does, then steps on each of them. */
export async function ourCpuFigures(task: TrainingTask, threads: number): Promise<OurFigures> {
  const pool = await openPool(threads, build, true);
  const clock = await clockOf(pool);
  const profile = fitToClock(cpuProfiles.quick, clock.clockStepSeconds);
  const samples: Sample[] = [];
  const steps: StepTiming[] = [];
  const lengths = teamLengths(threads, profile);
  const stages = stagesOf(pool, lengths, build, profile);
  const tell = (sample: Sample) => samples.push(sample);
  for (const { run } of stages) await run({ profile, progress: new Progress(1, () => {}), tell });
  const { input, batch, images, labels } = task;
  const plan = trainingPlan(model, batch, input);
  for (const value of lengths) {
    const trainer = await createTrainer(pool, task, value);
    await trainer.setInput(images, labels);
    for (let step = 0; step < warmUpSteps; step++) await trainer.step(rates);
    const batches = new MiniBatches({ shape: input, count: batch, images, labels });
    const timing = await timePoint(trainer, plan.ops, batches, { ...clock, ...budget });
    await trainer.disband();
    steps.push({
      device: 'cpu',
      deviceId: 'cpu',
      model,
      inputChannels: input.channels,
      precision: 'f32',
      parameter: 'threads',
      value,
      threads: value,
      batch,
      timer: 'clock',
      ...timing,
    });
  }
  pool.terminate();
  return { samples, steps };
}
