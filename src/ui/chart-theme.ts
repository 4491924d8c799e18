import { chartColors } from '../core/chart/scene.ts';
import type { ChartTheme } from '../core/chart/svg.ts';

/** Reads the theme that is in force at `element`; read again when the colour scheme changes. */
export function readChartTheme(element: Element): ChartTheme {
  const style = getComputedStyle(element);
  const colors = chartColors.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]);
  return { ...(Object.fromEntries(colors) as ChartTheme), font: style.fontFamily };
}
