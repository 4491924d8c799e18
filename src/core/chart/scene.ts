import type { Point } from './geometry.ts';

/** Colours by what they mean; a theme gives each its value. */
export const chartColors = [
  'surface',
  'ink',
  'muted',
  'hairline',
  'shade',
  'work',
  'parallelism',
  'flag',
  'accent-0',
  'accent-1',
  'accent-2',
  'accent-3',
  'accent-4',
  'accent-5',
] as const;
export type ChartColor = (typeof chartColors)[number];

export interface ScenePath {
  readonly kind: 'path';
  /** What the line is of: the SVG names it, so that its numbers can be read back. */
  readonly series?: string;
  readonly points: readonly Point[];
  readonly color: ChartColor;
  readonly width: number;
  readonly dash: readonly number[];
}

export interface SceneArea {
  readonly kind: 'area';
  readonly points: readonly Point[];
  readonly color: ChartColor;
  readonly opacity: number;
}

/** A shape about its centre; `size` is half its width. */
export interface SceneShape extends Point {
  readonly kind: 'shape';
  readonly shape: 'circle' | 'square' | 'diamond' | 'arrow';
  readonly size: number;
  readonly angle: number;
  readonly fill?: ChartColor;
  readonly stroke?: ChartColor;
  readonly width: number;
}

/** A text about its centre, with a halo in the surface's colour that keeps it readable on lines. */
export interface SceneText extends Point {
  readonly kind: 'text';
  readonly text: string;
  readonly angle: number;
  readonly bold: boolean;
  readonly color: ChartColor;
}

export type SceneMark = ScenePath | SceneArea | SceneShape | SceneText;

/** What a chart draws, back to front, in pixels: the canvas and the SVG are both made from it. */
export type Scene = readonly SceneMark[];

/** Size of all texts in the plot, in pixels. */
export const textSize = 11.5;

/** Corners of a shape that has some, about its centre, before it is turned. */
export function shapeCorners(shape: Exclude<SceneShape['shape'], 'circle'>, size: number): Point[] {
  switch (shape) {
    case 'square':
      return [
        { x: -size, y: -size },
        { x: size, y: -size },
        { x: size, y: size },
        { x: -size, y: size },
      ];
    case 'diamond':
      return [
        { x: 0, y: -size },
        { x: size, y: 0 },
        { x: 0, y: size },
        { x: -size, y: 0 },
      ];
    case 'arrow':
      return [
        { x: size, y: 0 },
        { x: -0.8 * size, y: -0.8 * size },
        { x: -0.8 * size, y: 0.8 * size },
      ];
  }
}
