import { initialParameters } from '../../src/core/nn/initialParameters.ts';
import { trainingPlan } from '../../src/core/nn/trainingPlan.ts';
import { CpuTrainer } from '../../src/cpu/train/cpuTrainer.ts';
import { openPool } from '../golden/cpu-threads.ts';
import { jaxPeer } from './jaxPeer.ts';
import { parametersOf, rates, type TrainingPeer } from './trainingPeer.ts';

export interface CpuPeerOptions {
  readonly batch: number;
  /** Timed rounds, after the warm-up; each peer takes one turn a round. */
  readonly rounds: number;
  /** Our engine's, one peer each. */
  readonly threads: readonly number[];
}

export interface CpuPeerTimes {
  readonly name: string;
  /** Seconds a step of each turn, in order. */
  readonly seconds: readonly number[];
  /** Losses of the first steps: the same for all, or they do not train the same. */
  readonly losses: readonly number[];
}

/** The first losses, which have to agree. */
const comparedLosses = 3;
/** Our step is the shortest by far: as long a turn wants more of them. */
const ourStepsPerTurn = 20;
const size = 32;
const channels = 3;

async function compareCpuPeers(options: CpuPeerOptions): Promise<CpuPeerTimes[]> {
  const planOf = (batch: number) =>
    trainingPlan('resnet8', batch, { height: size, width: size, channels });
  const plan = planOf(options.batch);
  const { batch, classes } = plan;
  const parameters = initialParameters(plan, 1);
  const images = Float32Array.from({ length: batch * size * size * channels }, (_, at) =>
    Math.sin(at),
  );
  const labels = Uint32Array.from({ length: batch }, (_, image) => image % classes);
  const ourPeer = async (threads: number): Promise<TrainingPeer> => {
    const pool = await openPool(threads, 'relaxed-simd', true);
    const trainer = await CpuTrainer.create(
      pool,
      { planOf, batches: [batch], threads },
      parameters,
    );
    await trainer.setInput(images, labels);
    return {
      // Until the engine's best code runs.
      warmUpSteps: 20,
      name: `rooftrace, ${threads} thread${threads === 1 ? '' : 's'}`,
      steps: async (count) => {
        for (let step = 0; step < count; step++) await trainer.step(rates);
        return trainer.readLoss();
      },
    };
  };
  const ours = await Promise.all(options.threads.map(ourPeer));
  const task = { batch, size, channels, classes, images, labels };
  const jax = await jaxPeer({ ...task, parameters: parametersOf(plan, parameters) }, 'wasm');
  const times: { name: string; seconds: number[]; losses: number[] }[] = [];
  for (const peer of [...ours, jax]) {
    const losses: number[] = [];
    for (let step = 0; step < peer.warmUpSteps; step++) losses.push(await peer.steps(1));
    times.push({ name: peer.name, seconds: [], losses: losses.slice(0, comparedLosses) });
  }
  for (let round = 0; round < options.rounds; round++)
    for (const [at, peer] of [...ours, jax].entries()) {
      const steps = peer === jax ? 1 : ourStepsPerTurn;
      const begin = performance.now();
      await peer.steps(steps);
      times[at]!.seconds.push((performance.now() - begin) / 1000 / steps);
    }
  return times;
}

Object.assign(window, { compareCpuPeers });
