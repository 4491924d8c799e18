import { axisRoom, drawAxes, intensityAxis, performanceAxis } from './axes.ts';
import { drawPanels } from './drawPanels.ts';
import type { Frame } from './frame.ts';
import type { ChartPanel } from './panel.ts';
import { plotOf, type Plot } from './plot.ts';
import { shapeCorners, textSize, type ChartColor, type SceneMark } from './scene.ts';
import { wrapText } from './wrapText.ts';

/** The values of a chart's colours, and its font. */
export type ChartTheme = Readonly<Record<ChartColor | 'font', string>>;

export interface SvgChart {
  readonly panels: readonly ChartPanel[];
  readonly frame: Frame;
  /** Whose numbers these are, in the chart; empty for a run of this machine. */
  readonly note: string;
  readonly theme: ChartTheme;
  readonly textWidth: Plot['textWidth'];
  /** Of the whole picture, in pixels. */
  readonly width: number;
  readonly height: number;
  readonly title: string;
  /** Device, version, date: what a picture must say that goes its own way. */
  readonly caption: readonly string[];
}

const captionLine = 16;
const titleRoom = 26;
const axisTitleRoom = 20;
/** Below the caption: another picture may follow. */
const edgeRoom = 8;

/** Charts side by side as one SVG document: true vectors, drawn from the same scene as the canvas. */
export function chartsSvg(charts: readonly SvgChart[]): string {
  const width = charts.reduce((sum, chart) => sum + chart.width, 0);
  const height = Math.max(0, ...charts.map((chart) => chart.height));
  let left = 0;
  const parts = charts.flatMap((chart, index) => {
    const lines = chartLines(chart, `plot-${index}`);
    const part = [`<g transform="translate(${left} 0)">`, ...lines, '</g>'];
    left += chart.width;
    return part;
  });
  const title = escaped(charts.map((chart) => chart.title).join('; '));
  const font = escaped(charts[0]?.theme.font ?? 'sans-serif');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="${font}" font-size="${textSize}" role="img" aria-label="${title}">`,
    `<title>${title}</title>`,
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}

function chartLines(chart: SvgChart, clipId: string): readonly string[] {
  const { theme, width, height, title } = chart;
  const room = width - axisRoom.left - axisRoom.right;
  const caption = chart.caption.flatMap((line) =>
    wrapText(line, room, (part) => chart.textWidth(part, false)),
  );
  const bottom = axisRoom.bottom + axisTitleRoom + captionLine * caption.length + edgeRoom;
  const top = titleRoom + axisTitleRoom + axisRoom.top;
  const plot = plotOf(chart.frame, { width: room, height: height - top - bottom }, chart.textWidth);
  const muted = `fill="${theme.muted}"`;
  const right = width - axisRoom.right;
  const plotBottom = height - bottom + axisRoom.bottom;
  return [
    `<rect width="${width}" height="${height}" fill="${theme.surface}"/>`,
    textElement(title, axisRoom.left, 20, `font-size="15" font-weight="600" fill="${theme.ink}"`),
    textElement(performanceAxis, 8, titleRoom + 14, muted),
    textElement(intensityAxis, right, plotBottom + 12, `text-anchor="end" ${muted}`),
    `<clipPath id="${clipId}"><rect width="${number(plot.width)}" height="${number(plot.height)}"/></clipPath>`,
    `<g transform="translate(${axisRoom.left} ${top})">`,
    ...drawAxes(plot).map((mark) => element(mark, theme)),
    `<g clip-path="url(#${clipId})" stroke-linejoin="round" ${plotAttributes(plot)}>`,
    ...drawPanels(plot, chart.panels, chart.note).map((mark) => element(mark, theme)),
    '</g>',
    '</g>',
    ...caption.map((line, index) =>
      textElement(line, axisRoom.left, plotBottom + 16 + captionLine * (index + 1), muted),
    ),
  ];
}

function textElement(content: string, x: number, y: number, attributes: string): string {
  return `<text x="${x}" y="${y}" ${attributes}>${escaped(content)}</text>`;
}

function element(mark: SceneMark, theme: ChartTheme): string {
  switch (mark.kind) {
    case 'path': {
      const dash = mark.dash.length === 0 ? '' : ` stroke-dasharray="${mark.dash.join(' ')}"`;
      const series = mark.series === undefined ? '' : ` data-series="${escaped(mark.series)}"`;
      return `<polyline${series} points="${points(mark.points)}" fill="none" stroke="${theme[mark.color]}" stroke-width="${mark.width}"${dash}/>`;
    }
    case 'area':
      return `<polygon points="${points(mark.points)}" ${tint(theme[mark.color], mark.opacity)}/>`;
    case 'shape': {
      const paint =
        `fill="${mark.fill ? theme[mark.fill] : 'none'}"` +
        (mark.stroke ? ` stroke="${theme[mark.stroke]}" stroke-width="${mark.width}"` : '');
      if (mark.shape === 'circle')
        return `<circle cx="${number(mark.x)}" cy="${number(mark.y)}" r="${mark.size}" ${paint}/>`;
      return `<polygon points="${points(shapeCorners(mark.shape, mark.size))}" transform="${placed(mark)}" ${paint}/>`;
    }
    case 'text': {
      const weight = mark.bold ? ' font-weight="600"' : '';
      return `<text transform="${placed(mark)}" text-anchor="middle" dominant-baseline="central" fill="${theme[mark.color]}" stroke="${theme.surface}" stroke-width="3" paint-order="stroke"${weight}>${escaped(mark.text)}</text>`;
    }
  }
}

/** What the plot's edges mean, so that its lines can be read back to numbers. */
function plotAttributes({ frame: { x, y }, width, height }: Plot): string {
  const units = 'data-x="flop/byte, logarithmic" data-y="flop/s, logarithmic"';
  const ranges = `data-x-range="${x.min} ${x.max}" data-y-range="${y.min} ${y.max}"`;
  return `${units} ${ranges} data-size="${width} ${height}"`;
}

/** A colour of eight digits has its own opacity, which not every SVG viewer reads. */
function tint(color: string, opacity: number): string {
  const [, solid, alpha] = /^(#[\da-f]{6})([\da-f]{2})$/i.exec(color) ?? [];
  if (solid === undefined || alpha === undefined)
    return `fill="${color}" fill-opacity="${opacity}"`;
  return `fill="${solid}" fill-opacity="${number((opacity * Number.parseInt(alpha, 16)) / 255)}"`;
}

function placed({ x, y, angle }: { x: number; y: number; angle: number }): string {
  const turn = angle === 0 ? '' : ` rotate(${number((angle * 180) / Math.PI)})`;
  return `translate(${number(x)} ${number(y)})${turn}`;
}

function points(list: readonly { readonly x: number; readonly y: number }[]): string {
  return list.map(({ x, y }) => `${number(x)},${number(y)}`).join(' ');
}

/** To a thousandth of a pixel. */
function number(value: number): string {
  return String(Number(value.toFixed(3)));
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
