import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { AddressState } from '../app/address.ts';
import { inputErrorText, readRecord } from '../app/files.ts';
import type { RunHistory } from '../app/history.ts';
import type { Navigation } from '../app/navigation.ts';
import { runProgress } from '../app/progress.ts';
import type { Session } from '../app/session.ts';
import { throttle } from '../app/throttle.ts';
import { hiddenCount } from '../app/visibility.ts';
import { chartPanel } from '../core/chart/panel.ts';
import { roofFrame } from '../core/chart/frame.ts';
import { devicesOf, type RunConfig } from '../core/run/config.ts';
import type { RunRecord, RunSummary } from '../core/run/record.ts';
import './ceiling-table.ts';
import './device-card.ts';
import { panelSubtitle } from './device-names.ts';
import './failures.ts';
import './file-buttons.ts';
import './notices.ts';
import type { Notice } from './notices.ts';
import './roofline-panel.ts';
import './run-controls.ts';
import './run-progress.ts';
import { sharedStyles } from './styles.ts';
import './trajectory-table.ts';

/** A file that is something else altogether has as many errors as fields. */
const mostFileErrors = 4;
const nothingMeasured = { rooflines: [], trajectories: [] };
/** A live run redraws at most this often: measuring must not wait for the page. */
const redrawMilliseconds = 300;

/** The measure view: what is measured, how it goes, what came out. */
@customElement('rooftrace-measure-view')
export class MeasureView extends LitElement {
  @property({ attribute: false }) session!: Session;
  @property({ attribute: false }) navigation!: Navigation;
  @property({ attribute: false }) history!: Promise<RunHistory>;
  @property({ attribute: false }) address!: AddressState;
  @state() private fileNotice: Notice | undefined;
  private unsubscribe: (() => void) | undefined;

  static override styles = [
    sharedStyles,
    css`
      section.view,
      .top,
      .panels {
        display: grid;
        gap: 1rem;
      }
      section.view > * {
        min-width: 0;
      }
      .top,
      .panels {
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 27rem), 1fr));
      }
      h2 {
        margin-bottom: 0.75rem;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    this.unsubscribe = this.session.subscribe(
      throttle(redrawMilliseconds, () => this.requestUpdate()),
    );
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.unsubscribe?.();
  }

  override render(): TemplateResult {
    const { session } = this;
    const { store, busy } = session;
    const { kind } = session.state;
    const record = store?.record();
    const summary = store?.summary();
    const failures = summary?.failures ?? [];
    const notices = this.notices(record);
    return html`
      <section class="view" aria-label="Measure">
        <rooftrace-notices .notices=${notices} ?hidden=${notices.length === 0}></rooftrace-notices>
        <div class="top">
          <rooftrace-device-card
            .host=${record?.environment ?? session.environment}
            .devices=${summary?.environment.devices ?? []}
            ?gpuFailed=${failures.some(({ device }) => device === 'gpu')}
            ?opened=${kind === 'opened'}
          ></rooftrace-device-card>
          <div class="card">
            <rooftrace-run-controls
              .config=${this.address.config}
              ?busy=${busy}
              ?cancelling=${kind === 'cancelling'}
              @run-requested=${this.onRun}
              @cancel-requested=${() => session.cancel()}
              @config-changed=${this.onConfig}
            >
              <rooftrace-progress
                .progress=${record && runProgress(record)}
                ?cancelling=${kind === 'cancelling'}
              ></rooftrace-progress>
            </rooftrace-run-controls>
          </div>
        </div>
        <rooftrace-failures
          .failures=${failures}
          ?hidden=${failures.length === 0}
        ></rooftrace-failures>
        ${this.charts(record, summary)} ${record && summary ? tables(record, summary) : nothing}
        <rooftrace-files
          .record=${store && (() => store.record())}
          ?busy=${busy}
          @file-chosen=${this.onFile}
        ></rooftrace-files>
      </section>
    `;
  }

  private charts(record: RunRecord | undefined, summary: RunSummary | undefined): TemplateResult {
    const devices = devicesOf((record?.config ?? this.address.config).device);
    const panels = devices.map((device) => chartPanel(summary ?? nothingMeasured, device));
    const frame = roofFrame(panels);
    const environments = summary?.environment.devices ?? [];
    const failures = summary?.failures ?? [];
    return html`
      <div class="panels">
        ${panels.map(
          (panel) => html`
            <rooftrace-panel
              .panel=${panel}
              .frame=${frame}
              .subtitle=${panelSubtitle(
                environments.find(({ device }) => device === panel.device),
                failures.some(({ device }) => device === panel.device),
              )}
            ></rooftrace-panel>
          `,
        )}
      </div>
    `;
  }

  private notices(record: RunRecord | undefined): readonly Notice[] {
    const { state: session } = this.session;
    const hidden = record ? hiddenCount(record.events) : 0;
    return [
      ...(this.fileNotice ? [this.fileNotice] : []),
      ...(record && session.kind === 'opened' ? [openedNotice(record, session.fileName)] : []),
      ...(hidden > 0 ? [hiddenNotice(hidden)] : []),
    ];
  }

  private readonly onConfig = ({ detail: config }: CustomEvent<RunConfig>): void => {
    this.navigation.replace({ config });
  };

  private readonly onRun = (): void => {
    this.fileNotice = undefined;
    this.session.start(this.address.config);
  };

  private readonly onFile = async ({ detail: file }: CustomEvent<File>): Promise<void> => {
    const parsed = await readRecord(file);
    if (parsed.kind === 'ok') {
      this.fileNotice = undefined;
      this.session.open(parsed.value, file.name);
    } else {
      this.fileNotice = {
        id: 'file',
        level: 'error',
        title: `${file.name} is not a run saved by Rooftrace.`,
        lines: parsed.errors.slice(0, mostFileErrors).map(inputErrorText),
      };
    }
  };
}

function tables(record: RunRecord, { rooflines, trajectories }: RunSummary): TemplateResult {
  const refused = record.events.flatMap((event) =>
    event.kind === 'sample' && event.sample.status !== 'ok' ? [event.sample] : [],
  );
  return html`
    <section class="card" aria-labelledby="ceilings" ?hidden=${rooflines.length === 0}>
      <h2 id="ceilings">Ceilings</h2>
      <rooftrace-ceiling-table
        .rooflines=${rooflines}
        .refused=${refused}
      ></rooftrace-ceiling-table>
    </section>
    <section class="card" aria-labelledby="trajectories" ?hidden=${trajectories.length === 0}>
      <h2 id="trajectories">Trajectories</h2>
      <rooftrace-trajectory-table .trajectories=${trajectories}></rooftrace-trajectory-table>
    </section>
  `;
}

function openedNotice({ startedAt, label, app }: RunRecord, fileName: string): Notice {
  const name = label === undefined ? fileName : `${label} (${fileName})`;
  return {
    id: 'opened',
    level: 'note',
    title: `This is a saved run: ${name}.`,
    lines: [`Measured ${startedAt} by Rooftrace ${app.version} (${app.commit}).`],
  };
}

function hiddenNotice(count: number): Notice {
  return {
    id: 'hidden',
    level: 'note',
    title: 'The tab was hidden while it measured.',
    lines: [
      `Browsers slow hidden tabs down, so ${count} of the measurements are no evidence. Run again with the tab in view.`,
    ],
  };
}
