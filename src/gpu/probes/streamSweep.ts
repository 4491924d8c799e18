import { contendingAt } from '../../core/probes/contending.ts';
import { coarseFirst, workingSets } from '../../core/probes/workingSets.ts';
import { flags } from '../../core/roofline/flags.ts';
import type { GpuContext } from '../context.ts';
import { workgroupsOf, type RaceResult } from './streamRace.ts';
import type { StreamTrials } from './streamTrials.ts';
import { runTrial } from './trial.ts';

/** Bytes. */
const smallestSet = 16 * 2 ** 10;
/** Many short runs: some of them fall between the disturbances of other programs. */
const runSeconds = 0.002;
/** The strides in which the working sets are visited. */
const coarsest = 4;
export interface SweepPlan {
  /** Of neighbouring working sets, at most. */
  readonly ratio: number;
  /** What a sample should take, and all of them. */
  readonly sampleSeconds: number;
  readonly sweepSeconds: number;
  /** The longest that a pass may take. */
  readonly passSeconds: number;
  /** The device's buffers are smaller than what was wanted. */
  readonly isLimited: boolean;
}

/** The largest working set that was measured, and what each pattern reached there, fastest first. */
export interface SweepEnd {
  readonly set: number;
  readonly ranked: readonly { readonly race: RaceResult; readonly rate: number }[];
}

/** One pattern in its sweep, in the shape that won its race. */
interface Sweeper {
  readonly race: RaceResult;
  /** Bytes a second by the index of the working set, where measured. */
  readonly rates: Map<number, number>;
  readonly measuredSets: Set<number>;
}

/**
 * Measures every contender at the same working sets, from 16 KiB to as far as the buffers and the
 * length of a pass allow; first at a few sets over the whole range, then those that may be the fastest
 * at the sets in between, so that a machine too slow for all of them has a coarser sweep and not a
 * shorter one. `races` are of one pattern each. Undefined where nothing could be measured.
 */
export async function sweepStreams(
  context: GpuContext,
  trials: StreamTrials,
  races: readonly RaceResult[],
  plan: SweepPlan,
  tell: (share: number) => void,
): Promise<SweepEnd | undefined> {
  const sets = workingSets(smallestSet, trials.largest, plan.ratio);
  const sweepers = races.map((race) => ({
    race,
    rates: new Map<number, number>(),
    measuredSets: new Set<number>(),
  }));
  const begin = performance.now();
  const spent = () => (performance.now() - begin) / 1000 / plan.sweepSeconds;
  for (const [number, index] of coarseFirst(sets.length, coarsest).entries()) {
    tell(Math.max(number / sets.length, Math.min(1, spent())));
    const isCoarse = number < sets.length / coarsest;
    if (!isCoarse && spent() >= 1) continue;
    const curves = sweepers.map(({ rates }) => rates);
    const chosen = isCoarse ? sweepers.keys() : contendingAt(curves, index);
    // Patterns at one set are measured next to each other in time: what drifts, drifts for all.
    for (const each of chosen) await measureAt(context, trials, sweepers[each]!, sets, index, plan);
  }
  return endOf(sweepers, sets);
}

function endOf(sweepers: readonly Sweeper[], sets: readonly number[]): SweepEnd | undefined {
  const last = Math.max(...sweepers.flatMap(({ rates }) => [...rates.keys()]));
  const set = sets[last];
  const ranked = sweepers
    .map(({ race, rates }) => ({ race, rate: rates.get(last) ?? 0 }))
    .filter(({ rate }) => rate > 0)
    .toSorted((a, b) => b.rate - a.rate);
  return set === undefined ? undefined : { set, ranked };
}

async function measureAt(
  context: GpuContext,
  trials: StreamTrials,
  { race: [contender], rates, measuredSets }: Sweeper,
  sets: readonly number[],
  index: number,
  { sampleSeconds, passSeconds, isLimited }: SweepPlan,
): Promise<void> {
  const set = sets[index]!;
  const rate = nearest(rates, index);
  const isTooLong = (size: number | undefined, bytesPerSecond: number) =>
    size !== undefined && bytesPerSecond > 0 && size / bytesPerSecond > passSeconds;
  if (isTooLong(set, rate)) return;
  const { entrant, workingSet } = trials.trial(contender.variant, set, workgroupsOf(contender));
  // Small sets are few workgroups' trips, and neighbours may come out the same.
  if (measuredSets.has(workingSet)) return;
  measuredSets.add(workingSet);
  const limits = [
    ...(isTooLong(sets[index + 1], rate) ? [flags.timeLimit] : []),
    ...(index === sets.length - 1 && isLimited ? [flags.bufferLimit] : []),
  ];
  const length = Math.max(runSeconds, rate > 0 ? workingSet / rate : 0);
  const pairs = Math.max(2, Math.round(sampleSeconds / 3 / length));
  const effort = { seconds: runSeconds, pairs, rate };
  const found = await runTrial(context, { ...entrant, flags: limits }, effort);
  if (found > 0) rates.set(index, found);
}

/** The rate at the nearest set that was measured, a smaller one before a larger; 0 before any. */
function nearest(rates: ReadonlyMap<number, number>, index: number): number {
  const [first] = [...rates.keys()].toSorted(
    (a, b) => Math.abs(a - index) - Math.abs(b - index) || a - b,
  );
  return first === undefined ? 0 : rates.get(first)!;
}
