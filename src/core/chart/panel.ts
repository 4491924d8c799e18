import type { DeviceKind } from '../run/config.ts';
import { opGroupLabels, type OpGroup } from '../nn/opGroups.ts';
import { parameterLabel } from '../roofline/parameterWords.ts';
import type { SweepParameter } from '../run/config.ts';
import type { RunSummary } from '../run/record.ts';
import { computeRoof, memoryRoof } from '../roofline/attainable.ts';
import { explainCeiling, explainPoint } from '../roofline/explain.ts';
import { explainSegment } from '../roofline/explainSegment.ts';
import { flags } from '../roofline/flags.ts';
import { intensitiesOf, type Intensities } from '../roofline/intensities.ts';
import type { KneePoint } from '../roofline/knee.ts';
import type {
  Ceiling,
  Roofline,
  Trajectory,
  TrajectoryPoint,
  TrajectorySegment,
} from '../roofline/types.ts';
import { wholeSteps } from '../roofline/wholeSteps.ts';
import { formatNumber, formatRate, formatShare } from '../units.ts';

/** What a line is: the device's roof, an inner memory level, another precision, a part of its threads. */
export type CeilingRole = 'roof' | 'level' | 'precision' | 'part';

/** A 95 % interval in flop/s, or byte/s. */
export interface Band {
  readonly low: number;
  readonly high: number;
}

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
  readonly band?: Band;
  /** Where it ends against the other kind of ceiling, in flop/byte; absent: at the frame. */
  readonly ridge?: number;
  /** What it says to who points at it. */
  readonly reading: string;
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

/** What a whisker ends at: intensity by the bytes that the kernels' code moves, or by the most that can have been moved. */
export type WhiskerKind = 'issued' | 'bound';

/** From a point to its intensity by other bytes. */
export interface Whisker {
  readonly kind: WhiskerKind;
  readonly label: string;
  /** What it adds to the point's own reading. */
  readonly reading: string;
  /** flop/byte */
  readonly intensity: number;
}

/** A good point of a trajectory. */
export interface TrajectoryMark extends ChartMark {
  /** Value of the parameter. */
  readonly value: number;
  readonly band?: Band;
  /** Its intensity by other bytes than the algorithmic ones, where they are known. */
  readonly whiskers: readonly Whisker[];
  /** Faster than the roof allows: drawn where it is, and flagged. */
  readonly aboveRoof: boolean;
}

/** The mixed kernel at one intensity: the roof itself, measured. */
export interface KneeMark extends ChartMark {
  readonly band: Band;
}

/** The calls of one kind at a point of the main trajectory. */
export interface KernelMark extends ChartMark {
  readonly kind: OpGroup;
  /** Of the time of all calls, 0 to 1. */
  readonly share: number;
  /** At the end of its kind's own trajectory. */
  readonly last: boolean;
}

export interface TrajectoryLine {
  readonly parameter: SweepParameter;
  /** The one that is shown by default. */
  readonly main: boolean;
  readonly marks: readonly TrajectoryMark[];
  /** What happened between each mark and the next, in the middle of the two. */
  readonly segments: readonly ChartMark[];
}

/** Everything that one device's chart draws. Made from the summary that the tables show. */
export interface ChartPanel {
  readonly device: DeviceKind;
  readonly ceilings: readonly CeilingLine[];
  readonly ridges: readonly RidgeMark[];
  readonly trajectories: readonly TrajectoryLine[];
  /** Rising intensity. */
  readonly knee: readonly KneeMark[];
  /** Kind by kind, each along the parameter. */
  readonly kernels: readonly KernelMark[];
  /** In a chart of several panels: what it is called there, and which of the accent colours is its. */
  readonly overlay?: { readonly name: string; readonly accent: Accent };
}

export const accents = [0, 1, 2, 3, 4, 5] as const;
export type Accent = (typeof accents)[number];

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
  const own = wholeSteps(trajectories).filter((trajectory) => trajectory.device === device);
  const main = own.find(({ parameter }) => parameter === 'batch') ?? own[0];
  return {
    device,
    ceilings: drawn.flatMap(ceilingLines),
    ridges: drawn.flatMap(ridgeMarks),
    trajectories: own
      .map((trajectory) => trajectoryLine(trajectory, trajectory === main, whole))
      .filter(({ marks }) => marks.length > 0),
    knee: whole?.knee?.points.map(kneeMark) ?? [],
    kernels: main ? kernelMarks(main, trajectories) : [],
  };
}

/** The ceilings of a roofline that the chart draws. */
interface DrawnRoofline {
  readonly roofline: Roofline;
  /** The best f32 one. */
  readonly compute: Ceiling | undefined;
  readonly precisions: readonly Ceiling[];
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
    // Integers do no floating-point operations: they have no place over flop/byte.
    precisions: roofline.compute.filter(
      (ceiling) => ceiling !== compute && ceiling.unit === 'flop/s',
    ),
    bandwidth: roofline.bandwidth,
    labelPrefix: '',
    roleOf: (ceiling) => {
      if (ceiling === compute || ceiling === memory) return 'roof';
      return ceiling.unit === 'byte/s' ? 'level' : 'precision';
    },
  };
}

function drawPart(roofline: Roofline): DrawnRoofline {
  return {
    roofline,
    compute: computeRoof(roofline, 'f32'),
    precisions: [],
    bandwidth: roofline.bandwidth.slice(-1),
    labelPrefix: roofline.threads === 1 ? '1 thread: ' : `${roofline.threads} threads: `,
    roleOf: () => 'part',
  };
}

function ceilingLines(drawn: DrawnRoofline): readonly CeilingLine[] {
  const { roofline, compute, precisions, bandwidth, labelPrefix, roleOf } = drawn;
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
      band: { low: ceiling.ciLow, high: ceiling.ciHigh },
      ...(ridge !== undefined && { ridge }),
      reading: `${labelPrefix}${explainCeiling(ceiling, roofline).join(' ')}`,
    };
  };
  return [
    ...(compute ? [line(compute, 'compute', bandwidth[0])] : []),
    ...precisions.map((ceiling) => line(ceiling, 'compute', undefined)),
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

function trajectoryLine(
  trajectory: Trajectory,
  main: boolean,
  roofline: Roofline | undefined,
): TrajectoryLine {
  const { parameter, points, segments } = trajectory;
  const marks = points
    .filter(({ status }) => status === 'ok')
    .map((point) => trajectoryMark(point, trajectory, roofline));
  return {
    parameter,
    main,
    marks,
    segments: segments.flatMap((segment) => {
      const ends = [segment.from, segment.to].flatMap(
        (value) => marks.find((mark) => mark.value === value) ?? [],
      );
      return ends.length < 2 ? [] : [segmentMark(segment, trajectory, ends)];
    }),
  };
}

/** Half-way on the chart's axes, which are logarithmic. */
function segmentMark(
  segment: TrajectorySegment,
  trajectory: Trajectory,
  ends: readonly ChartMark[],
): ChartMark {
  const middle = (of: (mark: ChartMark) => number): number =>
    Math.sqrt(ends.reduce((product, mark) => product * of(mark), 1));
  return {
    label: segment.reading,
    reading: explainSegment(segment, trajectory).join(' '),
    intensity: middle(({ intensity }) => intensity),
    flopsPerSecond: middle(({ flopsPerSecond }) => flopsPerSecond),
  };
}

function trajectoryMark(
  point: TrajectoryPoint,
  trajectory: Trajectory,
  roofline: Roofline | undefined,
): TrajectoryMark {
  const { value, intensity, flopsPerSecond, executedFlops, ciLow, ciHigh } = point;
  return {
    value,
    label: parameterLabel(trajectory.parameter, value),
    reading: explainPoint(point, trajectory).join(' '),
    intensity,
    flopsPerSecond,
    band: { low: executedFlops / ciHigh, high: executedFlops / ciLow },
    whiskers: whiskersOf(intensitiesOf(point, roofline)),
    aboveRoof: point.flags.includes(flags.aboveRoof),
  };
}

function whiskersOf({ issued, atLeast }: Intensities): readonly Whisker[] {
  const whiskers: Whisker[] = [];
  if (issued !== undefined) {
    const number = formatNumber(issued);
    const reading = `By every load and store of the kernels' code it is ${number} FLOP/byte.`;
    whiskers.push({ kind: 'issued', label: `issued ${number}`, reading, intensity: issued });
  }
  if (atLeast !== undefined) {
    const number = formatNumber(atLeast);
    const reading = `By what memory can have moved in that time it is ${number} FLOP/byte at least.`;
    whiskers.push({ kind: 'bound', label: `at least ${number}`, reading, intensity: atLeast });
  }
  return whiskers;
}

/** Of each kind of calls that do floating-point work: the others have no place on a roofline. */
function kernelMarks(main: Trajectory, all: readonly Trajectory[]): KernelMark[] {
  return all.flatMap((trajectory): KernelMark[] => {
    const { scope } = trajectory;
    if (scope === 'step' || !isSameSweep(trajectory, main)) return [];
    const marks = trajectory.points.flatMap((point) => kernelMark(point, trajectory, scope));
    const last = marks.at(-1);
    return last === undefined ? [] : [...marks.slice(0, -1), { ...last, last: true }];
  });
}

function kernelMark(
  { status, value, intensity, flopsPerSecond, timeShare, roofFraction }: TrajectoryPoint,
  { parameter }: Trajectory,
  kind: OpGroup,
): KernelMark[] {
  if (status !== 'ok' || timeShare === undefined || flopsPerSecond === 0) return [];
  const label = opGroupLabels[kind];
  const roof = roofFraction === undefined ? '' : `, ${formatShare(roofFraction)} of its roof`;
  const reading =
    `At ${parameterLabel(parameter, value)} calls of the kind "${label}" take ` +
    `${formatShare(timeShare)} of the time: ${formatRate(flopsPerSecond, 'flop/s')} at ` +
    `${formatNumber(intensity)} FLOP/byte${roof}.`;
  return [{ kind, label, reading, intensity, flopsPerSecond, share: timeShare, last: false }];
}

function isSameSweep(a: Trajectory, b: Trajectory): boolean {
  return sweepOf(a) === sweepOf(b);
}

/** Equal for trajectories of one sweep, whatever calls they are of. */
function sweepOf({ device, deviceId, model, parameter, fixed }: Trajectory): string {
  return JSON.stringify([device, deviceId, model, parameter, fixed]);
}

function kneeMark({ intensity, value, ciLow, ciHigh, roof, shortfall }: KneePoint): KneeMark {
  const rate = formatRate(value, 'flop/s');
  const below =
    roof === undefined || shortfall === undefined
      ? ''
      : ` The ceilings allow ${formatRate(roof, 'flop/s')} there: it ${shortfall < 0 ? `is ${formatShare(-shortfall)} above` : `stays ${formatShare(shortfall)} below`}.`;
  return {
    label: `knee ${formatNumber(intensity)}`,
    reading: `A kernel of ${formatNumber(intensity)} FLOP/byte reaches ${rate}.${below}`,
    intensity,
    flopsPerSecond: value,
    band: { low: ciLow, high: ciHigh },
  };
}

/** Every point of the panel that can be read: ridge points, trajectory points, knee, kernels. */
export function panelMarks(panel: ChartPanel): readonly ChartMark[] {
  const { ridges, trajectories, knee, kernels } = panel;
  return [...ridges, ...trajectories.flatMap(({ marks }) => marks), ...knee, ...kernels];
}
