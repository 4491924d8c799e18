import { coordinateDescent } from '../../core/probes/race.ts';
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
    const name = `${entrant.variant}, ${count} of them`;
    return runTrial(context, { ...entrant, variant: name }, effort);
  });
  // More than saturate: an uneven end then matters less.
  return 4 * workgroups * variant.workgroupSize;
}

/** Races the shapes of a pattern, from `openings` on, by coordinate descent. */
export async function fastestShape(
  context: GpuContext,
  trials: StreamTrials,
  openings: readonly [StreamVariant, ...StreamVariant[]],
  { lanes, rate, passSeconds, pipelines }: RaceConditions,
): Promise<StreamVariant> {
  const set = setOf(trials, rate, passSeconds);
  const mostWorkgroupSize =
    context.environment.limits['maxComputeInvocationsPerWorkgroup'] ?? openings[0].workgroupSize;
  const order = coordinateDescent(openings, streamMoves(mostWorkgroupSize), pipelines);
  let best = 0;
  let next = order.next();
  while (!next.done) {
    const variant = next.value;
    const { entrant } = trials.trial(variant, set, workgroupsOf({ variant, lanes }));
    const found = await runTrial(context, entrant, { ...effort, rate: best });
    best = Math.max(best, found);
    next = order.next(found);
  }
  return next.value[0] ?? openings[0];
}

interface RaceConditions {
  readonly lanes: number;
  /** bytes a second, roughly */
  readonly rate: number;
  /** The longest that a pass may take. */
  readonly passSeconds: number;
  readonly pipelines: number;
}

/** The openings of a pattern: what won for another where there is such, else its own. */
export function openingsAfter(
  winner: StreamVariant | undefined,
  pattern: StreamPattern,
): readonly [StreamVariant, ...StreamVariant[]] {
  return winner === undefined ? streamOpenings(pattern) : [{ ...winner, pattern }];
}

/** The working set of a race: one that a pass moves in time. */
function setOf(trials: StreamTrials, rate: number, passSeconds: number): number {
  return Math.min(raceSet, trials.largest, passSeconds * rate);
}
