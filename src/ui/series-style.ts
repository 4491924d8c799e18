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

/** Colours that stay apart for colour-blind eyes, 4.5:1 and more on the page's surface. */
export const seriesColors = css`
  .series-0 {
    color: light-dark(#0a62ad, #6fb7ff);
  }
  .series-1 {
    color: light-dark(#b3440b, #ff9e5e);
  }
  .series-2 {
    color: light-dark(#00735c, #4fd0ae);
  }
  .series-3 {
    color: light-dark(#9a3f78, #f29acb);
  }
  .series-4 {
    color: light-dark(#806000, #e6c34a);
  }
  .series-5 {
    color: light-dark(#4c5258, #c9ced4);
  }
  .mark {
    fill: var(--surface);
    stroke: currentColor;
    stroke-width: 1.75;
  }
`;
