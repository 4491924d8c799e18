import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import type { Comparison } from '../../app/comparison.ts';
import type { RunHistory } from '../../app/history.ts';
import type { HistoryEntry } from '../../app/historyEntry.ts';
import { browserName } from '../../core/run/browserName.ts';
import type { ReferenceRun } from '../../core/compare/referenceIndex.ts';
import { FileDrop } from '../file-drop.ts';
import { strings } from '../strings.ts';
import { sharedStyles } from '../styles.ts';

const words = strings.compare.sources;

/** Where runs to compare come from: this browser's history, files, links, and runs of ours. */
@customElement('rooftrace-run-sources')
export class RunSources extends LitElement {
  @property({ attribute: false }) comparison!: Comparison;
  @property({ attribute: false }) history!: Promise<RunHistory>;
  @property({ attribute: false }) references: readonly ReferenceRun[] = [];
  @state() private entries: readonly HistoryEntry[] = [];
  @query('textarea') private links!: HTMLTextAreaElement;
  private stop: (() => void) | undefined;
  private readonly drop = new FileDrop(this, {
    isOpen: () => true,
    take: (files) => void this.comparison.addFiles(files),
  });

  static override styles = [
    sharedStyles,
    css`
      .sources {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr));
        gap: 1rem 1.5rem;
      }
      h3 {
        margin-bottom: 0.375rem;
      }
      ul {
        display: grid;
        gap: 0.375rem;
        max-height: 14rem;
        margin: 0;
        padding: 0;
        overflow-y: auto;
        list-style: none;
      }
      ul button {
        width: 100%;
        text-align: left;
        font-size: 0.875rem;
      }
      .drop {
        display: block;
        position: relative;
        padding: 0.875rem;
        border: 1px dashed var(--muted);
        border-radius: var(--radius);
        text-align: center;
        font-size: 0.9375rem;
        cursor: pointer;
      }
      .drop.over {
        border-color: var(--accent);
        background: var(--shade);
      }
      .drop:has(:focus-visible) {
        outline: 2px solid var(--accent);
        outline-offset: 2px;
      }
      input {
        position: absolute;
        inset: 0;
        width: 100%;
        opacity: 0;
        cursor: pointer;
      }
      textarea {
        width: 100%;
        min-height: 4.5rem;
        padding: 0.5rem;
        border: 1px solid var(--muted);
        border-radius: 6px;
        background: var(--surface);
        color: var(--ink);
        font: 0.8125rem var(--mono);
        resize: vertical;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    void this.follow();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop?.();
  }

  override render(): TemplateResult {
    return html`<div class="sources">
      ${this.historyList()} ${this.referenceList()}
      <div>
        <h3>${words.files}</h3>
        <label class="drop ${this.drop.dragging ? 'over' : ''}">
          ${words.drop}
          <input type="file" multiple accept=".json,application/json" @change=${this.onFiles} />
        </label>
      </div>
      <form @submit=${this.onLinks}>
        <h3><label for="links">${words.links}</label></h3>
        <textarea id="links" spellcheck="false" aria-describedby="links-help"></textarea>
        <p class="quiet" id="links-help">${words.linksHelp}</p>
        <button>${words.addLinks}</button>
      </form>
    </div>`;
  }

  private historyList(): TemplateResult {
    return html`<div>
      <h3>${words.history}</h3>
      ${
        this.entries.length === 0
          ? html`<p class="quiet">${words.noHistory}</p>`
          : html`<ul>
              ${this.entries.map(
                (entry) =>
                  html`<li>
                    <button data-history=${entry.id} @click=${() => this.addEntry(entry)}>
                      ${entryName(entry)}
                    </button>
                  </li>`,
              )}
            </ul>`
      }
    </div>`;
  }

  private referenceList(): TemplateResult | typeof nothing {
    if (this.references.length === 0) return nothing;
    return html`<div>
      <h3>${words.references}</h3>
      <ul>
        ${this.references.map(
          (reference) =>
            html`<li>
              <button
                data-reference=${reference.file}
                @click=${() => this.comparison.addReference(reference)}
              >
                ${reference.name}<span class="quiet">, ${reference.machine}</span>
              </button>
            </li>`,
        )}
      </ul>
    </div>`;
  }

  private async follow(): Promise<void> {
    const history = await this.history;
    const list = async (): Promise<void> => {
      this.entries = await history.list();
    };
    this.stop?.();
    this.stop = history.subscribe(() => void list());
    await list();
  }

  private async addEntry({ id }: HistoryEntry): Promise<void> {
    const record = await (await this.history).get(id);
    if (record) this.comparison.addRecord(record, 'history');
  }

  private readonly onFiles = async (event: Event): Promise<void> => {
    const input = event.currentTarget as HTMLInputElement;
    const files = [...(input.files ?? [])];
    // The same files may be chosen again.
    input.value = '';
    await this.comparison.addFiles(files);
  };

  private readonly onLinks = async (event: Event): Promise<void> => {
    event.preventDefault();
    const text = this.links.value;
    this.links.value = '';
    await this.comparison.addLinks(text);
  };
}

function entryName({ header, complete }: HistoryEntry): string {
  const { startedAt, label, config, environment } = header;
  const time = startedAt.slice(0, 16).replace('T', ' ');
  const name = label ?? browserName(environment.userAgent);
  return `${time}, ${name}, ${config.profile}${complete ? '' : words.partial}`;
}
