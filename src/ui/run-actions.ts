import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { saveRecord, type SaveFormat } from '../app/files.ts';
import type { ChartPanel } from '../core/chart/panel.ts';
import type { RunRecord, SummarizedRun } from '../core/run/record.ts';
import { strings } from './strings.ts';
import { sharedStyles } from './styles.ts';

const words = strings.actions;

type PictureFormat = 'svg' | 'png';

/**
 * What can be done with a run: name it, share it, save it, save its charts; and open another. Fires
 * `file-chosen` (detail: File) and `run-renamed` (detail: string).
 */
@customElement('rooftrace-run-actions')
export class RunActions extends LitElement {
  /** The run that is shown; undefined while there is none. */
  @property({ attribute: false }) run: SummarizedRun | undefined;
  /** Asked for when a file is saved; absent where the run came by link, without its measurements. */
  @property({ attribute: false }) record: (() => RunRecord | undefined) | undefined;
  /** The charts as they are shown. */
  @property({ attribute: false }) pictures: () => readonly ChartPanel[] = () => [];
  @property({ type: Boolean }) busy = false;
  /** A file is over the page and could be dropped. */
  @property({ type: Boolean }) dragging = false;
  @state() private sharing = false;
  @state() private problem = '';

  static override styles = [
    sharedStyles,
    css`
      section {
        display: flex;
        flex-wrap: wrap;
        gap: 0.5rem;
      }
      .button {
        position: relative;
      }
      .button:has(:focus-visible) {
        outline: 2px solid var(--accent);
        outline-offset: 2px;
      }
      .over {
        border: 1px dashed var(--accent);
      }
      .button:has(:disabled) {
        color: var(--muted);
      }
      input[type='file'] {
        position: absolute;
        inset: 0;
        width: 100%;
        opacity: 0;
        cursor: inherit;
      }
      .note {
        margin-top: 0.5rem;
      }
    `,
  ];

  override render(): TemplateResult {
    return html`
      <section aria-label=${words.title}>
        ${this.run === undefined ? nothing : this.ofRun()}
        <label class="button ${this.dragging ? 'over' : ''}">
          ${this.dragging ? words.drop : words.open}
          <input
            type="file"
            accept=".json,application/json"
            ?disabled=${this.busy}
            @change=${this.onFile}
          />
        </label>
      </section>
      ${this.problem === '' ? nothing : html`<p class="note error" role="alert">${this.problem}</p>`}
      ${
        this.sharing && this.run
          ? html`<rooftrace-share-dialog
              .run=${this.run}
              @share-closed=${() => (this.sharing = false)}
              @run-renamed=${this.onRenamed}
            ></rooftrace-share-dialog>`
          : nothing
      }
    `;
  }

  private ofRun(): TemplateResult {
    const noRecord = this.record === undefined;
    const { busy } = this;
    return html`
      <button ?disabled=${busy} @click=${this.share}>${words.share}</button>
      <button ?disabled=${noRecord} @click=${() => this.save('json')}>${words.json}</button>
      <button ?disabled=${noRecord} @click=${() => this.save('csv')}>${words.csv}</button>
      <button ?disabled=${busy} @click=${() => this.savePicture('svg')}>${words.svg}</button>
      <button ?disabled=${busy} @click=${() => this.savePicture('png')}>${words.png}</button>
    `;
  }

  private readonly share = async (): Promise<void> => {
    await this.attempt(() => import('./share-dialog.ts'));
    this.sharing = this.problem === '';
  };

  private async save(format: SaveFormat): Promise<void> {
    const record = this.record?.();
    if (record) await this.attempt(() => saveRecord(record, format));
  }

  private async savePicture(format: PictureFormat): Promise<void> {
    const { run } = this;
    if (!run) return;
    await this.attempt(async () => {
      const { savePicture } = await import('./chart-pictures.ts');
      await savePicture(run, this.pictures(), format, this);
    });
  }

  /** What is loaded on demand may be out of reach. */
  private async attempt(work: () => Promise<unknown>): Promise<void> {
    this.problem = '';
    try {
      await work();
    } catch (error) {
      this.problem = words.problem(String(error));
    }
  }

  private readonly onRenamed = ({ detail }: CustomEvent<string>): void => {
    this.dispatchEvent(new CustomEvent('run-renamed', { detail }));
  };

  private readonly onFile = (event: Event): void => {
    const input = event.currentTarget as HTMLInputElement;
    const file = input.files?.[0];
    if (file) this.dispatchEvent(new CustomEvent('file-chosen', { detail: file }));
    // The same file may be chosen again.
    input.value = '';
  };
}
