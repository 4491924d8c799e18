import { coordinateDescent, type Move } from '../../core/probes/race.ts';
import { doubleUntilSaturated } from '../../core/probes/saturation.ts';
import {
  streamMoves,
  streamOpenings,
  type StreamPattern,
  type StreamVariant,
} from '../../core/probes/streamVariant.ts';
import type { GpuContext } from '../context.ts';
import type { StreamTrials } from './streamTrials.ts';
import { runTrial } from './trial.ts';
import { sizeWorkload } from './workload.ts';

/** Many short runs: some of them fall between the disturbances of other programs. */
const effort = { seconds: 0.003, pairs: 2 };
/** The race is held where memory itself is the limit, if the device is fast enough for that. */
const raceSet = 64 * 2 ** 20;
/** A quarter of it, for the number of workgroups: few of them are slow. */
const searchShare = 0.25;
const workgroupsRange = { least: 4, most: 16_384 };
/** More lanes have less to do each, and so many times more are tried at once; of a few workgroups the last one works alone. */
const lanesRange = { least: 1024, most: 2 ** 22 };
const cutFactor = 8;
/** The largest power of two within WebGPU's 65,535 workgroups a dimension. */
const mostWorkgroups = 32_768;
/** The first guess of the rate is made with so little, at once. */
const rough = { set: 4 * 2 ** 20, workgroups: 64, seconds: 0.01 };

/** A shape with as many lanes as saturate the device. */
export interface Contender {
  readonly variant: StreamVariant;
  readonly lanes: number;
}

export function workgroupsOf({ variant, lanes }: Contender): number {
  return Math.min(lanes / variant.workgroupSize, mostWorkgroups);
}

/** Bytes a second of a small set, roughly. */
export async function roughRate({ timer }: GpuContext, trials: StreamTrials): Promise<number> {
  const [variant] = streamOpenings('copy');
  const { entrant, workingSet } = trials.trial(variant, rough.set, rough.workgroups);
  const kernel = await entrant.create();
  const { amount, seconds } = await sizeWorkload(timer, kernel, rough.seconds);
  kernel.destroy();
  return (workingSet * amount) / seconds;
}

/** How many lanes keep memory busy; one pass takes up to `passSeconds`. */
export async function saturatingLanes(
  context: GpuContext,
  trials: StreamTrials,
  rate: number,
  passSeconds: number,
): Promise<number> {
  const [, variant] = streamOpenings('copy');
  const set = setOf(trials, rate, passSeconds) * searchShare;
  const workgroups = await doubleUntilSaturated(workgroupsRange, (count) => {
    const { entrant } = trials.trial(variant, set, count);
    return runTrial(context, entrant, effort);
  });
  // More than saturate: an uneven end then matters less.
  return 4 * workgroups * variant.workgroupSize;
}

/** A pattern's fastest shapes, the best first. */
export type RaceResult = readonly [Contender, ...Contender[]];
const mostResults = 2;

/** Races the shapes of a pattern, from `openings` on, by coordinate descent. */
export async function fastestShapes(
  context: GpuContext,
  trials: StreamTrials,
  openings: readonly [Contender, ...Contender[]],
  { rate, passSeconds, pipelines }: RaceConditions,
): Promise<RaceResult> {
  const set = setOf(trials, rate, passSeconds);
  const mostWorkgroupSize = context.environment.limits['maxComputeInvocationsPerWorkgroup'] ?? 64;
  const order = coordinateDescent(openings, contenderMoves(mostWorkgroupSize), pipelines);
  let best = 0;
  let next = order.next();
  while (!next.done) {
    const { entrant } = trials.trial(next.value.variant, set, workgroupsOf(next.value));
    const found = await runTrial(context, entrant, { ...effort, rate: best });
    best = Math.max(best, found);
    next = order.next(found);
  }
  const [first = openings[0], ...others] = next.value.slice(0, mostResults);
  return [first, ...others];
}

interface RaceConditions {
  /** bytes a second, roughly */
  readonly rate: number;
  /** The longest that a pass may take. */
  readonly passSeconds: number;
  readonly pipelines: number;
}

/**
 * How finely the work is cut matters too: where a device runs the lanes of a workgroup one after the
 * other, what its caches fetch ahead for the first must still be there for the last.
 */
function contenderMoves(mostWorkgroupSize: number): Move<Contender>[] {
  const cuts = [cutFactor, 1 / cutFactor].map((factor) => (contender: Contender) => {
    const lanes = contender.lanes * factor;
    return lanes >= lanesRange.least && lanes <= lanesRange.most
      ? { ...contender, lanes }
      : undefined;
  });
  const shapes = streamMoves(mostWorkgroupSize).map((move) => (contender: Contender) => {
    const variant = move(contender.variant);
    return variant && { ...contender, variant };
  });
  return [...cuts, ...shapes];
}

/**
 * The openings of a pattern: a cache line a lane with as many lanes as saturate, and what won for
 * another pattern where there is such, else a vector a lane. Stores wait for nothing, and several in
 * flight suit them.
 */
export function openingsAfter(
  winner: Contender | undefined,
  pattern: StreamPattern,
  lanes: number,
): readonly [Contender, ...Contender[]] {
  const [vector, line] = streamOpenings(pattern);
  if (winner === undefined)
    return [
      { variant: line, lanes },
      { variant: vector, lanes },
    ];
  const inFlight = pattern === 'write' ? [2, 4] : [1];
  return [
    { ...winner, variant: { ...winner.variant, pattern } },
    ...inFlight.map((unroll) => ({ variant: { ...line, unroll }, lanes })),
  ];
}

/** The working set of a race: one that a pass moves in time. */
function setOf(trials: StreamTrials, rate: number, passSeconds: number): number {
  return Math.min(raceSet, trials.largest, passSeconds * rate);
}
