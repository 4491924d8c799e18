import { decadeRange } from '../chart/axis.ts';
import type { Frame } from '../chart/frame.ts';

/** A point of an overlay: flop/byte and flop/s, and what it says to who points at it. */
export interface FigureMark {
  readonly intensity: number;
  readonly flopsPerSecond: number;
  readonly label: string;
}

/** One roofline among several in a figure. */
export interface FigureSeries {
  readonly id: string;
  readonly label: string;
  /** Its place among the colours and shapes, from 0. */
  readonly style: number;
  /** flop/s; absent without that ceiling. */
  readonly compute?: number;
  /** byte/s */
  readonly memory?: number;
  /** One path a trajectory. */
  readonly paths: readonly (readonly FigureMark[])[];
}

const emptyFrame: Frame = { x: { min: 0.1, max: 1000 }, y: { min: 1e9, max: 1e12 } };

/** Whole decades around the roofs, their ridge points and the marks of all series. */
export function figureFrame(series: readonly FigureSeries[]): Frame {
  const marks = series.flatMap(({ paths }) => paths.flat());
  const ridges = series.flatMap(({ compute, memory }) =>
    compute === undefined || memory === undefined ? [] : [compute / memory],
  );
  const roofs = series.flatMap(({ compute }) =>
    compute === undefined ? [] : [compute, compute * 1.25],
  );
  return {
    x: decadeRange([...marks.map(({ intensity }) => intensity), ...ridges], 3, emptyFrame.x),
    y: decadeRange(
      [...marks.map(({ flopsPerSecond }) => flopsPerSecond), ...roofs],
      2,
      emptyFrame.y,
    ),
  };
}
