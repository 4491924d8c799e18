import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { examplePanel } from '../core/chart/example.ts';
import { roofFrame, type Frame } from '../core/chart/frame.ts';
import {
  defaultLayers,
  shownPanel,
  withoutKinds,
  withWhiskers,
  type ChartLayers,
} from '../core/chart/layers.ts';
import { chartPanel, type ChartPanel } from '../core/chart/panel.ts';
import { devicesOf, type DeviceChoice } from '../core/run/config.ts';
import type { OpGroup } from '../core/nn/opGroups.ts';
import type { RunSummary } from '../core/run/record.ts';
import './chart-layers.ts';
import { comparisons } from './comparisons.ts';
import { panelSubtitle } from './device-names.ts';
import './roofline-panel.ts';
import { strings } from './strings.ts';
import { sharedStyles } from './styles.ts';

/** The charts of a run: a panel a device, in one frame, or both devices in one chart. */
@customElement('rooftrace-run-charts')
export class RunCharts extends LitElement {
  /** What was measured; undefined before a run, when examples are shown. */
  @property({ attribute: false }) summary: RunSummary | undefined;
  @property() devices: DeviceChoice = 'both';
  @property({ type: Boolean }) busy = false;
  @state() private layers: ChartLayers = defaultLayers;
  @state() private hiddenKinds: ReadonlySet<OpGroup> = new Set();
  @state() private overlay = false;

  static override styles = [
    sharedStyles,
    css`
      .panels {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 27rem), 1fr));
        gap: 1rem;
      }
      rooftrace-chart-layers {
        margin-bottom: 0.75rem;
      }
      h2 {
        margin-bottom: 0.5rem;
      }
      .comparisons {
        margin-top: 1rem;
      }
      .comparisons p {
        max-width: 60rem;
      }
    `,
  ];

  override render(): TemplateResult {
    const panels = this.panels();
    const measured = panels.filter(isMeasured);
    return html`
      <rooftrace-chart-layers
        .panels=${this.wholePanels()}
        .layers=${this.layers}
        .hiddenKinds=${this.hiddenKinds}
        @kinds-changed=${({ detail }: CustomEvent<ReadonlySet<OpGroup>>) => (this.hiddenKinds = detail)}
        ?overlay=${this.overlay}
        ?hidden=${measured.length === 0}
        @layers-changed=${this.onLayers}
        @overlay-changed=${({ detail }: CustomEvent<boolean>) => (this.overlay = detail)}
      ></rooftrace-chart-layers>
      ${
        this.overlay && measured.length > 1
          ? this.overlaid(measured)
          : html`<div class="panels">${panels.map((panel) => this.single(panel, measured))}</div>`
      }
      ${this.busy ? nothing : comparisons(this.summary?.trajectories ?? [])}
    `;
  }

  /** The charts as they are shown, for a picture of them. */
  get pictures(): readonly ChartPanel[] {
    return this.panels()
      .filter(isMeasured)
      .map((panel) => shownPanel(panel, this.layers));
  }

  private panels(): readonly ChartPanel[] {
    return this.wholePanels().map((panel) => withoutKinds(panel, this.hiddenKinds));
  }

  private wholePanels(): readonly ChartPanel[] {
    const summary = this.summary ?? { rooflines: [], trajectories: [] };
    return devicesOf(this.devices).map((device) => chartPanel(summary, device));
  }

  private single(panel: ChartPanel, measured: readonly ChartPanel[]): TemplateResult {
    const { device } = panel;
    if (!isMeasured(panel) && !this.busy) return this.example(panel);
    const environment = this.summary?.environment.devices.find((one) => one.device === device);
    const software = environment?.device === 'gpu' && environment.software;
    return html`
      <rooftrace-panel
        .panel=${panel}
        .frame=${this.frameOf(measured)}
        .layers=${this.layers}
        @layers-changed=${this.onLayers}
        .note=${software ? strings.charts.softwareGpu : ''}
        .subtitle=${panelSubtitle(environment, this.failed(device))}
      ></rooftrace-panel>
    `;
  }

  private example({ device }: ChartPanel): TemplateResult {
    const { panel, note } = examplePanel(device);
    return html`
      <rooftrace-panel
        example
        .panel=${panel}
        .frame=${roofFrame([panel])}
        .note=${note}
        .subtitle=${panelSubtitle(undefined, this.failed(device))}
      ></rooftrace-panel>
    `;
  }

  private overlaid(panels: readonly ChartPanel[]): TemplateResult {
    const shown = panels.map((panel, index): ChartPanel => {
      const overlay = { name: panel.device.toUpperCase(), accent: index === 0 ? 0 : 1 } as const;
      return Object.assign(shownPanel(panel, this.layers), { overlay });
    });
    return html`
      <section class="card" aria-labelledby="overlaid">
        <h2 id="overlaid">${strings.charts.overlaid}</h2>
        <rooftrace-chart .panels=${shown} .frame=${this.frameOf(panels)}></rooftrace-chart>
      </section>
    `;
  }

  private readonly onLayers = ({ detail }: CustomEvent<ChartLayers>): void => {
    this.layers = detail;
  };

  /** One frame for all panels, with room for the whiskers and kinds of calls that are shown. */
  private frameOf(panels: readonly ChartPanel[]): Frame {
    return roofFrame(
      panels.map((panel) => ({
        ...panel,
        kernels: this.layers.kernels ? panel.kernels : [],
        trajectories: panel.trajectories.map((line) => withWhiskers(line, this.layers)),
      })),
    );
  }

  private failed(device: ChartPanel['device']): boolean {
    return this.summary?.failures.some((failure) => failure.device === device) ?? false;
  }
}

function isMeasured({ ceilings, trajectories }: ChartPanel): boolean {
  return ceilings.length > 0 || trajectories.length > 0;
}
