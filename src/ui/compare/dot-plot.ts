import { css, html, LitElement, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { logTicks } from '../../core/chart/axis.ts';
import { dotText, type Dot, type DotKind, type DotPlot } from '../../core/compare/dots.ts';
import { strings } from '../strings.ts';
import { sharedStyles } from '../styles.ts';

const words = strings.compare.class;

const titles: Record<DotKind, string> = words.dots;
const rowHeight = 12;
/** Half the width of the longest label, in pixels. */
const labelReach = 50;
const margin = { side: 34, top: 8, bottom: 24 };

/** A figure of every device of a class on one axis. Fires `dot-chosen` (detail: the run's id). */
@customElement('rooftrace-dot-plot')
export class DotPlotElement extends LitElement {
  @property({ attribute: false }) plot!: DotPlot;
  /** Ids of the runs that stand side by side. */
  @property({ attribute: false }) chosen: ReadonlySet<string> = new Set();
  @query('#plot') private holder!: HTMLElement;
  @state() private width = 0;
  @state() private reading = '';

  private readonly resize = new ResizeObserver(() => (this.width = this.holder.clientWidth));

  static override styles = [
    sharedStyles,
    css`
      svg {
        display: block;
      }
      text {
        fill: var(--muted);
        font-size: 12px;
      }
      line {
        stroke: var(--hairline);
      }
      .dot {
        fill: var(--surface);
        stroke-width: 1.75;
        cursor: pointer;
      }
      .gpu {
        stroke: var(--accent-0);
      }
      .cpu {
        stroke: var(--accent-1);
      }
      .chosen.gpu {
        fill: var(--accent-0);
      }
      .chosen.cpu {
        fill: var(--accent-1);
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
    const { kind, dots } = this.plot;
    const label = words.dotsAbout(titles[kind], dots.length);
    return html`
      <h3>${titles[kind]}</h3>
      <div id="plot" role="img" aria-label=${label}>${this.width > 0 ? this.drawing() : ''}</div>
      <output aria-live="off">${this.reading}</output>
    `;
  }

  private drawing(): TemplateResult {
    const { width } = this;
    const { kind, range, dots, rows } = this.plot;
    const base = margin.top + Math.max(1, rows) * rowHeight;
    const across = (position: number): number => margin.side + position * (width - 2 * margin.side);
    const span = Math.log(range.max / range.min);
    const ticks = logTicks(range).filter(({ major }) => major);
    return html`<svg width=${width} height=${base + margin.bottom}>
      ${ticks.map(({ value }) => {
        const x = across(Math.log(value / range.min) / span);
        return svg`<line x1=${x} x2=${x} y1="0" y2=${base} />
          <text x=${x} y=${base + 16} text-anchor=${anchorAt(x, width)}>${dotText(kind, value)}</text>`;
      })}
      ${dots.map((dot) => this.dot(dot, across(dot.position), base - (dot.row + 0.5) * rowHeight))}
    </svg>`;
  }

  /** A circle for a GPU, a square for a CPU. */
  private dot({ runId, device, label }: Dot, x: number, y: number): SVGTemplateResult {
    const classes = `dot ${device} ${this.chosen.has(runId) ? 'chosen' : ''}`;
    const choose = (): void => {
      this.dispatchEvent(new CustomEvent('dot-chosen', { detail: runId }));
    };
    const read = (): void => {
      this.reading = label;
    };
    return device === 'gpu'
      ? svg`<circle class=${classes} cx=${x} cy=${y} r="4.5" @click=${choose} @pointerenter=${read}><title>${label}</title></circle>`
      : svg`<rect class=${classes} x=${x - 4} y=${y - 4} width="8" height="8" @click=${choose} @pointerenter=${read}><title>${label}</title></rect>`;
  }
}

/** A label near an end of the axis stays within it. */
function anchorAt(x: number, width: number): 'start' | 'middle' | 'end' {
  if (x < labelReach) return 'start';
  return x > width - labelReach ? 'end' : 'middle';
}
