import {
  css,
  html,
  LitElement,
  nothing,
  svg,
  type SVGTemplateResult,
  type TemplateResult,
} from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { intensityAxis, performanceAxis } from '../../core/chart/axes.ts';
import { logTicks, tickLabel, type Range } from '../../core/chart/axis.ts';
import type { Frame } from '../../core/chart/frame.ts';
import { placeLabels, segmentBoxes, type Box, type Point } from '../../core/chart/geometry.ts';
import { figureFrame, type FigureSeries } from '../../core/lessons/figure.ts';
import { formatNumber, formatRate } from '../../core/units.ts';
import { seriesClass, seriesColors, seriesDash, seriesMark } from '../series-style.ts';
import { sharedStyles } from '../styles.ts';

const margin = { left: 52, right: 14, top: 8, bottom: 28 };
/** Unit of the performance axis. */
const flopsPerGflop = 1e9;
const labelHeight = 15;
/** Of the label's font; labels are placed before anything could measure them. */
const characterWidth = 7.4;
const longestLabel = 26;

/** Pixels of a point of the plane. */
interface Place {
  readonly width: number;
  readonly height: number;
  readonly x: (intensity: number) => number;
  readonly y: (flopsPerSecond: number) => number;
  readonly frame: Frame;
}

/** The figure of a lesson: roofs and points, each with its own colour, dash and shape. */
@customElement('rooftrace-roof-figure')
export class RoofFigure extends LitElement {
  @property({ attribute: false }) series: readonly FigureSeries[] = [];
  /** The part of the plane to show; absent: whole decades around the series. */
  @property({ attribute: false }) frame: Frame | undefined;
  /** What the chart shows, for those who do not see it. */
  @property() label = '';
  @query('#plot') private holder!: HTMLElement;
  @state() private width = 0;
  @state() private reading = '';

  private readonly resize = new ResizeObserver(() => (this.width = this.holder.clientWidth));

  static override styles = [
    sharedStyles,
    seriesColors,
    css`
      figure {
        margin: 0;
      }
      .axis {
        color: var(--muted);
        font-size: 0.75rem;
      }
      .x {
        text-align: right;
      }
      svg {
        display: block;
        overflow: visible;
      }
      text {
        fill: var(--muted);
        font-size: 12px;
      }
      .roof-label {
        fill: currentColor;
        font-size: 11.5px;
        font-weight: 600;
        paint-order: stroke;
        stroke: var(--surface);
        stroke-width: 3px;
      }
      .grid {
        stroke: var(--hairline);
      }
      .border {
        fill: none;
        stroke: var(--muted);
      }
      .line {
        fill: none;
        stroke: currentColor;
        stroke-width: 2;
      }
      .path {
        fill: none;
        stroke: currentColor;
        stroke-width: 1.25;
      }
      ul {
        display: flex;
        flex-wrap: wrap;
        gap: 0.125rem 1.25rem;
        margin: 0.375rem 0 0;
        padding: 0;
        list-style: none;
        font-size: 0.8125rem;
      }
      li {
        display: flex;
        align-items: center;
        gap: 0.4375rem;
      }
      li svg {
        flex: none;
      }
      output {
        display: block;
        min-height: 1.5em;
        color: var(--muted);
        font-size: 0.8125rem;
      }
    `,
  ];

  override firstUpdated(): void {
    this.resize.observe(this.holder);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.resize.observe(this.holder);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.resize.disconnect();
  }

  override render(): TemplateResult {
    return html`
      <figure role="img" aria-label=${this.description()}>
        <div class="axis">${performanceAxis}</div>
        <div id="plot">${this.width > 0 ? this.drawing() : nothing}</div>
        <div class="axis x">${intensityAxis}</div>
      </figure>
      <ul>
        ${this.series.map(
          ({ label, style }) =>
            html`<li class=${seriesClass(style)}>
              <svg width="34" height="12" aria-hidden="true">
                <path class="line" d="M0 6h34" stroke-dasharray=${seriesDash(style)} />
                ${seriesMark(style, 17, 6)}
              </svg>
              <span>${label}</span>
            </li>`,
        )}
      </ul>
      <output aria-live="off">${this.reading}</output>
    `;
  }

  private description(): string {
    const roofs = this.series.map(({ label, compute, memory }) =>
      compute === undefined || memory === undefined
        ? `${label}: not measured`
        : `${label}: ${formatRate(compute, 'flop/s')}, ${formatRate(memory, 'byte/s')}, ridge ${formatNumber(compute / memory)} FLOP/byte`,
    );
    return [this.label, ...roofs].join('. ');
  }

  private drawing(): TemplateResult {
    const { width } = this;
    const height = Math.round(Math.min(440, Math.max(280, width * 0.6)));
    const place = this.place(width, height);
    return html`<svg width=${width} height=${height} @pointerleave=${() => (this.reading = '')}>
      ${axes(place)} ${this.series.map((series) => this.roof(place, series))}
      ${this.series.map((series) => this.paths(place, series))} ${this.labels(place)}
    </svg>`;
  }

  private place(width: number, height: number): Place {
    const frame = this.frame ?? figureFrame(this.series);
    const plotWidth = width - margin.left - margin.right;
    const plotHeight = height - margin.top - margin.bottom;
    return {
      width,
      height,
      frame,
      x: (intensity) => margin.left + plotWidth * scale(intensity, frame.x),
      y: (flopsPerSecond) => margin.top + plotHeight * (1 - scale(flopsPerSecond, frame.y)),
    };
  }

  private roof(place: Place, series: FigureSeries): SVGTemplateResult | typeof nothing {
    const points = roofPoints(place, series);
    if (points.length === 0) return nothing;
    return svg`<path class="line ${seriesClass(series.style)}" data-roof=${series.id}
      stroke-dasharray=${seriesDash(series.style)} d=${pathOf(points)} />`;
  }

  private paths(place: Place, { style, paths }: FigureSeries): readonly SVGTemplateResult[] {
    return paths.map(
      (marks) => svg`<g class=${seriesClass(style)}>
        <path class="path" stroke-dasharray=${seriesDash(style)} d=${pathOf(
          marks.map((mark) => ({ x: place.x(mark.intensity), y: place.y(mark.flopsPerSecond) })),
        )} />
        ${marks.map(({ intensity, flopsPerSecond, label }) => {
          const text = `${label}: ${formatRate(flopsPerSecond, 'flop/s')} at ${formatNumber(intensity)} FLOP/byte`;
          return svg`<g data-mark @pointerenter=${() => (this.reading = text)}>
            <title>${text}</title>
            ${seriesMark(style, place.x(intensity), place.y(flopsPerSecond))}
          </g>`;
        })}
      </g>`,
    );
  }

  /** Names on the roofs, where they find room; the legend has them all. */
  private labels(place: Place): readonly (SVGTemplateResult | typeof nothing)[] {
    const roofs = this.series.map((series) => roofPoints(place, series));
    const marks = this.series.flatMap(({ paths }) =>
      paths.flat().map(({ intensity, flopsPerSecond }): Box => ({
        x: place.x(intensity),
        y: place.y(flopsPerSecond),
        width: 10,
        height: 10,
        angle: 0,
      })),
    );
    const texts = this.series.map(({ label }) =>
      label.length > longestLabel ? `${label.slice(0, longestLabel - 1)}…` : label,
    );
    const requests = roofs.map((points, index) => ({
      candidates: labelPlaces(points, (texts[index] ?? '').length * characterWidth, place),
    }));
    const boxes = placeLabels(
      requests,
      marks,
      roofs.flatMap(segmentBoxes),
      place.width,
      place.height,
    );
    return boxes.map((box, index) => {
      const series = this.series[index];
      if (box === undefined || series === undefined) return nothing;
      return svg`<text class="roof-label ${seriesClass(series.style)}" x=${box.x} y=${box.y + 4}
        text-anchor="middle">${texts[index]}</text>`;
    });
  }
}

/** Where a value lies on a logarithmic axis, 0 to 1. */
function scale(value: number, { min, max }: Range): number {
  return Math.log(value / min) / Math.log(max / min);
}

function pathOf(points: readonly Point[]): string {
  return points
    .map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`)
    .join('');
}

/** The roof's corners within the frame. */
function roofPoints(place: Place, { compute, memory }: FigureSeries): readonly Point[] {
  if (compute === undefined || memory === undefined) return [];
  const { x, y } = place.frame;
  const ridge = Math.min(x.max, Math.max(x.min, compute / memory));
  // The diagonal may enter the frame from below.
  const start = Math.max(x.min, y.min / memory);
  const at = (intensity: number): Point => ({
    x: place.x(intensity),
    y: place.y(Math.min(compute, memory * intensity)),
  });
  return [...(start < ridge ? [at(start)] : []), at(ridge), at(x.max)];
}

/** Above the flat part from the right, else below it. */
function labelPlaces(
  points: readonly Point[],
  width: number,
  { width: all }: Place,
): readonly Box[] {
  const end = points.at(-1);
  if (end === undefined) return [];
  const flat = points.at(-2)?.x ?? margin.left;
  const steps = Math.max(1, Math.floor((end.x - flat - width) / 16));
  return [-12, 14].flatMap((offset) =>
    Array.from({ length: steps }, (_, step) => ({
      x: Math.min(all, end.x) - width / 2 - 6 - 16 * step,
      y: end.y + offset,
      width,
      height: labelHeight,
      angle: 0,
    })),
  );
}

function axes(place: Place): SVGTemplateResult {
  const { frame, x, y, width, height } = place;
  const bottom = height - margin.bottom;
  const right = width - margin.right;
  const majors = (axis: 'x' | 'y'): readonly number[] =>
    logTicks(frame[axis]).flatMap(({ value, major }) => (major ? [value] : []));
  return svg`
    ${majors('x').map(
      (
        value,
      ) => svg`<line class="grid" x1=${x(value)} x2=${x(value)} y1=${margin.top} y2=${bottom} />
        <text x=${x(value)} y=${bottom + 18} text-anchor="middle">${tickLabel(value)}</text>`,
    )}
    ${majors('y').map(
      (
        value,
      ) => svg`<line class="grid" x1=${margin.left} x2=${right} y1=${y(value)} y2=${y(value)} />
        <text x=${margin.left - 6} y=${y(value) + 4} text-anchor="end">${tickLabel(value / flopsPerGflop)}</text>`,
    )}
    <rect class="border" x=${margin.left} y=${margin.top} width=${right - margin.left}
      height=${bottom - margin.top} />
  `;
}
