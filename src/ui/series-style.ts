import { css, svg, type SVGTemplateResult } from 'lit';

/** Colours, dashes and shapes of series: each tells them apart alone. */
const dashes = ['', '7 4', '2 3', '9 3 2 3', '14 5', '1 4'] as const;

/** The line of a series. */
export function seriesDash(style: number): string {
  return dashes[style % dashes.length] ?? '';
}

/** The class that colours a series, by `seriesColors`. */
export function seriesClass(style: number): string {
  return `series-${style % dashes.length}`;
}

/** A mark of a series: circle, square, triangle, diamond, plus, cross. */
export function seriesMark(style: number, x: number, y: number, radius = 4): SVGTemplateResult {
  const r = radius;
  const path = [
    `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`,
    `M${x - r} ${y - r}h${2 * r}v${2 * r}h${-2 * r}z`,
    `M${x} ${y - r * 1.2}l${r * 1.2} ${r * 2.1}h${-2.4 * r}z`,
    `M${x} ${y - r * 1.4}l${r * 1.4} ${r * 1.4}l${-r * 1.4} ${r * 1.4}l${-r * 1.4} ${-r * 1.4}z`,
    `M${x - r * 1.3} ${y}h${2.6 * r}M${x} ${y - r * 1.3}v${2.6 * r}`,
    `M${x - r} ${y - r}l${2 * r} ${2 * r}M${x + r} ${y - r}l${-2 * r} ${2 * r}`,
  ][style % dashes.length];
  return svg`<path d=${path ?? ''} class="mark" />`;
}

/** The page's accent colours, which stay apart for colour-blind eyes. */
export const seriesColors = css`
  .series-0 {
    color: var(--accent-0);
  }
  .series-1 {
    color: var(--accent-1);
  }
  .series-2 {
    color: var(--accent-2);
  }
  .series-3 {
    color: var(--accent-3);
  }
  .series-4 {
    color: var(--accent-4);
  }
  .series-5 {
    color: var(--accent-5);
  }
  .mark {
    fill: var(--surface);
    stroke: currentColor;
    stroke-width: 1.75;
  }
`;
