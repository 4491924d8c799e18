import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { saveRecord } from '../app/files.ts';
import type { RunHistory } from '../app/history.ts';
import type { HistoryEntry } from '../app/historyEntry.ts';
import { throttle } from '../app/throttle.ts';
import { adapterName } from './device-names.ts';
import { dateText } from './run-notices.ts';
import { strings } from './strings.ts';
import { sharedStyles } from './styles.ts';

const words = strings.history;
/** A growing run is written several times a second; its line hardly changes. */
const refreshMilliseconds = 1000;

/** The runs that this browser keeps. Fires `record-chosen` (detail: RunRecord). */
@customElement('rooftrace-history-list')
export class HistoryList extends LitElement {
  @property({ attribute: false }) history!: Promise<RunHistory>;
  @property({ type: Boolean }) busy = false;
  @state() private opened: RunHistory | undefined;
  @state() private entries: readonly HistoryEntry[] = [];
  /** The run whose name is being typed. */
  @state() private naming: string | undefined;
  private unsubscribe: (() => void) | undefined;

  static override styles = [
    sharedStyles,
    css`
      summary {
        color: var(--ink);
        font-size: 0.9375rem;
      }
      ul {
        margin: 0.5rem 0 0;
        padding: 0;
        list-style: none;
      }
      li {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.375rem 0.75rem;
        padding: 0.5rem 0;
        border-top: 1px solid var(--hairline);
      }
      .what {
        flex: 1 1 16rem;
        min-width: 0;
        overflow-wrap: anywhere;
      }
      .what strong {
        font-weight: 600;
      }
      button {
        padding: 0.1875rem 0.625rem;
        font-size: 0.8125rem;
      }
      input {
        max-width: 100%;
        padding: 0.1875rem 0.5rem;
        border: 1px solid var(--hairline);
        border-radius: 4px;
        background: var(--surface);
        color: var(--ink);
        font: inherit;
        font-size: 0.875rem;
      }
      .note {
        margin-bottom: 0.5rem;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    const refresh = throttle(refreshMilliseconds, () => void this.refresh());
    void this.history.then((history) => {
      this.opened = history;
      this.unsubscribe = history.subscribe(refresh);
      refresh();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.unsubscribe?.();
  }

  override render(): TemplateResult | typeof nothing {
    const denied = this.opened?.persistent === false;
    if (this.entries.length === 0 && !denied) return nothing;
    return html`
      ${
        denied
          ? html`<p class="note" data-notice="storage">
              <strong>${strings.notices.notPersistent}</strong>
              ${strings.notices.notPersistentAdvice}
            </p>`
          : nothing
      }
      <details ?hidden=${this.entries.length === 0}>
        <summary>${words.title(this.entries.length)}</summary>
        <ul>
          ${this.entries.map((entry) => this.item(entry))}
        </ul>
      </details>
    `;
  }

  private item(entry: HistoryEntry): TemplateResult {
    const { id, header, devices, complete } = entry;
    const name = header.label ?? dateText(header.startedAt);
    const machine = devices.map((device) =>
      device.device === 'gpu' ? adapterName(device) : words.threads(device.threads),
    );
    const details = [
      ...(header.label === undefined ? [] : [dateText(header.startedAt)]),
      header.config.profile,
      ...machine,
      ...(complete ? [] : [words.partial]),
    ];
    const act = (label: string, onClick: () => void, disabled = false): TemplateResult =>
      html`<button aria-label="${label}: ${name}" ?disabled=${disabled} @click=${onClick}>
        ${label}
      </button>`;
    return html`
      <li data-run=${id}>
        <div class="what">
          ${this.naming === id ? this.nameForm(entry) : html`<strong>${name}</strong>`}
          <div class="quiet">${details.join(', ')}</div>
        </div>
        ${act(words.open, () => void this.choose(id), this.busy)}
        ${act(words.rename, () => (this.naming = id))} ${act(words.save, () => void this.save(id))}
        ${act(words.remove, () => void this.removeRun(id), this.busy)}
      </li>
    `;
  }

  private nameForm({ id, header }: HistoryEntry): TemplateResult {
    const onSubmit = (event: SubmitEvent): void => {
      event.preventDefault();
      const input = (event.currentTarget as HTMLFormElement).querySelector('input');
      void this.opened?.rename(id, input?.value.trim() ?? '');
      this.naming = undefined;
    };
    return html`<form @submit=${onSubmit}>
      <input aria-label=${words.name} .value=${header.label ?? ''} maxlength="80" />
      <button>${words.keep}</button>
    </form>`;
  }

  override updated(): void {
    if (this.naming !== undefined) this.renderRoot.querySelector('input')?.focus();
  }

  /** The button goes with its run: the focus must not go along. */
  private async removeRun(id: string): Promise<void> {
    await this.opened?.remove(id);
    await this.refresh();
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>('summary')?.focus();
  }

  private async refresh(): Promise<void> {
    this.entries = (await this.opened?.list()) ?? [];
  }

  private async choose(id: string): Promise<void> {
    const detail = await this.opened?.get(id);
    if (detail) this.dispatchEvent(new CustomEvent('record-chosen', { detail }));
  }

  private async save(id: string): Promise<void> {
    const record = await this.opened?.get(id);
    if (record) await saveRecord(record, 'json');
  }
}
