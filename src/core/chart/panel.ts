import type { DeviceKind } from '../run/config.ts';
import { parameterLabel } from '../roofline/parameterWords.ts';
import type { SweepParameter } from '../run/config.ts';
import type { RunSummary } from '../run/record.ts';
import { computeRoof, memoryRoof } from '../roofline/attainable.ts';
import { explainPoint } from '../roofline/explain.ts';
import { flags } from '../roofline/flags.ts';
import type { Ceiling, Roofline, Trajectory } from '../roofline/types.ts';
import { formatNumber, formatRate } from '../units.ts';

/** How much a line matters: the device's roof, an inner memory level, or a part of its threads. */
export type CeilingRole = 'roof' | 'level' | 'part';

/** A ceiling on the chart: flat for arithmetic, diagonal for bandwidth. */
export interface CeilingLine {
  readonly id: string;
  readonly label: string;
  /** The label where room is short. */
  readonly rate: string;
  readonly kind: 'compute' | 'bandwidth';
  readonly role: CeilingRole;
  /** flop/s, or byte/s */
  readonly value: number;
  /** Where it ends against the other kind of ceiling, in flop/byte; absent: at the frame. */
  readonly ridge?: number;
}

/** A point with a place on the chart. */
export interface ChartMark {
  readonly label: string;
  /** What it says to who points at it. */
  readonly reading: string;
  /** flop/byte */
  readonly intensity: number;
  readonly flopsPerSecond: number;
}

/** Where a bandwidth ceiling meets a compute ceiling. */
export interface RidgeMark extends ChartMark {
  readonly role: CeilingRole;
}

/** A good point of a trajectory. */
export interface TrajectoryMark extends ChartMark {
  /** Value of the parameter. */
  readonly value: number;
  /** Faster than the roof allows: drawn where it is, and flagged. */
  readonly aboveRoof: boolean;
}

export interface TrajectoryLine {
  readonly parameter: SweepParameter;
  readonly marks: readonly TrajectoryMark[];
}

/** Everything that one device's chart draws. Made from the summary that the tables show. */
export interface ChartPanel {
  readonly device: DeviceKind;
  readonly ceilings: readonly CeilingLine[];
  readonly ridges: readonly RidgeMark[];
  readonly trajectories: readonly TrajectoryLine[];
}

/** The chart of one device; empty lists where nothing was measured yet. */
export function chartPanel(
  { rooflines, trajectories }: Pick<RunSummary, 'rooflines' | 'trajectories'>,
  device: DeviceKind,
): ChartPanel {
  // The roofline of the whole device: on a CPU the one with the most threads.
  const [whole, ...parts] = rooflines
    .filter((roofline) => roofline.device === device)
    .toSorted((a, b) => (b.threads ?? 0) - (a.threads ?? 0));
  const drawn = [...(whole ? [drawWhole(whole)] : []), ...parts.map(drawPart)];
  return {
    device,
    ceilings: drawn.flatMap(ceilingLines),
    ridges: drawn.flatMap(ridgeMarks),
    trajectories: trajectories
      .filter((trajectory) => trajectory.device === device)
      .map(trajectoryLine)
      .filter(({ marks }) => marks.length > 0),
  };
}

/** The ceilings of a roofline that the chart draws: the best f32 one and some memory levels. */
interface DrawnRoofline {
  readonly roofline: Roofline;
  readonly compute: Ceiling | undefined;
  /** Fastest first. */
  readonly bandwidth: readonly Ceiling[];
  readonly labelPrefix: string;
  readonly roleOf: (ceiling: Ceiling) => CeilingRole;
}

function drawWhole(roofline: Roofline): DrawnRoofline {
  const compute = computeRoof(roofline, 'f32');
  const memory = memoryRoof(roofline);
  return {
    roofline,
    compute,
    bandwidth: roofline.bandwidth,
    labelPrefix: '',
    roleOf: (ceiling) => (ceiling === compute || ceiling === memory ? 'roof' : 'level'),
  };
}

function drawPart(roofline: Roofline): DrawnRoofline {
  return {
    roofline,
    compute: computeRoof(roofline, 'f32'),
    bandwidth: roofline.bandwidth.slice(-1),
    labelPrefix: roofline.threads === 1 ? '1 thread: ' : `${roofline.threads} threads: `,
    roleOf: () => 'part',
  };
}

function ceilingLines(drawn: DrawnRoofline): readonly CeilingLine[] {
  const { compute, bandwidth, labelPrefix, roleOf } = drawn;
  const line = (
    ceiling: Ceiling,
    kind: CeilingLine['kind'],
    met: Ceiling | undefined,
  ): CeilingLine => {
    const ridge = met && ridgeIntensity(drawn, kind === 'compute' ? met : ceiling);
    const rate = formatRate(ceiling.value, ceiling.unit);
    return {
      id: ceiling.id,
      label: `${labelPrefix}${ceiling.label} ${rate}`,
      rate,
      kind,
      role: roleOf(ceiling),
      value: ceiling.value,
      ...(ridge !== undefined && { ridge }),
    };
  };
  return [
    ...(compute ? [line(compute, 'compute', bandwidth[0])] : []),
    ...bandwidth.map((ceiling) => line(ceiling, 'bandwidth', compute)),
  ];
}

/** Where a bandwidth ceiling meets the drawn compute ceiling, in flop/byte. */
function ridgeIntensity(
  { roofline, compute }: DrawnRoofline,
  bandwidth: Ceiling,
): number | undefined {
  return roofline.ridge.find(
    (ridge) => ridge.compute === compute?.id && ridge.bandwidth === bandwidth.id,
  )?.intensity;
}

function ridgeMarks(drawn: DrawnRoofline): readonly RidgeMark[] {
  const { compute, bandwidth, roleOf } = drawn;
  return bandwidth.flatMap((ceiling) => {
    const intensity = ridgeIntensity(drawn, ceiling);
    if (!compute || intensity === undefined) return [];
    const label = `ridge ${formatNumber(intensity)}`;
    const reading =
      `At ${formatNumber(intensity)} FLOP/byte ${ceiling.label} and ${compute.label} meet: ` +
      'left of it bytes hold a program back, right of it arithmetic.';
    return [{ role: roleOf(ceiling), label, reading, intensity, flopsPerSecond: compute.value }];
  });
}

function trajectoryLine(trajectory: Trajectory): TrajectoryLine {
  const { parameter, points } = trajectory;
  return {
    parameter,
    marks: points
      .filter(({ status }) => status === 'ok')
      .map((point) => ({
        value: point.value,
        label: parameterLabel(parameter, point.value),
        reading: explainPoint(point, trajectory).join(' '),
        intensity: point.intensity,
        flopsPerSecond: point.flopsPerSecond,
        aboveRoof: point.flags.includes(flags.aboveRoof),
      })),
  };
}

/** The chart in words, for those who do not see it. */
export function describePanel({ device, ceilings, ridges, trajectories }: ChartPanel): string {
  if (ceilings.length === 0 && trajectories.length === 0)
    return `${device.toUpperCase()} roofline chart, nothing measured yet.`;
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
  return `${device.toUpperCase()} roofline chart. Ceilings: ${lines}.${ridge}${paths.join('')} The tables hold every number.`;
}

/** Every point of the panel that can be read: ridge points, then trajectory points. */
export function panelMarks({ ridges, trajectories }: ChartPanel): readonly ChartMark[] {
  return [...ridges, ...trajectories.flatMap(({ marks }) => marks)];
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
