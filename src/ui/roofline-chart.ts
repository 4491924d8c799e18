import { css, html, LitElement, unsafeCSS, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import uPlot from 'uplot';
import uPlotStyle from 'uplot/dist/uPlot.min.css?inline';
import { logTicks, tickLabel, type Range } from '../core/chart/axis.ts';
import type { Frame } from '../core/chart/frame.ts';
import { nearest } from '../core/chart/geometry.ts';
import { describePanel, panelMarks, type ChartPanel } from '../core/chart/panel.ts';
import { paintPanel } from './chart-painter.ts';
import { toPixels } from './chart-plot.ts';
import { readChartTheme, type ChartTheme } from './chart-theme.ts';

// uPlot has these numbers only as const enums of its types, which isolated modules cannot read.
/* oxlint-disable typescript/no-unsafe-enum-assignment */
/** uPlot's mode 2: free points, not columns over one x. */
const faceted: uPlot.Mode = 2;
const logarithmic: uPlot.Scale.Distr = 3;
/* oxlint-enable typescript/no-unsafe-enum-assignment */

/** How near the pointer must come to a mark to read it, in pixels. */
const readRadius = 28;
const axisFont = '12px system-ui, sans-serif';
/** Unit of the performance axis. */
const flopsPerGflop = 1e9;

/** True where two values of a property would draw the same picture. */
function drawsDifferently(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) !== JSON.stringify(b);
}

/**
 * One device's roofline, log-log. uPlot holds the axes and the canvas; the picture is painted from
 * the panel. Its children, the legend, stand under the axes. The only file that knows uPlot.
 */
@customElement('rooftrace-chart')
export class RooflineChart extends LitElement {
  @property({ attribute: false, hasChanged: drawsDifferently }) panel: ChartPanel | undefined;
  @property({ attribute: false, hasChanged: drawsDifferently }) frame: Frame | undefined;
  /** What the pointer reads; empty away from every mark. */
  @state() private reading = '';
  @query('#plot') private holder!: HTMLElement;

  private plot: uPlot | undefined;
  private theme: ChartTheme | undefined;
  private readonly resize = new ResizeObserver(() => this.fit());
  private readonly darkScheme = matchMedia('(prefers-color-scheme: dark)');

  static override styles = [
    unsafeCSS(uPlotStyle),
    css`
      :host {
        display: block;
      }
      figure {
        margin: 0;
      }
      #plot {
        min-width: 0;
        overflow: hidden;
      }
      .axis {
        color: var(--muted);
        font-size: 0.75rem;
      }
      .x {
        text-align: right;
        padding-right: 16px;
      }
      output:not([hidden]) {
        display: block;
        min-height: 4.5em;
        margin-top: 0.25rem;
        color: var(--muted);
        font-size: 0.8125rem;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    this.darkScheme.addEventListener('change', this.onScheme);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.darkScheme.removeEventListener('change', this.onScheme);
    this.resize.disconnect();
    this.plot?.destroy();
    this.plot = undefined;
  }

  override render(): TemplateResult {
    const label = this.panel ? describePanel(this.panel) : '';
    const readable = this.panel !== undefined && panelMarks(this.panel).length > 0;
    return html`
      <figure role="img" aria-label=${label}>
        <div class="axis">Performance (GFLOP/s)</div>
        <div id="plot"></div>
        <div class="axis x">Arithmetic intensity (FLOP/byte), memory</div>
      </figure>
      <slot></slot>
      <output aria-live="off" ?hidden=${!readable}>
        ${this.reading || 'Point at a mark, or tap it, to read it.'}
      </output>
    `;
  }

  override updated(changed: PropertyValues<this>): void {
    if (!changed.has('panel') && !changed.has('frame')) return;
    if (this.plot) this.redraw();
    else this.resize.observe(this.holder);
  }

  private readonly onScheme = (): void => {
    this.theme = undefined;
    this.plot?.redraw(false);
  };

  private size(): { readonly width: number; readonly height: number } {
    const width = Math.max(240, Math.floor(this.holder.clientWidth));
    return { width, height: Math.round(Math.min(440, Math.max(290, width * 0.78))) };
  }

  private fit(): void {
    if (this.holder.clientWidth === 0) return;
    if (this.plot) this.plot.setSize(this.size());
    else this.plot = new uPlot(this.options(), this.data(), this.holder);
  }

  private redraw(): void {
    this.plot?.setData(this.data(), true);
  }

  /** Mode 2: one series of free points; uPlot does not draw it, the reading uses it. */
  private data(): uPlot.AlignedData {
    const marks = this.panel ? panelMarks(this.panel) : [];
    const facets = [
      marks.map(({ intensity }) => intensity),
      marks.map(({ flopsPerSecond }) => flopsPerSecond),
    ];
    return [null, facets] as unknown as uPlot.AlignedData;
  }

  private options(): uPlot.Options {
    return {
      ...this.size(),
      mode: faceted,
      legend: { show: false },
      cursor: { x: false, y: false, drag: { x: false, y: false }, points: { show: false } },
      scales: { x: this.scale('x'), y: this.scale('y') },
      axes: [this.axis('x', 1), this.axis('y', flopsPerGflop)],
      series: [
        {},
        {
          facets: [
            { scale: 'x', auto: true },
            { scale: 'y', auto: true },
          ],
          paths: () => null,
          points: { show: false },
        },
      ],
      padding: [8, 16, 0, 0],
      hooks: { draw: [this.onDraw], setCursor: [this.onCursor] },
    };
  }

  /** uPlot's own ranging of logarithmic scales snaps and can hang: the frame is given. */
  private scale(axis: 'x' | 'y'): uPlot.Scale {
    return {
      time: false,
      distr: logarithmic,
      range: () => {
        const { min, max } = this.range(axis);
        return [min, max];
      },
    };
  }

  private range(axis: 'x' | 'y'): Range {
    return this.frame?.[axis] ?? { min: 1, max: 10 };
  }

  private axis(axis: 'x' | 'y', unit: number): uPlot.Axis {
    const ticks = () => logTicks(this.range(axis));
    const majors = () => ticks().map(({ value, major }) => (major ? value : null));
    return {
      scale: axis,
      size: axis === 'x' ? 30 : 52,
      gap: 4,
      font: axisFont,
      stroke: () => this.colors().muted,
      splits: () => ticks().map(({ value }) => value),
      values: () => ticks().map(({ value, major }) => (major ? tickLabel(value / unit) : null)),
      grid: { stroke: () => this.colors().hairline, width: 1, filter: majors },
      ticks: { stroke: () => this.colors().hairline, width: 1, size: 5 },
      border: { show: true, stroke: () => this.colors().muted, width: 1 },
    };
  }

  private colors(): ChartTheme {
    return (this.theme ??= readChartTheme(this));
  }

  private readonly onDraw = (plot: uPlot): void => {
    if (!this.panel || !this.frame) return;
    const ratio = uPlot.pxRatio;
    const { left, top, width, height } = plot.bbox;
    plot.ctx.save();
    plot.ctx.setTransform(ratio, 0, 0, ratio, left, top);
    paintPanel(
      {
        context: plot.ctx,
        theme: this.colors(),
        frame: this.frame,
        width: width / ratio,
        height: height / ratio,
        x: (intensity) => plot.valToPos(intensity, 'x'),
        y: (flopsPerSecond) => plot.valToPos(flopsPerSecond, 'y'),
      },
      this.panel,
    );
    plot.ctx.restore();
  };

  /** Hit testing is ours in mode 2. */
  private readonly onCursor = (plot: uPlot): void => {
    const { left = -1, top = -1 } = plot.cursor;
    const marks = this.panel ? panelMarks(this.panel) : [];
    const points = marks.map((mark) =>
      toPixels(
        { x: (value) => plot.valToPos(value, 'x'), y: (value) => plot.valToPos(value, 'y') },
        mark,
      ),
    );
    const index = nearest(points, { x: left, y: top }, readRadius);
    this.reading = index === undefined ? '' : (marks[index]?.reading ?? '');
  };
}
