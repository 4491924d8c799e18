import { formatNumber, formatShare } from '../units.ts';
import { noiseOfChange } from './noise.ts';
import type { Trajectory, TrajectoryPoint } from './types.ts';
import { wholeSteps } from './wholeSteps.ts';

/** A training step on a CPU by how it used the cores: R replicas of T threads each. */
export interface ProcessPoint {
  readonly model: string;
  /** Images a step, over all replicas. */
  readonly batch: number;
  readonly replicas: number;
  /** Of each replica. */
  readonly threads: number;
  readonly point: TrajectoryPoint;
  /** Images a second over those of one thread with as large a batch; absent where that was not timed. */
  readonly speedUp?: number;
  /** Of replicas, against one process with as many threads in all and as large a batch. */
  readonly againstOne?: {
    /** Images a second over those of the one process. */
    readonly ratio: number;
    /** Half-width of the 95 % interval of its natural logarithm. */
    readonly noise: number;
    /** Share of a step that the one process spends at barriers, where it was told. */
    readonly barrierShare?: number;
  };
}

type Configuration = Pick<ProcessPoint, 'model' | 'batch' | 'replicas' | 'threads'>;

/**
 * One process with many threads against many processes (Jain et al. 2019): the good points of a CPU's
 * trajectories, each configuration once, held against one thread and against one process. Where sweeps
 * meet at a configuration the time of the narrower interval counts. Empty unless threads or replicas
 * grew.
 */
export function processPoints(trajectories: readonly Trajectory[]): ProcessPoint[] {
  const own = wholeSteps(trajectories).filter(({ device }) => device === 'cpu');
  if (!own.some(({ parameter }) => parameter === 'threads' || parameter === 'replicas')) return [];
  const points = new Map<string, ProcessPoint>();
  for (const trajectory of own)
    for (const point of trajectory.points) {
      const found = configurationOf(trajectory, point);
      if (point.status !== 'ok' || found === undefined) continue;
      const known = points.get(keyOf(found));
      if (known === undefined || uncertainty(point) < uncertainty(known.point))
        points.set(keyOf(found), { ...found, point });
    }
  return [...points.values()].map((each) => compared(each, points)).toSorted(byCoresAndBatch);
}

/** Width of the interval of a point's time, as a share of it. */
function uncertainty({ seconds, ciLow, ciHigh }: TrajectoryPoint): number {
  return (ciHigh - ciLow) / seconds;
}

/** The most images a second of a network at one batch, and in which way. */
type Winner = 'single' | 'neither' | 'multi';

/** Two ways to use all cores at one batch. */
interface Duel {
  readonly batch: number;
  readonly multi: ProcessPoint;
  readonly againstOne: NonNullable<ProcessPoint['againstOne']>;
  readonly winner: Winner;
}

/**
 * In a paragraph which of the two ways to use the most cores is faster, and at which batch that
 * changes; differences within the noise are none. Undefined where a network was not timed in both.
 */
export function explainProcesses(
  points: readonly ProcessPoint[],
  model: string,
): string | undefined {
  const duels = duelsOf(points.filter((each) => each.model === model));
  const [first] = duels;
  if (first === undefined) return undefined;
  const cores = first.multi.replicas * first.multi.threads;
  const sentences = duels.map(duelText).join('; ');
  return `${model} on ${cores} cores: ${sentences}. ${verdict(duels)}${waits(duels)}`;
}

/** With the most cores that both had; of several ways to split them the fastest; by rising batch. */
function duelsOf(points: readonly ProcessPoint[]): Duel[] {
  const multis = points.filter(({ againstOne }) => againstOne !== undefined);
  const cores = Math.max(0, ...multis.map(coresOf));
  const fastest = new Map<number, ProcessPoint>();
  for (const multi of multis.filter((each) => coresOf(each) === cores)) {
    const before = fastest.get(multi.batch);
    if (before === undefined || before.againstOne!.ratio < multi.againstOne!.ratio)
      fastest.set(multi.batch, multi);
  }
  return [...fastest.values()]
    .toSorted((a, b) => a.batch - b.batch)
    .map((multi) => {
      const againstOne = multi.againstOne!;
      return { batch: multi.batch, multi, againstOne, winner: winnerOf(againstOne) };
    });
}

function winnerOf({ ratio, noise }: Duel['againstOne']): Winner {
  if (!(Math.abs(Math.log(ratio)) > noise)) return 'neither';
  return ratio > 1 ? 'multi' : 'single';
}

function duelText({ batch, multi, againstOne, winner }: Duel): string {
  const { replicas, threads } = multi;
  const ratio = `${formatNumber(againstOne.ratio)} times`;
  const team =
    threads === 1 ? `${replicas} replicas` : `${replicas} replicas of ${threads} threads`;
  return winner === 'neither'
    ? `at batch ${batch} no change (${team} train ${ratio} the images a second of one process, within the noise)`
    : `at batch ${batch} ${team} train ${ratio} the images a second of one process`;
}

const inWords: Readonly<Record<Winner, string>> = {
  single: 'one process is faster',
  neither: 'neither is faster',
  multi: 'replicas are faster',
};

function verdict(duels: readonly Duel[]): string {
  const changes = duels.filter(({ winner }, at) => at === 0 || winner !== duels[at - 1]!.winner);
  const [first, ...later] = changes;
  const opening = capitalised(inWords[first!.winner]);
  if (later.length === 0)
    return `${opening} at ${duels.length === 1 ? 'this batch' : 'every batch that was tried'}.`;
  const turns = later.map(({ batch, winner }) => `from batch ${batch} on ${inWords[winner]}`);
  return `${opening} at batch ${first!.batch}; ${turns.join('; ')}.`;
}

/** What each way waits for, at the largest batch. */
function waits(duels: readonly Duel[]): string {
  const { batch, multi, againstOne } = duels.at(-1)!;
  const { allReduceShare } = multi.point;
  const { barrierShare } = againstOne;
  if (barrierShare === undefined || allReduceShare === undefined) return '';
  return ` At batch ${batch} the threads of one process spend ${formatShare(barrierShare)} of a step at barriers, the replicas ${formatShare(allReduceShare)} on averaging gradients.`;
}

/** Undefined where the trajectory does not say how many threads there were. */
function configurationOf(
  { model, parameter, fixed }: Trajectory,
  { value, imagesPerSecond, seconds }: TrajectoryPoint,
): Configuration | undefined {
  if (parameter === 'depth' || parameter === 'width') return undefined;
  const threads = parameter === 'threads' ? value : fixed.threads;
  const replicas = parameter === 'replicas' ? value : (fixed.replicas ?? 1);
  if (threads === undefined) return undefined;
  return { model, batch: Math.round(imagesPerSecond * seconds), replicas, threads };
}

function compared(each: ProcessPoint, points: ReadonlyMap<string, ProcessPoint>): ProcessPoint {
  const { replicas, point } = each;
  const alone = points.get(keyOf({ ...each, replicas: 1, threads: 1 }));
  const one =
    replicas === 1
      ? undefined
      : points.get(keyOf({ ...each, replicas: 1, threads: coresOf(each) }));
  return {
    ...each,
    ...(alone && { speedUp: point.imagesPerSecond / alone.point.imagesPerSecond }),
    ...(one && { againstOne: againstOneOf(point, one.point) }),
  };
}

function againstOneOf(
  multi: TrajectoryPoint,
  one: TrajectoryPoint,
): NonNullable<ProcessPoint['againstOne']> {
  return {
    ratio: multi.imagesPerSecond / one.imagesPerSecond,
    noise: noiseOfChange(timesOf(multi), timesOf(one)),
    ...(one.barrierShare !== undefined && { barrierShare: one.barrierShare }),
  };
}

function timesOf({ ciLow, ciHigh, samples }: TrajectoryPoint) {
  return { low: ciLow, high: ciHigh, samples };
}

function keyOf({ model, batch, replicas, threads }: Configuration): string {
  return JSON.stringify([model, batch, replicas, threads]);
}

function coresOf({ replicas, threads }: ProcessPoint): number {
  return replicas * threads;
}

function byCoresAndBatch(a: ProcessPoint, b: ProcessPoint): number {
  return coresOf(a) - coresOf(b) || a.batch - b.batch || a.replicas - b.replicas;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
