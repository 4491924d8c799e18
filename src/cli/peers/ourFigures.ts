import { computeRoof } from '../../core/roofline/attainable.ts';
import {
  stepBreakdown,
  type CallBreakdown,
  type StepBreakdown,
} from '../../core/roofline/breakdown.ts';
import { fastestBandwidth } from '../../core/roofline/point.ts';
import { rooflines } from '../../core/roofline/rooflines.ts';
import type { Sample } from '../../core/roofline/sample.ts';
import type { Roofline } from '../../core/roofline/types.ts';
import type { StepTiming } from '../../core/run/events.ts';
import { median } from '../../core/stats/median.ts';
import {
  formatDuration,
  formatNumber,
  formatRate,
  formatShare,
  notMeasured,
} from '../../core/units.ts';
import { table } from '../table.ts';

/** What a page of peers measures of our engine: its ceilings, and steps that stand against them. */
export interface OurFigures {
  readonly samples: readonly Sample[];
  readonly steps: readonly StepTiming[];
}

/** Four times the batch takes so many times as long at the most. */
const wantedGrowth = 4.2;
/** Share of a CPU's step at barriers: with more, other programs had the cores. */
const mostWaiting = 0.1;
/** Calls that are told of a GPU's step. */
const heavyCalls = 16;

/** The calls that take most of a GPU's step, and how its time grows with the batch. */
export function gpuFigures({ samples, steps }: OurFigures): string {
  const roofline = rooflines(samples)[0];
  const batches = [...new Set(steps.map(({ batch }) => batch))].toSorted((a, b) => a - b);
  const [batch] = batches;
  const breakdown = stepBreakdown(
    steps.filter((step) => step.batch === batch),
    roofline,
  );
  return [
    growthSentence(steps, batches),
    roofline && breakdown
      ? callTable(heaviest(breakdown), breakdown.stepSeconds, roofline)
      : 'Its calls could not be timed one by one.',
  ].join('\n');
}

function growthSentence(steps: readonly StepTiming[], batches: readonly number[]): string {
  const [small, large] = batches.map((batch) => ({
    batch,
    times: steps.filter((step) => step.batch === batch).flatMap(({ seconds }) => seconds),
  }));
  const tooLong = steps.find(({ status }) => status !== 'ok');
  if (small === undefined || large === undefined || tooLong !== undefined)
    return `A step of batch ${tooLong?.batch} was not timed: ${tooLong?.reason}`;
  const [before, after] = [median(small.times), median(large.times)];
  return (
    `A step of ${small.batch} images takes ${formatDuration(before)}, of ${large.batch} ` +
    `${formatDuration(after)}: ${formatNumber(after / before)} times as long (wanted ${wantedGrowth} at most).`
  );
}

/** A CPU's calls on so many threads, and the convolutions' share of its arithmetic ceiling. */
export interface ConvolutionShare {
  readonly threads: number;
  readonly share: number;
  readonly report: string;
}

/** Of each number of threads that steps were timed on. */
export function convolutionShares({ samples, steps }: OurFigures): ConvolutionShare[] {
  const all = rooflines(samples);
  return steps.flatMap((step) => {
    const roofline = all.find(({ threads }) => threads === step.threads);
    const ceiling = roofline && computeRoof(roofline, 'f32');
    const breakdown = stepBreakdown([step], roofline);
    if (roofline === undefined || ceiling === undefined || breakdown === undefined) return [];
    const rate = convolutionRate(breakdown);
    const share = rate / ceiling.value;
    const threads = step.threads ?? 1;
    const report = [
      `On ${threads} thread${threads === 1 ? '' : 's'} the convolutions reach ` +
        `${formatRate(rate, 'flop/s')}, ${formatShare(share)} of ${formatRate(ceiling.value, 'flop/s')}. ` +
        waitingSentence(step),
      callTable(convolutionsOf(breakdown), breakdown.stepSeconds, roofline),
    ].join('\n');
    return [{ threads, share, report }];
  });
}

function heaviest({ calls }: StepBreakdown): CallBreakdown[] {
  return calls.toSorted((a, b) => b.seconds - a.seconds).slice(0, heavyCalls);
}

function convolutionsOf({ calls }: StepBreakdown): CallBreakdown[] {
  return calls.filter(({ group }) => group.startsWith('conv2d'));
}

/** An op's time is that of one thread: where threads wait long for each other it may be the next op's. */
function waitingSentence({ seconds, barrierSeconds = [] }: StepTiming): string {
  const share = barrierSeconds.length === 0 ? 0 : median(barrierSeconds) / median(seconds);
  const sentence = `Threads wait for each other for ${formatShare(share)} of a step`;
  return share > mostWaiting ? `${sentence}: too long for the times of its calls.` : `${sentence}.`;
}

/** flop/s of all convolutions together. */
function convolutionRate(breakdown: StepBreakdown): number {
  const own = convolutionsOf(breakdown);
  const sum = (of: (call: CallBreakdown) => number) =>
    own.reduce((total, call) => total + of(call), 0);
  return sum(({ work }) => work.executedFlops) / sum(({ seconds }) => seconds);
}

/**
 * Calls, the heaviest first: how near each is to its roof and, where its loads and stores were counted,
 * how much of the fastest bandwidth that was measured they take.
 */
function callTable(
  calls: readonly CallBreakdown[],
  stepSeconds: number,
  roofline: Roofline,
): string {
  const fastest = fastestBandwidth(roofline);
  const isIssued = calls.some(({ work }) => work.bytes.issued !== undefined);
  const rows = calls
    .toSorted((a, b) => b.seconds - a.seconds)
    .map(({ label, variant, seconds, bound, work }) => {
      const cells = [
        label,
        formatDuration(seconds),
        formatShare(seconds / stepSeconds),
        formatRate(work.executedFlops / seconds, 'flop/s'),
        bound === undefined ? notMeasured : formatShare(bound.seconds / seconds),
      ];
      const { issued = NaN } = work.bytes;
      return isIssued ? cells.concat(formatShare(issued / seconds / fastest), variant) : cells;
    });
  const headers = ['call', 'time', 'of step', 'rate', 'of its roof'];
  return table([...headers, ...(isIssued ? ['of issued bandwidth', 'variant'] : [])], rows);
}
