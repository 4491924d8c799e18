import { operationsOf } from '../../core/probes/cpuChainState.ts';
import {
  computeKernels,
  describeVariant,
  type ComputeKernelName,
  type ComputeVariant,
} from '../../core/probes/cpuKernels.ts';
import { roundingFlags } from '../../core/probes/roundingFlags.ts';
import type { Sample } from '../../core/roofline/sample.ts';
import { medianInterval, relativeHalfWidth } from '../../core/stats/interval.ts';
import { median } from '../../core/stats/median.ts';
import type { BlockSize } from '../blocks.ts';
import { racersOf, type CpuProfile } from '../profile.ts';
import type { Team } from '../team.ts';
import {
  blocksPerRepeat,
  cpuSample,
  expectedSeconds,
  threadsInWords,
  verdict,
  type ProbeContext,
} from './context.ts';
import type { Check, Work } from './runner.ts';

/** The interval of the winner's median that ends its measurement: 3 % to either side. */
const wantedHalfWidth = 0.03;
const leastRepeats = 6;
/** On a quiet machine one turn and the check of linearity settle a winner. */
const expectedSettleSeconds = 0.1;
/** A winner is measured on in turns of about this length, so that a cancel is met soon. */
const turnSeconds = 0.03;
/** Short enough to fit between two switches of the system's scheduler. */
const linearitySeconds = 1e-3;
/** On coarse clocks longer: a step more or less is then 2 %, of the 5 % that are allowed. */
const linearityClockSteps = 50;

/** A shape's times so far. */
interface Entry {
  readonly variant: ComputeVariant;
  readonly block: BlockSize;
  readonly seconds: readonly number[];
  readonly check: Check;
}

/**
 * Measures a kernel's ceiling on a team: its shapes race, every one checked bit by bit, and the
 * fastest is measured until its interval is narrow. One sample a shape; a winner that fails its
 * checks is told as failed and the next fastest takes its place.
 */
export async function probeCompute(
  team: Team,
  kernel: ComputeKernelName,
  context: ProbeContext,
): Promise<void> {
  const stage = `${computeKernels[kernel].probe} ${computeKernels[kernel].precision}, ${threadsInWords(team.length)}`;
  const entries: Entry[] = [];
  for (const variant of racersOf(kernel, context.profile)) {
    context.progress.advance(stage, 0);
    entries.push(await enter(team, variant, context.profile));
    context.progress.advance(stage, raceSeconds(context.profile));
  }
  const ranked = entries.toSorted((a, b) => rateOf(b) - rateOf(a));
  for (const [rank, entry] of ranked.entries()) {
    const settled = await settle(team, entry, context.profile);
    const sample = sampleOf(settled.entry, team.length, settled.fault);
    context.tell(sample);
    if (sample.status !== 'ok') continue;
    for (const other of ranked.slice(rank + 1)) context.tell(sampleOf(other, team.length));
    break;
  }
  context.progress.advance(stage, expectedSettleSeconds);
}

/** Seconds that `probeCompute` is expected to take. */
export function expectedComputeSeconds(kernel: ComputeKernelName, profile: CpuProfile): number {
  return racersOf(kernel, profile).length * raceSeconds(profile) + expectedSettleSeconds;
}

function raceSeconds(profile: CpuProfile): number {
  return expectedSeconds(profile, profile.raceRepeats, profile.raceWarmUpSeconds);
}

function workOf(variant: ComputeVariant): Work {
  return { kind: 'chains', variant };
}

async function enter(team: Team, variant: ComputeVariant, profile: CpuProfile): Promise<Entry> {
  const { repeatSeconds, raceRepeats, raceWarmUpSeconds } = profile;
  const work = workOf(variant);
  const block = await team.sizeBlocks(work, repeatSeconds / blocksPerRepeat, raceWarmUpSeconds);
  return { variant, block, ...(await team.measure(work, block, repeatSeconds, raceRepeats)) };
}

/** Operations a second of one thread; 0 where the shape is out of the race. */
function rateOf({ variant, block, seconds, check }: Entry): number {
  if (check.kind === 'wrong' || seconds.length === 0) return 0;
  return operationsOf(variant, block.count) / median(seconds);
}

/** Measures on until the interval is narrow or the time is up; the fault is why it does not hold. */
async function settle(
  team: Team,
  entry: Entry,
  { repeatSeconds, settleSeconds, clockStepSeconds }: CpuProfile,
): Promise<{ readonly entry: Entry; readonly fault?: string }> {
  const work = workOf(entry.variant);
  const seconds = [...entry.seconds];
  const repeats = Math.max(1, Math.floor(turnSeconds / repeatSeconds));
  const deadline = performance.now() + settleSeconds * 1000;
  let { check } = entry;
  while (check.kind === 'right' && !isSettled(seconds) && performance.now() < deadline) {
    const turn = await team.measure(work, entry.block, repeatSeconds, repeats);
    seconds.push(...turn.seconds);
    check = turn.check;
  }
  const settled = { ...entry, seconds, check };
  const single = Math.max(linearitySeconds, linearityClockSteps * clockStepSeconds);
  const blocks = single / entry.block.seconds;
  const fault = await team.nonlinearity(work, Math.ceil(blocks) * entry.block.count);
  return fault === undefined ? { entry: settled } : { entry: settled, fault };
}

function isSettled(seconds: readonly number[]): boolean {
  return (
    seconds.length >= leastRepeats && relativeHalfWidth(medianInterval(seconds)) <= wantedHalfWidth
  );
}

function sampleOf(
  { variant, block, seconds, check }: Entry,
  threads: number,
  fault?: string,
): Sample {
  const { probe, precision } = computeKernels[variant.kernel];
  return {
    ...cpuSample,
    probe,
    variant: describeVariant(variant),
    measured: {
      kind: 'compute',
      precision,
      flops: operationsOf(variant, block.count) * threads,
    },
    threads,
    seconds,
    ...verdict(seconds, check, fault),
    flags:
      check.kind === 'right' && check.rounding !== undefined ? roundingFlags[check.rounding] : [],
  };
}
