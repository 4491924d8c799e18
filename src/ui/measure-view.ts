import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import type { AddressState } from '../app/address.ts';
import type { ChoiceStore } from '../app/choiceStore.ts';
import { inputErrorText, readRecord } from '../app/files.ts';
import type { RunHistory } from '../app/history.ts';
import type { KeptImages } from '../app/keptImages.ts';
import type { Navigation } from '../app/navigation.ts';
import type { Session } from '../app/session.ts';
import { throttle } from '../app/throttle.ts';
import type { RunConfig } from '../core/run/config.ts';
import type { RunRecord } from '../core/run/record.ts';
import './answers.ts';
import './device-card.ts';
import './failures.ts';
import { FileDrop } from './file-drop.ts';
import './history-list.ts';
import './kept-choices.ts';
import './kept-images.ts';
import './notices.ts';
import type { Notice } from './notices.ts';
import './run-actions.ts';
import './run-charts.ts';
import type { RunCharts } from './run-charts.ts';
import './run-controls.ts';
import { runNotices } from './run-notices.ts';
import './run-progress.ts';
import './run-tables.ts';
import { strings } from './strings.ts';
import { sharedStyles } from './styles.ts';

/** A file that is something else altogether has as many errors as fields. */
const mostFileErrors = 4;
/** A live run redraws at most this often: measuring must not wait for the page. */
const redrawMilliseconds = 300;

/** The measure view: what is measured, how it goes, what came out. */
@customElement('rooftrace-measure-view')
export class MeasureView extends LitElement {
  @property({ attribute: false }) session!: Session;
  @property({ attribute: false }) navigation!: Navigation;
  @property({ attribute: false }) history!: Promise<RunHistory>;
  @property({ attribute: false }) choices!: ChoiceStore;
  @property({ attribute: false }) images!: KeptImages;
  @property({ attribute: false }) address!: AddressState;
  @state() private fileNotice: Notice | undefined;
  @query('rooftrace-run-charts') private charts!: RunCharts;
  private unsubscribe: (() => void) | undefined;
  private readonly drop = new FileDrop(this, {
    isOpen: () => !this.session.busy,
    take: ([file]) => {
      if (file) void this.openFile(file);
    },
  });

  static override styles = [
    sharedStyles,
    css`
      section.view,
      .top {
        display: grid;
        gap: 1rem;
      }
      section.view > * {
        min-width: 0;
      }
      .top {
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 27rem), 1fr));
      }
      @media screen and (min-width: 60rem) {
        /* Room for all that a run finds out of the machine: what stands below it stays where it is. */
        .top {
          min-height: 17.75rem;
        }
      }
      @media print {
        .top .card,
        rooftrace-history-list,
        rooftrace-run-actions {
          display: none;
        }
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
    const { busy, run } = session;
    const { kind } = session.state;
    const record = session.store?.record();
    const failures = run?.summary.failures ?? [];
    const notices = [...(this.fileNotice ? [this.fileNotice] : []), ...runNotices(session)];
    return html`
      <section class="view" aria-label=${strings.views.measure}>
        <rooftrace-notices .notices=${notices} ?hidden=${notices.length === 0}></rooftrace-notices>
        <div class="top">
          <div class="card">${this.controls()}</div>
          <rooftrace-device-card
            .host=${run?.summary.environment ?? session.environment}
            .devices=${run?.summary.environment.devices ?? []}
            .choice=${run?.config.device ?? this.address.config.device}
            ?gpuFailed=${failures.some(({ device }) => device === 'gpu')}
            ?over=${record !== undefined && !busy}
            ?elsewhere=${kind === 'opened' || kind === 'shared'}
          ></rooftrace-device-card>
        </div>
        <rooftrace-failures
          .failures=${failures}
          ?hidden=${failures.length === 0}
        ></rooftrace-failures>
        <rooftrace-answers
          .summary=${run?.summary}
          .devices=${(run?.config ?? this.address.config).device}
          .running=${session.progress?.device}
          ?busy=${busy}
        ></rooftrace-answers>
        <rooftrace-run-charts
          .summary=${run?.summary}
          .devices=${(run?.config ?? this.address.config).device}
          ?busy=${busy}
        ></rooftrace-run-charts>
        <rooftrace-run-tables
          .summary=${run?.summary}
          .record=${record}
          ?busy=${busy}
        ></rooftrace-run-tables>
        <rooftrace-run-actions
          .run=${run}
          .record=${record && (() => session.store?.record())}
          .pictures=${() => this.charts.pictures}
          .navigation=${this.navigation}
          ?busy=${busy}
          ?dragging=${this.drop.dragging}
          @file-chosen=${({ detail }: CustomEvent<File>) => this.openFile(detail)}
          @run-renamed=${({ detail }: CustomEvent<string>) => session.rename(detail)}
        ></rooftrace-run-actions>
        <rooftrace-history-list
          .history=${this.history}
          ?busy=${busy}
          @record-chosen=${this.onRecord}
        ></rooftrace-history-list>
      </section>
    `;
  }

  private controls(): TemplateResult {
    const { session } = this;
    const { progress } = session;
    const { kind } = session.state;
    // What is shown is what is meant: by the time of a press it may be over.
    const skip = (): void => {
      if (progress) session.skipStage(progress.stage);
    };
    return html`
      <rooftrace-run-controls
        .config=${this.address.config}
        ?busy=${session.busy}
        ?cancelling=${kind === 'cancelling'}
        ?paused=${session.paused}
        @run-requested=${this.onRun}
        @cancel-requested=${() => session.cancel()}
        @pause-requested=${() => session.pause()}
        @resume-requested=${() => session.resume()}
        @skip-requested=${skip}
        ?resumable=${session.resumable}
        @tune-requested=${this.onTune}
        @continue-requested=${() => session.continue()}
        @config-changed=${this.onConfig}
      >
        <rooftrace-progress
          .progress=${progress}
          ?cancelling=${kind === 'cancelling'}
          ?paused=${session.paused}
        ></rooftrace-progress>
        <rooftrace-kept-choices
          slot="plan"
          .choices=${this.choices}
          ?busy=${session.busy}
        ></rooftrace-kept-choices>
        <rooftrace-kept-images
          slot="plan"
          .images=${this.images}
          ?busy=${session.busy}
        ></rooftrace-kept-images>
      </rooftrace-run-controls>
    `;
  }

  private readonly onConfig = ({ detail: config }: CustomEvent<RunConfig>): void => {
    this.navigation.replace({ config });
  };

  private readonly onRun = (): void => {
    this.fileNotice = undefined;
    if (this.address.link !== undefined) this.navigation.go({ link: undefined });
    this.session.start(this.address.config);
  };

  private readonly onTune = (): void => {
    this.fileNotice = undefined;
    if (this.address.link !== undefined) this.navigation.go({ link: undefined });
    this.session.tune(this.address.config);
  };

  private async openFile(file: File): Promise<void> {
    const parsed = await readRecord(file);
    if (parsed.kind === 'ok') this.open(parsed.value, file.name);
    else
      this.fileNotice = {
        id: 'file',
        level: 'error',
        title: strings.notices.noRecord(file.name),
        lines: parsed.errors.slice(0, mostFileErrors).map(inputErrorText),
      };
  }

  private readonly onRecord = ({ detail }: CustomEvent<RunRecord>): void => {
    this.open(detail, strings.history.fromHistory);
  };

  private open(record: RunRecord, name: string): void {
    this.fileNotice = undefined;
    if (this.address.link !== undefined) this.navigation.replace({ link: undefined });
    this.session.open(record, name);
  }
}
