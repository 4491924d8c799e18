import { contendingAt } from '../../core/probes/contending.ts';
import { coarseFirst, workingSets } from '../../core/probes/workingSets.ts';
import { flags } from '../../core/roofline/flags.ts';
import type { GpuContext } from '../context.ts';
import { workgroupsOf, type Contender } from './streamRace.ts';
import type { StreamTrials } from './streamTrials.ts';
import { runTrial } from './trial.ts';

/** Bytes. */
const smallestSet = 16 * 2 ** 10;
/** Many short runs: some of them fall between the disturbances of other programs. */
const runSeconds = 0.002;
/** The strides in which the working sets are visited. */
const coarsest = 4;
/** Patterns that are measured on until their interval at the last set is narrow, turn by turn. */
const finalists = 2;
const finalRounds = 2;
const finalPairs = 4;

export interface SweepPlan {
  /** Of neighbouring working sets, at most. */
  readonly ratio: number;
  /** What a sample should take, and all of them. */
  readonly sampleSeconds: number;
  readonly sweepSeconds: number;
  /** For the last working set, after the sweep. */
  readonly finalSeconds: number;
  /** The longest that a pass may take. */
  readonly passSeconds: number;
  /** The device's buffers are smaller than what was wanted. */
  readonly isLimited: boolean;
}

/** One pattern's shape in its sweep. */
interface Sweeper {
  readonly contender: Contender;
  /** Bytes a second by the index of the working set, where measured. */
  readonly rates: Map<number, number>;
  readonly measuredSets: Set<number>;
}

/**
 * Measures every contender at the same working sets, from 16 KiB to as far as the buffers and the
 * length of a pass allow; first at a few sets over the whole range, then those that may be the fastest
 * at the sets in between, so that a machine too slow for all of them has a coarser sweep and not a
 * shorter one. Then the fastest ones at the last set, until their intervals are narrow.
 */
export async function sweepStreams(
  context: GpuContext,
  trials: StreamTrials,
  contenders: readonly Contender[],
  plan: SweepPlan,
  tell: (share: number) => void,
): Promise<void> {
  const sets = workingSets(smallestSet, trials.largest, plan.ratio);
  const sweepers = contenders.map((contender) => ({
    contender,
    rates: new Map<number, number>(),
    measuredSets: new Set<number>(),
  }));
  const begin = performance.now();
  const spent = () => (performance.now() - begin) / 1000 / plan.sweepSeconds;
  for (const [number, index] of coarseFirst(sets.length, coarsest).entries()) {
    tell(0.9 * Math.max(number / sets.length, Math.min(1, spent())));
    const isCoarse = number < sets.length / coarsest;
    if (!isCoarse && spent() >= 1) continue;
    const curves = sweepers.map(({ rates }) => rates);
    const chosen = isCoarse ? sweepers.keys() : contendingAt(curves, index);
    // Patterns at one set are measured next to each other in time: what drifts, drifts for all.
    for (const each of chosen) await measureAt(context, trials, sweepers[each]!, sets, index, plan);
  }
  tell(0.9);
  await measureLast(context, trials, sweepers, sets, plan);
}

async function measureAt(
  context: GpuContext,
  trials: StreamTrials,
  { contender, rates, measuredSets }: Sweeper,
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

/**
 * The roof of the last level rests on the largest set: it is measured until it is well known. In turns,
 * since what else uses the memory of the machine comes and goes within a second.
 */
async function measureLast(
  context: GpuContext,
  trials: StreamTrials,
  sweepers: readonly Sweeper[],
  sets: readonly number[],
  { finalSeconds }: SweepPlan,
): Promise<void> {
  const last = Math.max(...sweepers.flatMap(({ rates }) => [...rates.keys()]));
  const ranked = sweepers
    .filter(({ rates }) => rates.has(last))
    .toSorted((a, b) => b.rates.get(last)! - a.rates.get(last)!);
  const turns = Array.from({ length: finalRounds }, () => ranked.slice(0, finalists)).flat();
  for (const { contender, rates } of turns) {
    const { entrant } = trials.trial(contender.variant, sets[last]!, workgroupsOf(contender));
    await runTrial(context, entrant, {
      seconds: runSeconds,
      pairs: finalPairs,
      rate: rates.get(last)!,
      settleSeconds: finalSeconds / turns.length,
    });
  }
}
