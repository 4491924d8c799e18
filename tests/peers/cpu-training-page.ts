import { jaxPeer } from './jaxPeer.ts';
import { ourCpuFigures, ourCpuPeer } from './ourCpu.ts';
import { trainingTask, takeTurns, type OurFigures, type PeerTimes } from './trainingPeer.ts';

export interface CpuPeerOptions {
  readonly batch: number;
  /** Timed rounds, after the warm-up; each peer takes one turn a round. */
  readonly rounds: number;
  /** Our engine's, one peer each; the last is that of all. */
  readonly threads: readonly number[];
}

/** Our step is the shortest by far: as long a turn wants more of them. */
const ourStepsPerTurn = 20;

async function compareCpuPeers({ batch, rounds, threads }: CpuPeerOptions): Promise<PeerTimes[]> {
  const task = trainingTask(batch);
  const ours = await Promise.all(threads.map((count) => ourCpuPeer(task, count)));
  const jax = await jaxPeer(task, 'wasm');
  return takeTurns(
    [
      ...ours.map((peer) => ({ peer, stepsPerTurn: ourStepsPerTurn })),
      { peer: jax, stepsPerTurn: 1 },
    ],
    rounds,
  );
}

const cpuFigures = (batch: number, threads: number): Promise<OurFigures> =>
  ourCpuFigures(trainingTask(batch), threads);

Object.assign(window, { compareCpuPeers, cpuFigures });
