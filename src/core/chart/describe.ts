import { formatNumber, formatRate } from '../units.ts';
import type { ChartPanel } from './panel.ts';

/** The chart in words, for those who do not see it. */
export function describePanel({
  device,
  overlay,
  ceilings,
  ridges,
  trajectories,
}: ChartPanel): string {
  const name = overlay?.name ?? device.toUpperCase();
  if (ceilings.length === 0 && trajectories.length === 0)
    return `${name} roofline chart, nothing measured yet.`;
  const lines = ceilings.map(({ label }) => label).join(', ');
  const roofRidge = ridges.find(({ role }) => role === 'roof');
  const paths = trajectories.map(({ marks }) => {
    const first = marks[0];
    const last = marks.at(-1);
    if (!first || !last) return '';
    const ends = [first, last].map(
      (mark) =>
        `${formatRate(mark.flopsPerSecond, 'flop/s')} at ${formatNumber(mark.intensity)} FLOP/byte`,
    );
    return ` Training step from ${first.label}, ${ends[0]}, to ${last.label}, ${ends[1]}.`;
  });
  const ridge = roofRidge ? ` ${capital(roofRidge.label)} FLOP/byte.` : '';
  return `${name} roofline chart. Ceilings: ${lines}.${ridge}${paths.join('')} The tables hold every number.`;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
