import { closeRange, decadeRange, type Range } from './axis.ts';
import type { ChartPanel, TrajectoryMark } from './panel.ts';

/** The part of the plane that a chart shows: x in flop/byte, y in flop/s. */
export interface Frame {
  readonly x: Range;
  readonly y: Range;
}

/** `roof`: all of it, in whole decades. `trajectory`: close around the trajectories. */
export type ChartView = 'roof' | 'trajectory';

const emptyFrame: Frame = { x: { min: 0.1, max: 1000 }, y: { min: 1e9, max: 1e12 } };
/** Room above the highest line for its label. */
const headroom = 1.25;

/** One frame for all the panels of a run, so that their charts can be compared by eye. */
export function roofFrame(panels: readonly ChartPanel[]): Frame {
  const marks = panels.flatMap((panel) => [
    ...panel.ridges,
    ...panel.kernels,
    ...panel.trajectories.flatMap(({ marks: own }) => own.flatMap(withWhiskerEnds)),
  ]);
  const roofs = panels.flatMap(({ ceilings }) =>
    ceilings.filter(({ kind }) => kind === 'compute').map(({ value }) => value),
  );
  const speeds = [...roofs, ...marks.map(({ flopsPerSecond }) => flopsPerSecond)];
  return {
    x: decadeRange(
      marks.map(({ intensity }) => intensity),
      3,
      emptyFrame.x,
    ),
    y: decadeRange([...speeds, ...speeds.map((speed) => speed * headroom)], 2, emptyFrame.y),
  };
}

/** The trajectories of one panel, with the roof above them. */
export function trajectoryFrame(panel: ChartPanel): Frame {
  const marks = [
    ...panel.kernels,
    ...panel.trajectories.flatMap(({ marks: own }) => own.flatMap(withWhiskerEnds)),
  ];
  const roof = marks.flatMap(({ intensity }) => attainableAt(panel, intensity));
  return {
    x: closeRange(
      marks.map(({ intensity }) => intensity),
      1.4,
      emptyFrame.x,
    ),
    y: closeRange(
      [...marks.map(({ flopsPerSecond }) => flopsPerSecond), ...roof],
      1.7,
      emptyFrame.y,
    ),
  };
}

/** A mark, and where its whiskers end. */
function withWhiskerEnds(mark: TrajectoryMark): readonly FramedPoint[] {
  const { flopsPerSecond, whiskers } = mark;
  return [mark, ...whiskers.map(({ intensity }) => ({ intensity, flopsPerSecond }))];
}

type FramedPoint = Pick<TrajectoryMark, 'intensity' | 'flopsPerSecond'>;

/** The lowest of the roof's own two ceilings at an intensity; empty before both are measured. */
function attainableAt({ ceilings }: ChartPanel, intensity: number): readonly number[] {
  const roof = ceilings.filter(({ role }) => role === 'roof');
  if (roof.length < 2) return [];
  return [
    Math.min(...roof.map(({ kind, value }) => (kind === 'compute' ? value : value * intensity))),
  ];
}
