import { fixedInWords, parameterLabel } from '../roofline/parameterWords.ts';
import type { Ceiling, Trajectory } from '../roofline/types.ts';
import type { DeviceKind } from '../run/config.ts';
import type { RunSummary } from '../run/record.ts';
import { roofOf, trajectoriesOf, wholeRoofline } from './comparedRun.ts';

/** Kinds of figures that scatter alike from run to run. */
export const figureGroups = ['compute', 'bandwidth', 'ridge', 'training'] as const;
export type FigureGroup = (typeof figureGroups)[number];

/** One number of a run that another run may have too. Larger is faster, but for a ridge. */
export interface Figure {
  /** Equal for the same quantity of two runs. */
  readonly key: string;
  readonly device: DeviceKind;
  readonly group: FigureGroup;
  readonly label: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly unit: 'flop/s' | 'op/s' | 'byte/s' | 'flop/byte' | 'images/s';
}

/** The figures of a summary that can be set against another run's, in the order of the tables. */
export function figuresOf(summary: RunSummary): readonly Figure[] {
  return (['gpu', 'cpu'] as const).flatMap((device) =>
    ceilingFigures(summary, device).concat(
      ridgeFigure(summary, device),
      trajectoriesOf(summary, device).flatMap(trainingFigures),
    ),
  );
}

function ceilingFigures(summary: RunSummary, device: DeviceKind): readonly Figure[] {
  const roofline = wholeRoofline(summary, device);
  if (roofline === undefined) return [];
  const figure = (ceiling: Ceiling, group: FigureGroup): Figure => ({
    key: `${device}.${ceiling.id}`,
    device,
    group,
    label: ceiling.label,
    value: ceiling.value,
    low: ceiling.ciLow,
    high: ceiling.ciHigh,
    unit: ceiling.unit,
  });
  return [
    ...roofline.compute.map((ceiling) => figure(ceiling, 'compute')),
    ...roofline.bandwidth.map((ceiling) => figure(ceiling, 'bandwidth')),
  ];
}

/** The roof's own ridge point; its interval is that of a quotient of independent intervals. */
function ridgeFigure(summary: RunSummary, device: DeviceKind): readonly Figure[] {
  const roof = roofOf(summary, device);
  if (roof === undefined) return [];
  const { compute, memory, ridge } = roof;
  const halfWidth = Math.hypot(
    Math.log(compute.ciHigh / compute.ciLow) / 2,
    Math.log(memory.ciHigh / memory.ciLow) / 2,
  );
  return [
    {
      key: `${device}.ridge`,
      device,
      group: 'ridge',
      label: 'ridge point',
      value: ridge,
      low: ridge * Math.exp(-halfWidth),
      high: ridge * Math.exp(halfWidth),
      unit: 'flop/byte',
    },
  ];
}

function trainingFigures(trajectory: Trajectory): readonly Figure[] {
  const { device, model, parameter, fixed, points } = trajectory;
  const constant = fixedInWords(fixed);
  return points
    .filter(({ status }) => status === 'ok')
    .map(({ value, imagesPerSecond, seconds, ciLow, ciHigh }) => ({
      key: `${device}.${model}.${parameter}.${value}.${JSON.stringify(fixed)}`,
      device,
      group: 'training',
      label: [
        `${model} training`,
        parameterLabel(parameter, value),
        ...(constant ? [constant] : []),
      ].join(', '),
      value: imagesPerSecond,
      low: (imagesPerSecond * seconds) / ciHigh,
      high: (imagesPerSecond * seconds) / ciLow,
      unit: 'images/s',
    }));
}
