import { opGroupLabels } from '../core/nn/opGroups.ts';
import { fixedInWords } from '../core/roofline/parameterWords.ts';
import { capacityInterval, capacityInWords } from '../core/roofline/capacityWords.ts';
import { explainCeiling, explainPoint, explainTrajectory } from '../core/roofline/explain.ts';
import { explainTuning } from '../core/roofline/explainTuning.ts';
import type { TuningSummary } from '../core/roofline/tuning.ts';
import { explainSegment } from '../core/roofline/explainSegment.ts';
import { intensitiesOf, whyIntensityStays } from '../core/roofline/intensities.ts';
import { refusalInWords } from '../core/roofline/refusal.ts';
import type { TimeView } from '../core/roofline/timeViews.ts';
import { rooflineOf } from '../core/roofline/trajectories.ts';
import type { Ceiling, Roofline, Trajectory, TrajectoryPoint } from '../core/roofline/types.ts';
import { wholeSteps } from '../core/roofline/wholeSteps.ts';
import type { RunEvent } from '../core/run/events.ts';
import type { RunSummary } from '../core/run/record.ts';
import {
  formatDuration,
  formatIntensity,
  formatNumber,
  formatRate,
  formatShare,
  notMeasured,
} from '../core/units.ts';
import { figureLines } from './figures.ts';
import { table } from './table.ts';
import { timeViewSection } from './timeViewReport.ts';

/** Every ceiling, point and segment of a run in sentences. */
export function reportInWords({ rooflines, trajectories }: RunSummary): string {
  return [
    ...rooflines.map((roofline) =>
      [
        rooflineTitle(roofline),
        ...[...roofline.compute, ...roofline.bandwidth].map((ceiling) =>
          explainCeiling(ceiling, roofline).join(' '),
        ),
      ].join('\n'),
    ),
    ...trajectories.map((trajectory) =>
      [
        trajectoryTitle(trajectory),
        ...trajectory.points.flatMap((point) => [
          ...trajectory.segments
            .filter(({ to }) => to === point.value)
            .map((segment) => explainSegment(segment, trajectory).join(' ')),
          explainPoint(point, trajectory).join(' '),
        ]),
      ].join('\n'),
    ),
  ].join('\n\n');
}

/**
 * A run's rooflines, what of its `events` the devices lack, trajectories, views of a step's time, the
 * longest work and failures as text for a terminal.
 */
export function report(
  summary: RunSummary,
  views: readonly TimeView[] = [],
  events: readonly RunEvent[] = [],
): string {
  const { rooflines, trajectories, tuning, failures } = summary;
  return [
    ...rooflines.map(rooflineSection),
    ...lackingLines(events),
    ...wholeSteps(trajectories).map((trajectory) =>
      trajectorySection(trajectory, rooflineOf(trajectory, rooflines)),
    ),
    ...views.map(timeViewSection),
    ...tuning.map(tuningLine),
    ...longestLines(events),
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
    capacityInWords(ceiling) ?? '',
    capacityInterval(ceiling) ?? '',
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
    table(
      [
        'ceiling',
        'value',
        '95 % interval',
        'capacity',
        'it lies within',
        'variant',
        'timer',
        'flags',
      ],
      rows,
    ),
    ...(ridges.length === 0 ? [] : [`ridge points: ${ridges.join('; ')}`]),
    ...figureLines(roofline),
  ].join('\n');
}

/** Precisions that a device cannot do, each with why. */
function lackingLines(events: readonly RunEvent[]): string[] {
  const samples = events.flatMap((event) => (event.kind === 'sample' ? [event.sample] : []));
  const lacking = samples.filter(({ status }) => status === 'unsupported').map(refusalInWords);
  return lacking.length === 0 ? [] : [`not on this device: ${[...new Set(lacking)].join('; ')}`];
}

/** What a watchdog would have seen of each device that was opened. */
function longestLines(events: readonly RunEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.kind !== 'longest') return [];
    const { passSeconds, submitSeconds, ...planned } = event.longest;
    const { plannedDispatchSeconds, plannedSubmitSeconds, firstRunSeconds } = planned;
    const parts = [
      ['pass', passSeconds],
      ['submit', submitSeconds],
      ['planned dispatch', plannedDispatchSeconds],
      ['planned submit', plannedSubmitSeconds],
      ['first run of a kernel', firstRunSeconds],
    ] as const;
    const told = parts.flatMap(([what, seconds]) =>
      seconds === undefined ? [] : [`${what} ${formatDuration(seconds)}`],
    );
    return [`GPU, longest: ${told.join('; ')}`];
  });
}

function rooflineTitle({ device, threads }: Roofline): string {
  const name = device.toUpperCase();
  return threads === undefined ? name : `${name}, ${threads} thread${threads === 1 ? '' : 's'}`;
}

function interval({ ciLow, ciHigh, value }: Ceiling): string {
  return `${formatShare(ciLow / value - 1)} to +${formatShare(ciHigh / value - 1)}`;
}

function trajectorySection(trajectory: Trajectory, roofline: Roofline | undefined): string {
  const { parameter, points, segments } = trajectory;
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
      otherIntensities(point, roofline),
      roofFraction === undefined ? notMeasured : formatShare(roofFraction),
      bound === undefined ? notMeasured : formatShare(bound.memory),
      [reading, ...point.flags].filter((part) => part !== '').join('; '),
    ];
  });
  const still = whyIntensityStays(parameter);
  return [
    trajectoryTitle(trajectory),
    table(
      [
        parameter,
        'step',
        'images/s',
        'rate',
        'flop/byte',
        'issued / at least',
        'of roof',
        'memory share',
        'reading',
      ],
      rows,
    ),
    ...explainTrajectory(trajectory),
    ...(still === undefined ? [] : [still]),
  ].join('\n');
}

function tuningLine(tuning: TuningSummary): string {
  const { device, model, batch } = tuning;
  return `${device.toUpperCase()} tuning of ${model} from batch ${batch}: ${explainTuning(tuning)}`;
}

/** `GPU training step, resnet8, over batch`, or a kind of calls in place of the step. */
function trajectoryTitle({ device, model, scope, parameter, fixed }: Trajectory): string {
  const what = scope === 'step' ? 'training step' : opGroupLabels[scope];
  const at = fixedInWords(fixed);
  return `${device.toUpperCase()} ${what}, ${model}, over ${parameter}${at === '' ? '' : ` at ${at}`}`;
}

function otherIntensities(point: TrajectoryPoint, roofline: Roofline | undefined): string {
  const { issued, atLeast } = intensitiesOf(point, roofline);
  return [issued, atLeast]
    .map((value) => (value === undefined ? notMeasured : formatNumber(value)))
    .join(' / ');
}
