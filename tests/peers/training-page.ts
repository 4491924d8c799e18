import { jaxPeer } from './jaxPeer.ts';
import { OurGpu } from './ourGpu.ts';
import { tensorflowPeer } from './tensorflowPeer.ts';
import { takeTurns, trainingTask, type OurFigures, type PeerTimes } from './trainingPeer.ts';

export interface PeerOptions {
  readonly batch: number;
  /** Timed rounds, after the warm-up; each peer takes one turn a round. */
  readonly rounds: number;
  /** For the tuner; 0 keeps the default variants. */
  readonly tuneSeconds: number;
}

/** Times of our engine and its peers, and our engine's step against its ceilings. */
interface Comparison {
  readonly peers: readonly PeerTimes[];
  readonly ours: OurFigures;
}

/** Our step is the shortest by far: as long a turn wants more of them. */
const ourStepsPerTurn = 4;

async function comparePeers({ batch, rounds, tuneSeconds }: PeerOptions): Promise<Comparison> {
  const task = trainingTask(batch);
  const gpu = await OurGpu.open(task, tuneSeconds);
  const peers = await takeTurns(
    [
      { peer: await gpu.peer(task), stepsPerTurn: ourStepsPerTurn },
      { peer: await jaxPeer(task, 'webgpu'), stepsPerTurn: 1 },
      { peer: await tensorflowPeer(task), stepsPerTurn: 1 },
    ],
    rounds,
  );
  return { peers, ours: await gpu.figures(task) };
}

Object.assign(window, { comparePeers });
