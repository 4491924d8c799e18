import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import type { AddressState } from '../../app/address.ts';
import { Comparison } from '../../app/comparison.ts';
import { inputErrorText } from '../../app/files.ts';
import type { RunHistory } from '../../app/history.ts';
import type { Navigation } from '../../app/navigation.ts';
import { loadReferenceIndex } from '../../app/reference.ts';
import type { Session } from '../../app/session.ts';
import { deviceName, hasSoftwareGpu, mostCompared } from '../../core/compare/comparedRun.ts';
import { runPanels } from '../../core/compare/panels.ts';
import { roofFrame } from '../../core/chart/frame.ts';
import type { ReferenceIndex } from '../../core/compare/referenceIndex.ts';
import { ratioRows } from '../../core/compare/sides.ts';
import type { DeviceKind } from '../../core/run/config.ts';
import '../notices.ts';
import type { Notice } from '../notices.ts';
import '../roofline-chart.ts';
import { strings } from '../strings.ts';
import { sharedStyles } from '../styles.ts';
import './class-view.ts';
import './compared-runs.ts';
import './environment-table.ts';
import './figure-table.ts';
import './run-sources.ts';

const words = strings.compare;

/** Runs side by side: what differs around them, their rooflines over each other, and ratios. */
@customElement('rooftrace-compare-view')
export class CompareView extends LitElement {
  @property({ attribute: false }) session!: Session;
  @property({ attribute: false }) navigation!: Navigation;
  @property({ attribute: false }) history!: Promise<RunHistory>;
  /** The page's address, which is the view's state. */
  @property({ attribute: false }) address!: AddressState;
  @state() private reference: ReferenceIndex = { runs: [], spreads: {} };
  @state() private referenceNotice: Notice | undefined;
  @query('#add') private first!: HTMLElement;
  private readonly comparison = new Comparison();
  private stop: (() => void) | undefined;

  static override styles = [
    sharedStyles,
    css`
      section.view {
        display: grid;
        gap: 1rem;
      }
      section.view > * {
        min-width: 0;
      }
      h2 {
        margin-bottom: 0.5rem;
      }
      .charts {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 27rem), 1fr));
        gap: 1rem;
      }
      .card > p {
        margin-bottom: 0.5rem;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    // The element may be older than its class: its properties are there from the first update on.
    if (this.hasUpdated) this.follow();
  }

  override firstUpdated(): void {
    this.follow();
    void this.loadReference();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop?.();
  }

  override render(): TemplateResult {
    const { comparison } = this;
    const { runs, classRuns, problems } = comparison;
    const notices: readonly Notice[] = [
      ...problems.map(({ title, lines }) => ({
        id: 'compare',
        level: 'error' as const,
        title,
        lines,
      })),
      ...(this.referenceNotice ? [this.referenceNotice] : []),
    ];
    return html`<section class="view" aria-label=${strings.views.compare}>
      <rooftrace-notices .notices=${notices} ?hidden=${notices.length === 0}></rooftrace-notices>
      <section class="card" aria-labelledby="add">
        <h2 id="add" tabindex="-1">${words.add}</h2>
        <p class="quiet">${words.most(mostCompared)}</p>
        <rooftrace-run-sources
          .comparison=${comparison}
          .history=${this.history}
          .references=${this.reference.runs}
        ></rooftrace-run-sources>
      </section>
      ${
        classRuns.length === 0
          ? nothing
          : html`<section class="card">
              <rooftrace-class-view
                .comparison=${comparison}
                .runs=${classRuns}
                .chosen=${new Set(runs.map(({ id }) => id))}
              ></rooftrace-class-view>
            </section>`
      }
      ${runs.length === 0 ? this.nothingYet() : this.sideBySide()}
    </section>`;
  }

  private follow(): void {
    let before = this.comparison.runs.length;
    this.stop = this.comparison.subscribe(() => {
      const { length } = this.comparison.runs;
      // The button that took the last one away goes with it, and would take the focus along.
      if (length === 0 && before > 0) this.first.focus();
      before = length;
      this.requestUpdate();
    });
    const { run, busy } = this.session;
    if (run && !busy && this.comparison.runs.length === 0) this.comparison.add(run, 'page');
  }

  private nothingYet(): TemplateResult {
    return html`<p class="quiet">${words.nothingYet}</p>`;
  }

  private sideBySide(): TemplateResult {
    const { comparison } = this;
    const { runs, sides } = comparison;
    const rows = ratioRows(runs, sides, this.reference.spreads);
    return html`
      <section class="card" aria-labelledby="runs">
        <h2 id="runs">${words.runs}</h2>
        <p class="quiet">${words.runsAbout}</p>
        <rooftrace-compared-runs .comparison=${comparison} .runs=${runs}></rooftrace-compared-runs>
      </section>
      ${
        runs.length < 2
          ? nothing
          : html`<section class="card" aria-labelledby="environment">
              <h2 id="environment">${words.environment}</h2>
              <rooftrace-environment-table .runs=${runs}></rooftrace-environment-table>
            </section>`
      }
      <div class="charts">${(['gpu', 'cpu'] as const).map((device) => this.chart(device))}</div>
      <section class="card" aria-labelledby="figures">
        <h2 id="figures">${words.figures}</h2>
        <p class="quiet">${words.figuresAbout}</p>
        <rooftrace-figure-table
          .runs=${runs}
          .sides=${sides}
          .rows=${rows}
        ></rooftrace-figure-table>
      </section>
    `;
  }

  private chart(device: DeviceKind): TemplateResult | typeof nothing {
    const { runs } = this.comparison;
    const panels = runPanels(runs, device);
    if (panels.length === 0) return nothing;
    const title = device.toUpperCase();
    const software = device === 'gpu' ? runs.filter(({ run }) => hasSoftwareGpu(run)) : [];
    return html`<section class="card" aria-label=${words.rooflines(title)}>
      <h2>${title}</h2>
      <p class="quiet">
        ${[...new Set(runs.map(({ run }) => deviceName(run, device)))].join('; ')}
      </p>
      <rooftrace-chart
        data-overlay=${device}
        .panels=${panels}
        .frame=${roofFrame(panels)}
        .note=${software.length === 0 ? '' : words.software(software.length, panels.length)}
      ></rooftrace-chart>
    </section>`;
  }

  private async loadReference(): Promise<void> {
    const parsed = await loadReferenceIndex();
    if (parsed.kind === 'ok') this.reference = parsed.value;
    else
      this.referenceNotice = {
        id: 'reference',
        level: 'note',
        title: words.noReference,
        lines: parsed.errors.map(inputErrorText),
      };
  }
}
