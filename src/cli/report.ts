import { fixedInWords } from '../core/roofline/parameterWords.ts';
import { explainTrajectory } from '../core/roofline/explain.ts';
import type { TimeView } from '../core/roofline/timeViews.ts';
import type { Ceiling, Roofline, Trajectory } from '../core/roofline/types.ts';
import { wholeSteps } from '../core/roofline/wholeSteps.ts';
import type { RunSummary } from '../core/run/record.ts';
import {
  formatDuration,
  formatIntensity,
  formatNumber,
  formatRate,
  formatShare,
  formatSize,
  notMeasured,
} from '../core/units.ts';
import { figureLines } from './figures.ts';
import { table } from './table.ts';
import { timeViewSection } from './timeViewReport.ts';

/** A run's rooflines, trajectories, views of a step's time and failures as text for a terminal. */
export function report(summary: RunSummary, views: readonly TimeView[] = []): string {
  const { rooflines, trajectories, failures } = summary;
  return [
    ...rooflines.map(rooflineSection),
    ...wholeSteps(trajectories).map(trajectorySection),
    ...views.map(timeViewSection),
    ...failures.map(
      ({ device, stage, cause, advice, detail }) =>
        `FAILED ${device} ${stage}: ${cause} ${advice}\n  ${detail}`,
    ),
  ].join('\n\n');
}

function rooflineSection(roofline: Roofline): string {
  const { compute, bandwidth, ridge } = roofline;
  const rows = [...compute, ...bandwidth].map((ceiling) => [
    ceiling.label,
    formatRate(ceiling.value, ceiling.unit),
    interval(ceiling),
    capacityOf(ceiling),
    ceiling.variant,
    ceiling.timer,
    ceiling.flags.join(', '),
  ]);
  const ridges = ridge.map(
    ({ compute: top, bandwidth: slope, intensity, unit }) =>
      `${top} x ${slope}: ${formatIntensity(intensity, unit)}`,
  );
  return [
    rooflineTitle(roofline),
    table(['ceiling', 'value', '95 % interval', 'capacity', 'variant', 'timer', 'flags'], rows),
    ...(ridges.length === 0 ? [] : [`ridge points: ${ridges.join('; ')}`]),
    ...figureLines(roofline),
  ].join('\n');
}

function capacityOf({ capacityBytes, workgroupCapacityBytes }: Ceiling): string {
  if (capacityBytes !== undefined) return formatSize(capacityBytes);
  if (workgroupCapacityBytes === undefined) return '';
  return `${formatSize(workgroupCapacityBytes)} a workgroup`;
}

function rooflineTitle({ device, threads }: Roofline): string {
  const name = device.toUpperCase();
  return threads === undefined ? name : `${name}, ${threads} thread${threads === 1 ? '' : 's'}`;
}

function interval({ ciLow, ciHigh, value }: Ceiling): string {
  return `${formatShare(ciLow / value - 1)} to +${formatShare(ciHigh / value - 1)}`;
}

function trajectorySection(trajectory: Trajectory): string {
  const { device, model, parameter, fixed, points, segments } = trajectory;
  const rows = points.map((point) => {
    const reading = segments.find(({ to }) => to === point.value)?.reading ?? '';
    if (point.status !== 'ok') return [String(point.value), point.reason ?? point.status];
    const { roofFraction, bound } = point;
    return [
      String(point.value),
      formatDuration(point.seconds),
      formatNumber(point.imagesPerSecond),
      formatRate(point.flopsPerSecond, 'flop/s'),
      formatNumber(point.intensity),
      roofFraction === undefined ? notMeasured : formatShare(roofFraction),
      bound === undefined ? notMeasured : formatShare(bound.memory),
      [reading, ...point.flags].filter((part) => part !== '').join('; '),
    ];
  });
  const at = fixedInWords(fixed);
  return [
    `${device.toUpperCase()} training step, ${model}, over ${parameter}${at === '' ? '' : ` at ${at}`}`,
    table(
      [parameter, 'step', 'images/s', 'rate', 'flop/byte', 'of roof', 'memory share', 'reading'],
      rows,
    ),
    ...explainTrajectory(trajectory),
  ].join('\n');
}
