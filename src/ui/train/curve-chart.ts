import { css, html, LitElement, nothing, svg, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { CurvePoint } from '../../core/training/curves.ts';
import { formatInteger, formatNumber } from '../../core/units.ts';
import { sharedStyles } from '../styles.ts';

const width = 480;
const height = 220;
const margin = { left: 44, right: 12, top: 12, bottom: 28 };
/** More line segments than pixels show nothing more. */
const mostPoints = 600;

/** One curve over the steps of a training, with its scatter behind it where there is one. */
@customElement('rooftrace-curve-chart')
export class CurveChart extends LitElement {
  /** What the curve shows, e.g. `Training loss`. */
  @property() label = '';
  @property({ attribute: false }) line: readonly CurvePoint[] = [];
  /** Single values behind the line. */
  @property({ attribute: false }) scatter: readonly CurvePoint[] = [];
  /** Steps of the whole training: the right edge. */
  @property({ type: Number }) steps = 1;
  /** The vertical axis; its top grows with the values where it is lower. */
  @property({ type: Number }) top = 1;
  @property({ attribute: false }) format: (value: number) => string = formatNumber;
  /** Marks on the points of the line, for few points. */
  @property({ type: Boolean }) marked = false;

  static override styles = [
    sharedStyles,
    css`
      figure {
        margin: 0;
      }
      figcaption {
        font-size: 0.9375rem;
        font-weight: 600;
      }
      svg {
        display: block;
        width: 100%;
        height: auto;
      }
      text {
        fill: var(--muted);
        font-size: 12px;
      }
      .grid {
        stroke: var(--hairline);
      }
      .line {
        fill: none;
        stroke: var(--accent);
        stroke-width: 2;
        stroke-linejoin: round;
      }
      .mark {
        fill: var(--accent);
      }
      .scatter {
        fill: none;
        stroke: var(--muted);
        stroke-opacity: 0.35;
      }
    `,
  ];

  override render(): TemplateResult {
    const { label, line, scatter, steps, format } = this;
    const finite = [...line, ...scatter].filter(({ value }) => Number.isFinite(value));
    const top = niceTop(finite.reduce((most, { value }) => Math.max(most, value), this.top));
    const x = (step: number): number =>
      margin.left + ((width - margin.left - margin.right) * step) / Math.max(1, steps);
    const y = (value: number): number =>
      height - margin.bottom - ((height - margin.top - margin.bottom) * value) / top;
    const path = (points: readonly CurvePoint[]): string =>
      thinned(points)
        .map(({ step, value }) => `${x(step).toFixed(1)},${y(value).toFixed(1)}`)
        .join(' ');
    const last = line.at(-1);
    const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => share * top);
    return html`
      <figure>
        <figcaption>
          ${label}${last ? html`: <span>${format(last.value)}</span>` : nothing}
        </figcaption>
        <svg viewBox="0 0 ${width} ${height}" role="img" aria-label=${this.describe(last)}>
          ${ticks.map(
            (tick) => svg`
              <line class="grid" x1=${margin.left} x2=${width - margin.right}
                y1=${y(tick)} y2=${y(tick)} />
              <text x=${margin.left - 6} y=${y(tick) + 4} text-anchor="end">${format(tick)}</text>`,
          )}
          <text x=${margin.left} y=${height - 8}>0</text>
          <text x=${width - margin.right} y=${height - 8} text-anchor="end">
            ${formatInteger(steps)} steps
          </text>
          <polyline class="scatter" points=${path(scatter)} />
          <polyline class="line" points=${path(line)} />
          ${
            this.marked
              ? line.map(
                  ({ step, value }) =>
                    svg`<circle class="mark" cx=${x(step)} cy=${y(value)} r="4" />`,
                )
              : nothing
          }
        </svg>
      </figure>
    `;
  }

  private describe(last: CurvePoint | undefined): string {
    if (!last) return `${this.label}, nothing trained yet`;
    return `${this.label} over the steps, ${this.format(last.value)} after step ${last.step}`;
  }
}

/** The next of 1, 2, 2.5, 5 and 10 times a power of ten. */
function niceTop(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 2, 2.5, 5, 10].find((step) => step * power >= value * 0.999) ?? 10;
  return factor * power;
}

/** Evenly picked points, the last among them; what is no number is left out. */
function thinned(points: readonly CurvePoint[]): readonly CurvePoint[] {
  const finite = points.filter(({ value }) => Number.isFinite(value));
  const stride = Math.ceil(finite.length / mostPoints);
  return finite.filter((_, index) => (finite.length - 1 - index) % stride === 0);
}
