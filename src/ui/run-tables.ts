import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { RunSummary } from '../core/run/record.ts';
import type { Sample } from '../core/roofline/sample.ts';
import { wholeSteps } from '../core/roofline/wholeSteps.ts';
import './ceiling-table.ts';
import { figureTables } from './figure-tables.ts';
import { strings } from './strings.ts';
import { sharedStyles, tableStyles } from './styles.ts';
import './trajectory-table.ts';

/** Every number of a run: the charts' twin for those who do not see them, and for experts. */
@customElement('rooftrace-run-tables')
export class RunTables extends LitElement {
  @property({ attribute: false }) summary: RunSummary | undefined;
  /** Samples whose status is not `ok`. */
  @property({ attribute: false }) refused: readonly Sample[] = [];

  static override styles = [
    sharedStyles,
    tableStyles,
    css`
      section + section {
        margin-top: 1rem;
      }
      h2 {
        margin-bottom: 0.75rem;
      }
      details + details {
        margin-top: 0.75rem;
      }
      summary {
        color: var(--ink);
        font-size: 0.9375rem;
      }
      details table {
        margin-top: 0.5rem;
      }
    `,
  ];

  override render(): TemplateResult | typeof nothing {
    if (!this.summary) return nothing;
    const { rooflines } = this.summary;
    const trajectories = wholeSteps(this.summary.trajectories);
    const figures = figureTables(this.summary);
    return html`
      <section class="card" aria-labelledby="ceilings" ?hidden=${rooflines.length === 0}>
        <h2 id="ceilings">${strings.tables.ceilings}</h2>
        <rooftrace-ceiling-table
          .rooflines=${rooflines}
          .refused=${this.refused}
        ></rooftrace-ceiling-table>
      </section>
      <section class="card" aria-labelledby="trajectories" ?hidden=${trajectories.length === 0}>
        <h2 id="trajectories">${strings.tables.trajectories}</h2>
        <rooftrace-trajectory-table .trajectories=${trajectories}></rooftrace-trajectory-table>
      </section>
      <section class="card" aria-labelledby="figures" ?hidden=${figures.length === 0}>
        <h2 id="figures">${strings.tables.figures}</h2>
        ${figures}
      </section>
    `;
  }
}
