import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { ComparedRun } from '../../core/compare/comparedRun.ts';
import { environmentRows, type EnvironmentRow } from '../../core/compare/environment.ts';
import { notMeasured } from '../../core/units.ts';
import { strings } from '../strings.ts';
import { sharedStyles, tableStyles } from '../styles.ts';

const words = strings.compare.environments;

/** What the compared runs were measured on and with: what differs on top, the rest folded. */
@customElement('rooftrace-environment-table')
export class EnvironmentTable extends LitElement {
  @property({ attribute: false }) runs: readonly ComparedRun[] = [];

  static override styles = [
    sharedStyles,
    tableStyles,
    css`
      th,
      td {
        min-width: 7rem;
        max-width: 16rem;
        white-space: normal;
        overflow-wrap: anywhere;
      }
      details {
        margin-top: 0.75rem;
      }
    `,
  ];

  override render(): TemplateResult {
    const rows = environmentRows(this.runs);
    const differing = rows.filter(({ differs }) => differs);
    const alike = rows.filter(({ differs }) => !differs);
    return html`
      ${
        differing.length === 0
          ? html`<p class="quiet">${words.none}</p>`
          : this.table(differing, words.differs)
      }
      ${
        alike.length === 0
          ? nothing
          : html`<details>
              <summary>${words.alikeCount(alike.length)}</summary>
              ${this.table(alike, words.alike)}
            </details>`
      }
    `;
  }

  private table(rows: readonly EnvironmentRow[], label: string): TemplateResult {
    return html`<div class="scroll" role="region" aria-label=${label} tabindex="0">
      <table>
        <thead>
          <tr>
            <th scope="col">${label}</th>
            ${this.runs.map(({ name }) => html`<th scope="col">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ({ name, values, differs }) =>
              html`<tr data-environment=${name} ?data-differs=${differs}>
                <th scope="row">${name}</th>
                ${values.map((value) => html`<td>${value ?? notMeasured}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }
}
