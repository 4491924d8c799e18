import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import {
  availableLayers,
  defaultLayers,
  layerNames,
  type ChartLayers,
  type LayerName,
} from '../core/chart/layers.ts';
import type { ChartPanel } from '../core/chart/panel.ts';
import { opGroupLabels, opGroups, type OpGroup } from '../core/nn/opGroups.ts';
import { strings } from './strings.ts';
import { sharedStyles } from './styles.ts';

/**
 * What the charts show. Fires `layers-changed` (detail: ChartLayers), `kinds-changed` (a set of the
 * hidden kinds of calls) and `overlay-changed` (boolean).
 */
@customElement('rooftrace-chart-layers')
export class ChartLayerSwitches extends LitElement {
  @property({ attribute: false }) panels: readonly ChartPanel[] = [];
  @property({ attribute: false }) layers: ChartLayers = defaultLayers;
  /** Of kernel calls, where these are shown. */
  @property({ attribute: false }) hiddenKinds: ReadonlySet<OpGroup> = new Set();
  @property({ type: Boolean }) overlay = false;

  static override styles = [
    sharedStyles,
    css`
      fieldset {
        display: flex;
        flex-wrap: wrap;
        gap: 0.25rem 1.25rem;
        min-width: 0;
        margin: 0.5rem 0 0;
        padding: 0;
        border: 0;
      }
      legend {
        float: left;
        width: auto;
        padding: 0;
        color: var(--muted);
      }
      label {
        font-size: 0.875rem;
      }
      @media print {
        :host {
          display: none;
        }
      }
    `,
  ];

  override render(): TemplateResult {
    const available = new Set(this.panels.flatMap(availableLayers));
    return html`
      <details>
        <summary>${strings.layers.title}</summary>
        <fieldset>
          <legend class="visually-hidden">${strings.layers.title}</legend>
          ${layerNames.filter((name) => available.has(name)).map((name) => this.switch(name))}
          ${
            this.panels.length > 1
              ? html`<label>
                  <input type="checkbox" .checked=${this.overlay} @change=${this.onOverlay} />
                  ${strings.layers.overlay}
                </label>`
              : ''
          }
        </fieldset>
        ${this.layers.kernels ? this.kindSwitches() : nothing}
      </details>
    `;
  }

  private switch(name: LayerName): TemplateResult {
    const onChange = ({ currentTarget }: Event): void => {
      const { checked } = currentTarget as HTMLInputElement;
      const detail: ChartLayers = { ...this.layers, [name]: checked };
      this.dispatchEvent(new CustomEvent('layers-changed', { detail }));
    };
    return html`<label>
      <input type="checkbox" .checked=${this.layers[name]} @change=${onChange} />
      ${strings.layers.names[name]}
    </label>`;
  }

  private kindSwitches(): TemplateResult {
    const shown = new Set(this.panels.flatMap(({ kernels }) => kernels.map(({ kind }) => kind)));
    return html`<fieldset>
      <legend>${strings.layers.kinds}</legend>
      ${opGroups.filter((kind) => shown.has(kind)).map((kind) => this.kindSwitch(kind))}
    </fieldset>`;
  }

  private kindSwitch(kind: OpGroup): TemplateResult {
    const onChange = ({ currentTarget }: Event): void => {
      const detail = new Set(this.hiddenKinds);
      if ((currentTarget as HTMLInputElement).checked) detail.delete(kind);
      else detail.add(kind);
      this.dispatchEvent(new CustomEvent('kinds-changed', { detail }));
    };
    return html`<label>
      <input type="checkbox" .checked=${!this.hiddenKinds.has(kind)} @change=${onChange} />
      ${opGroupLabels[kind]}
    </label>`;
  }

  private readonly onOverlay = ({ currentTarget }: Event): void => {
    const detail = (currentTarget as HTMLInputElement).checked;
    this.dispatchEvent(new CustomEvent('overlay-changed', { detail }));
  };
}
