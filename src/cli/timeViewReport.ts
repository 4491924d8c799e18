import type { TimeView } from '../core/roofline/timeViews.ts';
import { explainBreakdown } from '../core/roofline/explainBreakdown.ts';
import { formatDuration, formatShare, notMeasured } from '../core/units.ts';
import { table } from './table.ts';

/** Calls that lose most time; the files have all. */
const shownCalls = 10;

/** Where the time of a step goes: its kinds of calls, then the calls that lose most. */
export function timeViewSection({ device, model, batch, breakdown }: TimeView): string {
  const { groups, calls, stepSeconds, remainderSeconds } = breakdown;
  const share = (seconds: number): string => formatShare(seconds / stepSeconds);
  const kinds = groups.map((group) => [
    group.label,
    String(group.calls),
    formatDuration(group.seconds),
    formatShare(group.share),
    formatDuration(group.boundSeconds),
    formatDuration(group.lostSeconds),
  ]);
  const sums = [
    ['remainder', '', formatDuration(remainderSeconds), share(remainderSeconds), '', ''],
    ['whole step', '', formatDuration(stepSeconds), share(stepSeconds), '', ''],
  ];
  const worst = calls
    .slice(0, shownCalls)
    .map(({ label, variant, seconds, bound, lostSeconds }) => [
      label,
      variant,
      formatDuration(seconds),
      share(seconds),
      bound === undefined ? notMeasured : formatDuration(bound.seconds),
      formatDuration(lostSeconds),
    ]);
  return [
    `${device.toUpperCase()} time of a training step, ${model} at batch ${batch}`,
    table(['kind of call', 'calls', 'time', 'of step', 'bound', 'lost'], [...kinds, ...sums]),
    table(['most time lost in', 'variant', 'time', 'of step', 'bound', 'lost'], worst),
    ...explainBreakdown(breakdown),
  ].join('\n');
}
