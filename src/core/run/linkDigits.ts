import { ridgePoints } from '../roofline/attainable.ts';
import { capacityInterval, capacityInWords } from '../roofline/capacityWords.ts';
import { explainPoint } from '../roofline/explain.ts';
import { explainSegment } from '../roofline/explainSegment.ts';
import { intensitiesOf } from '../roofline/intensities.ts';
import { rooflineOf } from '../roofline/trajectories.ts';
import type { Roofline, Trajectory } from '../roofline/types.ts';
import { wholeSteps } from '../roofline/wholeSteps.ts';
import { formatDuration, formatNumber, formatRate, formatShare } from '../units.ts';
import type { RunSummary } from './record.ts';

/** Significant digits of a link's numbers: one count a roofline, and one a point of each trajectory. */
export interface LinkDigits {
  readonly rooflines: readonly number[];
  readonly points: readonly (readonly number[])[];
}

const fewestDigits = 4;
/** What still differs then lies on the very edge between two figures. */
const mostDigits = 9;

type Summary = Pick<RunSummary, 'rooflines' | 'trajectories'>;

/** As few as a link begins with: one more than is shown. */
export function fewest({ rooflines, trajectories }: Summary): LinkDigits {
  return {
    rooflines: rooflines.map(() => fewestDigits),
    points: wholeSteps(trajectories).map(({ points }) => points.map(() => fewestDigits)),
  };
}

/**
 * One digit more wherever the page would show another figure of what is read than of what was written;
 * undefined where it shows the same.
 */
export function refined(
  digits: LinkDigits,
  written: Summary,
  read: Summary,
): LinkDigits | undefined {
  const rooflines = written.rooflines.map((roofline, index) =>
    differs(rooflineFigures(roofline), rooflineFigures(read.rooflines[index])),
  );
  const steps = wholeSteps(written.trajectories);
  const readSteps = wholeSteps(read.trajectories);
  const points = steps.map(({ points: own }) => own.map(() => false));
  for (const [at, trajectory] of steps.entries()) {
    const roofline = rooflineOf(trajectory, written.rooflines);
    const readTrajectory = readSteps[at];
    const readRoofline = readTrajectory && rooflineOf(readTrajectory, read.rooflines);
    for (const place of trajectory.points.keys()) {
      const figures = pointFigures(trajectory, place, roofline);
      if (differs(figures, pointFigures(readTrajectory, place, roofline))) {
        points[at]![place] = true;
        // What is said of the way to a point is of the one before it too.
        if (place > 0) points[at]![place - 1] = true;
      } else if (differs(figures, pointFigures(readTrajectory, place, readRoofline)))
        rooflines[written.rooflines.indexOf(roofline!)] = true;
    }
  }
  const next = {
    rooflines: more(digits.rooflines, rooflines),
    points: digits.points.map((own, at) => more(own, points[at]!)),
  };
  const total = ({ rooflines: own, points: rest }: LinkDigits): number =>
    [...own, ...rest.flat()].reduce((sum, each) => sum + each, 0);
  return total(next) === total(digits) ? undefined : next;
}

function more(digits: readonly number[], wanted: readonly boolean[]): readonly number[] {
  return digits.map((own, index) => (wanted[index] ? Math.min(mostDigits, own + 1) : own));
}

type Figures = readonly (string | undefined)[];

function differs(before: Figures, after: Figures): boolean {
  return before.some((figure, index) => figure !== after[index]);
}

/** Every figure that the page shows of a roofline. */
function rooflineFigures(roofline: Roofline | undefined): Figures {
  if (roofline === undefined) return [];
  const { compute, bandwidth } = roofline;
  return [
    ...[...compute, ...bandwidth].flatMap((ceiling) => [
      formatRate(ceiling.value, ceiling.unit),
      formatRate(ceiling.ciLow, ceiling.unit),
      formatRate(ceiling.ciHigh, ceiling.unit),
      capacityInWords(ceiling),
      capacityInterval(ceiling),
    ]),
    ...ridgePoints(compute, bandwidth).map(({ intensity }) => formatNumber(intensity)),
  ];
}

/** The same of a point under a roofline, in the table and in words. */
function pointFigures(
  trajectory: Trajectory | undefined,
  place: number,
  roofline: Roofline | undefined,
): Figures {
  const point = trajectory?.points[place];
  if (point?.status !== 'ok') return [];
  const { seconds, ciLow, ciHigh, bound } = point;
  const { issued, atLeast } = intensitiesOf(point, roofline);
  const segment = trajectory?.segments.find(({ to }) => to === point.value);
  return [
    ...[seconds, ciLow, ciHigh].map(formatDuration),
    shown(point.coldSeconds, formatDuration),
    shown(issued, formatNumber),
    shown(atLeast, formatNumber),
    shown(bound?.compute, formatShare),
    shown(bound?.memory, formatShare),
    ...explainPoint(point, trajectory!),
    ...(segment ? explainSegment(segment, trajectory!) : []),
  ];
}

function shown(value: number | undefined, text: (value: number) => string): string | undefined {
  return value === undefined ? undefined : text(value);
}
