import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { trajectoryFrame, type ChartView, type Frame } from '../core/chart/frame.ts';
import {
  availableLayers,
  defaultLayers,
  shownPanel,
  type ChartLayers,
} from '../core/chart/layers.ts';
import type { ChartPanel, TrajectoryLine } from '../core/chart/panel.ts';
import { whyIntensityStays } from '../core/roofline/intensities.ts';
import { growthOf } from '../core/roofline/segments.ts';
import type { DeviceKind } from '../core/run/config.ts';
import './roofline-chart.ts';
import type { RooflineChart } from './roofline-chart.ts';
import { strings } from './strings.ts';
import { sharedStyles } from './styles.ts';

const words = strings.intensities;

const titles: Record<DeviceKind, string> = { gpu: 'GPU', cpu: 'CPU' };
const viewNames: Record<ChartView, string> = strings.panel.views;

/**
 * One device's chart with its heading, its legend and a close view of the trajectory. Fires
 * `layers-changed` (detail: ChartLayers).
 */
@customElement('rooftrace-panel')
export class RooflinePanel extends LitElement {
  @property({ attribute: false }) panel!: ChartPanel;
  /** The frame that all panels share. */
  @property({ attribute: false }) frame!: Frame;
  /** What the device is, beside the heading. */
  @property() subtitle = '';
  @property({ attribute: false }) layers: ChartLayers = defaultLayers;
  /** Whose numbers these are, where they are not this machine's. */
  @property() note = '';
  /** The panel is an example of what a run will show. */
  @property({ type: Boolean }) example = false;
  @state() private view: ChartView = 'roof';
  @query('rooftrace-chart') private chart!: RooflineChart;

  static override styles = [
    sharedStyles,
    css`
      section {
        height: 100%;
      }
      header {
        display: flex;
        align-items: center;
        gap: 0.25rem 0.75rem;
        min-height: 2rem;
      }
      p {
        min-height: 1.5em;
        margin-bottom: 0.5rem;
        overflow-wrap: anywhere;
      }
      .views {
        margin-left: auto;
      }
      .views button {
        padding: 0.1875rem 0.625rem;
        font-size: 0.8125rem;
      }
      .views button + button {
        margin-left: 0.25rem;
      }
      [aria-pressed='true'] {
        border-color: var(--accent);
        color: var(--accent);
        font-weight: 600;
      }
      ul {
        display: flex;
        flex-wrap: wrap;
        gap: 0.125rem 1.25rem;
        min-height: 1.5em;
        margin: 0.375rem 0;
        padding: 0;
        list-style: none;
        font-size: 0.8125rem;
      }
      li {
        display: flex;
        align-items: center;
        gap: 0.4375rem;
      }
      svg {
        flex: none;
        overflow: visible;
      }
      @media print {
        section {
          break-inside: avoid;
        }
        .views {
          display: none;
        }
      }
      .work {
        color: var(--work);
      }
      .parallelism {
        color: var(--parallelism);
      }
    `,
  ];

  override render(): TemplateResult {
    const { example } = this;
    const panel = shownPanel(this.panel, this.layers);
    const zoomable = panel.trajectories.length > 0 && !example;
    const view = zoomable ? this.view : 'roof';
    const frame = view === 'roof' ? this.frame : trajectoryFrame(panel);
    return html`
      <section class="card" aria-labelledby="title">
        <header>
          <h2 id="title">${titles[panel.device]}</h2>
          ${zoomable ? this.viewButtons(view) : nothing}
        </header>
        <p class="quiet">${this.subtitle}</p>
        <rooftrace-chart .panels=${[panel]} .frame=${frame} .note=${this.note} ?example=${example}>
          <ul>
            ${panel.trajectories.map(legendItem)} ${panel.knee.length > 0 ? kneeItem : nothing}
          </ul>
        </rooftrace-chart>
        ${this.stillIntensity(panel)}
      </section>
    `;
  }

  /** Where the points of a sweep stand above each other by the nature of the count, that is said. */
  private stillIntensity({ trajectories }: ChartPanel): TemplateResult | typeof nothing {
    const why = new Set(
      trajectories.flatMap(({ parameter }) => whyIntensityStays(parameter) ?? []),
    );
    if (why.size === 0 || this.example) return nothing;
    return html`<p class="quiet" data-still-intensity>
      ${[...why].join(' ')}
      ${
        !availableLayers(this.panel).includes('issued')
          ? words.issuedUnknown
          : html`<button
              aria-pressed=${this.layers.issued}
              @click=${() => this.showIssued(!this.layers.issued)}
            >
              ${words.issued}
            </button>`
      }
    </p>`;
  }

  private showIssued(issued: boolean): void {
    const detail: ChartLayers = { ...this.layers, issued };
    this.dispatchEvent(new CustomEvent('layers-changed', { detail }));
  }

  private look(view: ChartView): void {
    this.view = view;
    this.chart.reset();
  }

  private viewButtons(current: ChartView): TemplateResult {
    return html`
      <div
        class="views"
        role="group"
        aria-label=${strings.panel.viewsOf(titles[this.panel.device])}
      >
        ${(['roof', 'trajectory'] as const).map(
          (view) => html`
            <button aria-pressed=${view === current} @click=${() => this.look(view)}>
              ${viewNames[view]}
            </button>
          `,
        )}
      </div>
    `;
  }
}

const kneeItem = html`<li>
  <svg width="12" height="12" aria-hidden="true">
    <path d="M6 1l5 5-5 5-5-5z" fill="none" stroke="currentColor" stroke-width="1.5" />
  </svg>
  ${strings.panel.knee}
</li>`;

/** The same shapes and dashes as on the canvas. */
function legendItem({ parameter }: TrajectoryLine): TemplateResult {
  switch (growthOf(parameter)) {
    case 'work':
      return html`<li>
        <svg class="work" width="34" height="10" aria-hidden="true">
          <path d="M0 5h34" stroke="currentColor" stroke-width="1.75" />
          <circle cx="17" cy="5" r="3.5" fill="currentColor" />
        </svg>
        ${strings.panel.work(strings.panel.growing[parameter])}
      </li>`;
    case 'parallelism':
      return html`<li>
        <svg class="parallelism" width="34" height="10" aria-hidden="true">
          <path d="M0 5h34" stroke="currentColor" stroke-width="1.75" stroke-dasharray="4 3" />
          <rect x="13.5" y="1.5" width="7" height="7" fill="currentColor" />
        </svg>
        ${strings.panel.parallelism(strings.panel.growing[parameter])}
      </li>`;
  }
}
