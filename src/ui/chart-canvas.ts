import type { Plot } from '../core/chart/plot.ts';
import {
  shapeCorners,
  textSize,
  type Scene,
  type SceneMark,
  type SceneShape,
  type SceneText,
} from '../core/chart/scene.ts';
import type { Point } from '../core/chart/geometry.ts';
import type { ChartTheme } from '../core/chart/svg.ts';

/** Draws a scene, clipped to the plot; the context's origin is the plot's top left corner. */
export function paintScene(
  context: CanvasRenderingContext2D,
  { width, height }: Pick<Plot, 'width' | 'height'>,
  scene: Scene,
  theme: ChartTheme,
): void {
  context.save();
  context.beginPath();
  context.rect(0, 0, width, height);
  context.clip();
  context.lineJoin = 'round';
  for (const mark of scene) paintMark(context, mark, theme);
  context.restore();
}

/** Widths of texts in a font family, as a canvas sets them. */
export function canvasTextWidth(context: CanvasRenderingContext2D, font: string) {
  return (text: string, bold: boolean): number => {
    context.font = fontOf(bold, font);
    return context.measureText(text).width;
  };
}

function fontOf(bold: boolean, font: string): string {
  return `${bold ? '600 ' : ''}${textSize}px ${font}`;
}

function paintMark(context: CanvasRenderingContext2D, mark: SceneMark, theme: ChartTheme): void {
  switch (mark.kind) {
    case 'path':
      trace(context, mark.points);
      context.strokeStyle = theme[mark.color];
      context.lineWidth = mark.width;
      context.setLineDash([...mark.dash]);
      context.stroke();
      context.setLineDash([]);
      break;
    case 'area':
      trace(context, mark.points);
      context.fillStyle = theme[mark.color];
      context.globalAlpha = mark.opacity;
      context.fill();
      context.globalAlpha = 1;
      break;
    case 'shape':
      paintShape(context, mark, theme);
      break;
    case 'text':
      paintText(context, mark, theme);
      break;
  }
}

function trace(context: CanvasRenderingContext2D, points: readonly Point[]): void {
  context.beginPath();
  for (const { x, y } of points) context.lineTo(x, y);
}

function paintShape(
  context: CanvasRenderingContext2D,
  { shape, x, y, size, angle, fill, stroke, width }: SceneShape,
  theme: ChartTheme,
): void {
  context.save();
  context.translate(x, y);
  context.rotate(angle);
  if (shape === 'circle') {
    context.beginPath();
    context.arc(0, 0, size, 0, 2 * Math.PI);
  } else {
    trace(context, shapeCorners(shape, size));
    context.closePath();
  }
  if (fill) {
    context.fillStyle = theme[fill];
    context.fill();
  }
  if (stroke) {
    context.strokeStyle = theme[stroke];
    context.lineWidth = width;
    context.stroke();
  }
  context.restore();
}

function paintText(
  context: CanvasRenderingContext2D,
  { text, x, y, angle, bold, color }: SceneText,
  theme: ChartTheme,
): void {
  context.save();
  context.font = fontOf(bold, theme.font);
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.translate(x, y);
  context.rotate(angle);
  context.strokeStyle = theme.surface;
  context.lineWidth = 3;
  context.strokeText(text, 0, 0);
  context.fillStyle = theme[color];
  context.fillText(text, 0, 0);
  context.restore();
}
