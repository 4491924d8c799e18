import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { Comparison } from '../../app/comparison.ts';
import {
  deviceName,
  mostCompared,
  roofOf,
  type ComparedRun,
} from '../../core/compare/comparedRun.ts';
import { dotKinds, dotPlot } from '../../core/compare/dots.ts';
import type { DeviceKind } from '../../core/run/config.ts';
import { formatNumber, formatRate } from '../../core/units.ts';
import { strings } from '../strings.ts';
import { sharedStyles, tableStyles } from '../styles.ts';
import './dot-plot.ts';

const words = strings.compare.class;

/** A class of runs: a dot a device, a row a run, up to six ticked to stand side by side. */
@customElement('rooftrace-class-view')
export class ClassView extends LitElement {
  @property({ attribute: false }) comparison!: Comparison;
  @property({ attribute: false }) runs: readonly ComparedRun[] = [];
  @property({ attribute: false }) chosen: ReadonlySet<string> = new Set();

  static override styles = [
    sharedStyles,
    tableStyles,
    css`
      header {
        display: flex;
        flex-wrap: wrap;
        justify-content: space-between;
        gap: 0.5rem;
      }
      th[scope='row'] {
        max-width: 18rem;
        white-space: normal;
        overflow-wrap: anywhere;
      }
    `,
  ];

  override render(): TemplateResult {
    const { runs, chosen } = this;
    return html`
      <header>
        <h2>${words.title(runs.length)}</h2>
        <button @click=${() => this.comparison.clearClass()}>${words.clear}</button>
      </header>
      <p class="quiet">${words.about(mostCompared)}</p>
      ${dotKinds.map(
        (kind) =>
          html`<rooftrace-dot-plot
            .plot=${dotPlot(runs, kind)}
            .chosen=${chosen}
            @dot-chosen=${({ detail }: CustomEvent<string>) => this.toggle(detail)}
          ></rooftrace-dot-plot>`,
      )}
      <div class="scroll" role="region" aria-label=${words.table} tabindex="0">
        <table>
          <thead>
            <tr>
              <th scope="col">${words.compare}</th>
              <th scope="col">${words.run}</th>
              ${(['gpu', 'cpu'] as const).map(headings)}
            </tr>
          </thead>
          <tbody>
            ${runs.map((run) => this.row(run))}
          </tbody>
        </table>
      </div>
    `;
  }

  private row(run: ComparedRun): TemplateResult {
    const ticked = this.chosen.has(run.id);
    return html`<tr data-class-run=${run.id}>
      <td>
        <input
          type="checkbox"
          aria-label=${words.compareRun(run.name)}
          .checked=${ticked}
          ?disabled=${!ticked && this.comparison.full}
          @change=${() => this.toggle(run.id)}
        />
      </td>
      <th scope="row">${run.name}</th>
      ${(['gpu', 'cpu'] as const).map((device) => cells(run, device))}
    </tr>`;
  }

  private toggle(id: string): void {
    const run = this.runs.find((candidate) => candidate.id === id);
    if (run) this.comparison.toggle(run);
  }
}

function headings(device: DeviceKind): TemplateResult {
  return html`${words
    .columns(device.toUpperCase())
    .map(
      (name, index) => html`<th scope="col" class=${index === 0 ? '' : 'number'}>${name}</th>`,
    )}`;
}

function cells({ run }: ComparedRun, device: DeviceKind): TemplateResult {
  const roof = roofOf(run.summary, device);
  return html`
    <td>${deviceName(run, device)}</td>
    <td class="number">${roof ? formatRate(roof.compute.value, 'flop/s') : ''}</td>
    <td class="number">${roof ? formatRate(roof.memory.value, 'byte/s') : ''}</td>
    <td class="number">${roof ? formatNumber(roof.ridge) : ''}</td>
  `;
}
