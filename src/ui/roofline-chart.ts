import {
  html,
  LitElement,
  nothing,
  unsafeCSS,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import uPlot from 'uplot';
import uPlotStyle from 'uplot/dist/uPlot.min.css?inline';
import { intensityAxis, performanceAxis, performanceUnit, axisRoom } from '../core/chart/axes.ts';
import { logTicks, tickLabel, type Range } from '../core/chart/axis.ts';
import { describePanel } from '../core/chart/describe.ts';
import { drawPanels } from '../core/chart/drawPanels.ts';
import type { Frame } from '../core/chart/frame.ts';
import type { Point } from '../core/chart/geometry.ts';
import { panelMarks, type ChartPanel } from '../core/chart/panel.ts';
import { plotOf, toPixels, type Plot } from '../core/chart/plot.ts';
import { readableAt, readables, type Readable } from '../core/chart/readables.ts';
import type { Scene } from '../core/chart/scene.ts';
import { chartsSvg, type ChartTheme } from '../core/chart/svg.ts';
import { panned, zoomed } from '../core/chart/zoom.ts';
import { canvasTextWidth, paintScene } from './chart-canvas.ts';
import { ChartGestures } from './chart-gestures.ts';
import { chartStyles } from './chart-styles.ts';
import { readChartTheme } from './chart-theme.ts';
import { strings } from './strings.ts';
import { sharedStyles } from './styles.ts';

// uPlot has these numbers only as const enums of its types, which isolated modules cannot read.
/* oxlint-disable typescript/no-unsafe-enum-assignment */
/** uPlot's mode 2: free points, not columns over one x. */
const faceted: uPlot.Mode = 2;
const logarithmic: uPlot.Scale.Distr = 3;
/* oxlint-enable typescript/no-unsafe-enum-assignment */

const axisFont = '12px system-ui, sans-serif';
/** Of one press of a zoom key or button, and of one press of an arrow. */
const zoomStep = 0.7;
const panStep = 0.15;

/** True where two values of a property would draw the same picture. */
function drawsDifferently(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) !== JSON.stringify(b);
}

/**
 * Rooflines, log-log: one device's, or several over each other. uPlot holds the axes and the canvas;
 * the picture is a scene made from the panels. Its children, the legend, stand under the axes. Zoom
 * and pan by mouse, touch and keyboard; the arrow keys read one thing after the other. The only file
 * that knows uPlot.
 */
@customElement('rooftrace-chart')
export class RooflineChart extends LitElement {
  @property({ attribute: false, hasChanged: drawsDifferently }) panels: readonly ChartPanel[] = [];
  /** What is shown before anybody zooms. */
  @property({ attribute: false, hasChanged: drawsDifferently }) frame: Frame | undefined;
  /** Whose numbers these are, written in the chart. */
  @property() note = '';
  /** Numbers of no run: drawn pale. */
  @property({ type: Boolean, reflect: true }) example = false;
  /** What is zoomed to; undefined shows `frame`. */
  @state() private zoom: Frame | undefined;
  /** What is read: under the pointer, or reached by the keyboard. */
  @state() private read: Readable | undefined;
  /** Only what is reached by keyboard is spoken. */
  @state() private spoken = false;
  /** Paper has more dots than the canvas: it gets a drawing. */
  @state() private printing = false;
  @query('#plot') private holder!: HTMLElement;

  private plot: uPlot | undefined;
  private theme: ChartTheme | undefined;
  private readonly resize = new ResizeObserver(() => this.fit());
  private readonly schemes = [
    matchMedia('(prefers-color-scheme: dark)'),
    matchMedia('(prefers-contrast: more)'),
    matchMedia('(forced-colors: active)'),
  ];
  private readonly paper = matchMedia('print');

  static override styles = [unsafeCSS(uPlotStyle), sharedStyles, chartStyles];

  override connectedCallback(): void {
    super.connectedCallback();
    for (const scheme of this.schemes) scheme.addEventListener('change', this.onScheme);
    this.paper.addEventListener('change', this.onPaper);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const scheme of this.schemes) scheme.removeEventListener('change', this.onScheme);
    this.paper.removeEventListener('change', this.onPaper);
    this.resize.disconnect();
    this.plot?.destroy();
    this.plot = undefined;
  }

  override render(): TemplateResult {
    const readable = this.panels.some(
      (panel) => panel.ceilings.length > 0 || panelMarks(panel).length > 0,
    );
    return html`
      <figure>
        <div class="head">
          <div class="axis">${performanceAxis}</div>
          <div class="zoom" role="group" aria-label=${strings.chart.zoom}>
            <button aria-label=${strings.chart.zoomIn} @click=${() => this.zoomBy(zoomStep)}>
              +
            </button>
            <button aria-label=${strings.chart.zoomOut} @click=${() => this.zoomBy(1 / zoomStep)}>
              −
            </button>
            <button ?disabled=${this.zoom === undefined} @click=${this.reset}>
              ${strings.chart.fit}
            </button>
          </div>
        </div>
        <div
          id="plot"
          tabindex="0"
          role="application"
          aria-roledescription="chart"
          aria-label=${this.panels.map(describePanel).join(' ')}
          aria-describedby="keys"
          @keydown=${this.onKey}
          @blur=${() => (this.spoken = false)}
        ></div>
        <div class="axis x">${intensityAxis}</div>
        <p id="keys" class="visually-hidden">${strings.chart.keys}</p>
      </figure>
      ${this.printing && this.plot ? unsafeHTML(this.drawing(this.plot)) : nothing}
      <slot></slot>
      <output aria-live=${this.spoken ? 'polite' : 'off'} ?hidden=${!readable}>
        ${this.read?.reading ?? strings.chart.readHint}
      </output>
    `;
  }

  override firstUpdated(): void {
    new ChartGestures({
      frame: () => this.shown ?? emptyFrame,
      box: () => this.plot?.over.getBoundingClientRect() ?? new DOMRect(),
      onFrame: (frame) => (this.zoom = frame),
      onTap: (at) => this.readAt(at),
      onDoubleTap: this.reset,
    }).connect(this.holder);
    this.resize.observe(this.holder);
  }

  override updated(changed: PropertyValues): void {
    if (['panels', 'frame', 'note', 'zoom', 'read'].some((name) => changed.has(name)))
      this.redraw();
  }

  /** Shows the whole frame again. */
  readonly reset = (): void => {
    this.zoom = undefined;
  };

  private get shown(): Frame | undefined {
    return this.zoom ?? this.frame;
  }

  private zoomBy(scale: number): void {
    if (this.shown) this.zoom = zoomed(this.shown, scale, [0.5, 0.5]);
  }

  private panBy(x: number, y: number): void {
    if (this.shown) this.zoom = panned(this.shown, [x, y]);
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action = event.shiftKey ? this.panKeys[event.key] : this.plainKeys[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };

  private readonly panKeys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => this.panBy(-panStep, 0),
    ArrowRight: () => this.panBy(panStep, 0),
    ArrowUp: () => this.panBy(0, panStep),
    ArrowDown: () => this.panBy(0, -panStep),
    // On many keyboards the plus is a shifted key.
    '+': () => this.zoomBy(zoomStep),
  };

  private readonly plainKeys: Readonly<Record<string, () => void>> = {
    ArrowRight: () => this.step(1),
    ArrowDown: () => this.step(1),
    ArrowLeft: () => this.step(-1),
    ArrowUp: () => this.step(-1),
    '+': () => this.zoomBy(zoomStep),
    '=': () => this.zoomBy(zoomStep),
    '-': () => this.zoomBy(1 / zoomStep),
    '0': this.reset,
    Escape: () => (this.read = undefined),
  };

  /** Reads the next thing on the chart, or the one before. */
  private step(by: number): void {
    if (!this.shown) return;
    const all = readables(this.panels, this.shown);
    const current = all.findIndex(({ reading }) => reading === this.read?.reading);
    const start = current < 0 && by < 0 ? 0 : current;
    this.read = all[(start + by + all.length) % all.length];
    this.spoken = true;
  }

  private readonly onScheme = (): void => {
    this.theme = undefined;
    this.plot?.redraw(false);
  };

  private readonly onPaper = ({ matches }: MediaQueryListEvent): void => {
    this.theme = undefined;
    this.printing = matches;
  };

  /** The chart as vectors, with its axes. */
  private drawing({ ctx, width, height }: uPlot): string {
    const theme = this.colors();
    return chartsSvg([
      {
        panels: this.panels,
        frame: this.shown ?? emptyFrame,
        note: this.note,
        theme,
        textWidth: canvasTextWidth(ctx, theme.font),
        width,
        height: height + 40,
        title: '',
        caption: [],
      },
    ]);
  }

  private size(): { readonly width: number; readonly height: number } {
    const width = Math.max(240, Math.floor(this.holder.clientWidth));
    return { width, height: Math.round(Math.min(440, Math.max(290, width * 0.78))) };
  }

  private fit(): void {
    if (this.holder.clientWidth === 0 || !this.frame) return;
    if (this.plot) this.plot.setSize(this.size());
    else this.plot = new uPlot(this.options(), noData, this.holder);
  }

  private redraw(): void {
    if (this.plot) this.plot.setData(noData, true);
    else this.fit();
  }

  private options(): uPlot.Options {
    return {
      ...this.size(),
      mode: faceted,
      legend: { show: false },
      cursor: { x: false, y: false, drag: { x: false, y: false }, points: { show: false } },
      scales: { x: this.scale('x'), y: this.scale('y') },
      axes: [this.axis('x', 1), this.axis('y', performanceUnit)],
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
      padding: [axisRoom.top, axisRoom.right, 0, 0],
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
    return (this.shown ?? emptyFrame)[axis];
  }

  private axis(axis: 'x' | 'y', unit: number): uPlot.Axis {
    const ticks = () => logTicks(this.range(axis));
    const majors = () => ticks().map(({ value, major }) => (major ? value : null));
    return {
      scale: axis,
      size: axis === 'x' ? axisRoom.bottom : axisRoom.left,
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

  /** The plot as the scene needs it, in CSS pixels. */
  private drawnPlot(plot: uPlot, frame: Frame): Plot {
    const { width, height } = plot.bbox;
    const size = { width: width / uPlot.pxRatio, height: height / uPlot.pxRatio };
    return plotOf(frame, size, canvasTextWidth(plot.ctx, this.colors().font));
  }

  private readonly onDraw = (plot: uPlot): void => {
    if (!this.shown) return;
    const { left, top } = plot.bbox;
    const drawn = this.drawnPlot(plot, this.shown);
    plot.ctx.save();
    plot.ctx.setTransform(uPlot.pxRatio, 0, 0, uPlot.pxRatio, left, top);
    const scene = [...drawPanels(drawn, this.panels, this.note), ...this.readRing(drawn)];
    paintScene(plot.ctx, drawn, scene, this.colors());
    plot.ctx.restore();
  };

  /** A ring about what is read. */
  private readRing(plot: Plot): Scene {
    if (!this.read) return [];
    const at = toPixels(plot, this.read);
    const ring = { kind: 'shape', shape: 'circle', size: 8, angle: 0, width: 2 } as const;
    return [{ ...ring, ...at, stroke: 'ink' }];
  }

  /** Hit testing is ours in mode 2. */
  private readonly onCursor = (plot: uPlot): void => {
    const { left = -1, top = -1 } = plot.cursor;
    if (!this.spoken) this.readAt({ x: left, y: top });
  };

  private readAt(at: Point): void {
    if (!this.plot || !this.shown) return;
    const outside = at.x < 0 || at.y < 0;
    const read = outside
      ? undefined
      : readableAt(this.drawnPlot(this.plot, this.shown), this.panels, at);
    if (read?.reading !== this.read?.reading) this.read = read;
  }
}

const emptyFrame: Frame = { x: { min: 1, max: 10 }, y: { min: 1, max: 10 } };
/** uPlot draws no series of ours. */
const noData = [null, [[], []]] as unknown as uPlot.AlignedData;
