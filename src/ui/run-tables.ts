import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { processPoints } from '../core/roofline/processes.ts';
import { timeViews } from '../core/roofline/timeViews.ts';
import type { RunRecord, RunSummary } from '../core/run/record.ts';
import type { Trajectory } from '../core/roofline/types.ts';
import { wholeSteps } from '../core/roofline/wholeSteps.ts';
import './ceiling-table.ts';
import { figureTables } from './figure-tables.ts';
import { processTable } from './process-table.ts';
import { strings } from './strings.ts';
import { sharedStyles, tableStyles } from './styles.ts';
import { timeViewTable } from './time-view.ts';
import './trajectory-table.ts';
import { tuningTables } from './tuning-tables.ts';

/** Every number of a run: the charts' twin for those who do not see them, and for experts. */
@customElement('rooftrace-run-tables')
export class RunTables extends LitElement {
  @property({ attribute: false }) summary: RunSummary | undefined;
  /** Absent where the run came by link, without its measurements. */
  @property({ attribute: false }) record: RunRecord | undefined;
  @property({ type: Boolean }) busy = false;

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
    const { rooflines, tuning } = this.summary;
    const trajectories = wholeSteps(this.summary.trajectories);
    const { events = [] } = this.record ?? {};
    const refused = events.flatMap((event) =>
      event.kind === 'sample' && event.sample.status !== 'ok' ? [event.sample] : [],
    );
    // Views of calls take a while to derive: a run that goes on must not wait for them.
    const views = this.busy ? [] : timeViews(events, rooflines);
    const figures = [
      ...views.map(timeViewTable),
      ...processTable(processPoints(trajectories)),
      ...this.projection(trajectories),
      ...figureTables(this.summary),
    ];
    return html`
      <section class="card" aria-labelledby="ceilings" ?hidden=${rooflines.length === 0}>
        <h2 id="ceilings">${strings.tables.ceilings}</h2>
        <rooftrace-ceiling-table
          .rooflines=${rooflines}
          .refused=${refused}
        ></rooftrace-ceiling-table>
      </section>
      <section class="card" aria-labelledby="trajectories" ?hidden=${trajectories.length === 0}>
        <h2 id="trajectories">${strings.tables.trajectories}</h2>
        <rooftrace-trajectory-table
          .trajectories=${trajectories}
          .rooflines=${rooflines}
        ></rooftrace-trajectory-table>
      </section>
      <section class="card" aria-labelledby="tuning" ?hidden=${tuning.length === 0}>
        <h2 id="tuning">${strings.tuning.title}</h2>
        ${tuningTables(tuning)}
      </section>
      <section class="card" aria-labelledby="figures" ?hidden=${figures.length === 0}>
        <h2 id="figures">${strings.tables.figures}</h2>
        ${figures}
      </section>
    `;
  }

  /** Its element is loaded when it is first looked at. */
  private projection(trajectories: readonly Trajectory[]): readonly TemplateResult[] {
    const batches = trajectories.filter(({ parameter }) => parameter === 'batch');
    if (batches.length === 0) return [];
    return [
      html`<details data-figures="projection" @toggle=${() => void import('./projection.ts')}>
        <summary>${strings.projection.title}</summary>
        <rooftrace-projection .trajectories=${batches}></rooftrace-projection>
      </details>`,
    ];
  }
}
