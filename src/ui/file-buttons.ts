import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { saveRecord, type SaveFormat } from '../app/files.ts';
import type { RunRecord } from '../core/run/record.ts';
import { sharedStyles } from './styles.ts';

/** Saves the record as JSON or CSV; opens a saved one. Fires `file-chosen` (detail: File). */
@customElement('rooftrace-files')
export class FileButtons extends LitElement {
  /** Asked for when a file is saved; absent while there is nothing to save. */
  @property({ attribute: false }) record: (() => RunRecord) | undefined;
  @property({ type: Boolean }) busy = false;

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
      .button:has(:disabled) {
        color: var(--muted);
      }
      input {
        position: absolute;
        inset: 0;
        width: 100%;
        opacity: 0;
        cursor: inherit;
      }
    `,
  ];

  override render(): TemplateResult {
    const nothingToSave = this.record === undefined;
    return html`
      <section aria-label="Files">
        <button ?disabled=${nothingToSave} @click=${() => this.save('json')}>Save as JSON</button>
        <button ?disabled=${nothingToSave} @click=${() => this.save('csv')}>
          Save samples as CSV
        </button>
        <label class="button">
          Open a saved run
          <input
            type="file"
            accept=".json,application/json"
            ?disabled=${this.busy}
            @change=${this.onFile}
          />
        </label>
      </section>
    `;
  }

  private async save(format: SaveFormat): Promise<void> {
    if (this.record) await saveRecord(this.record(), format);
  }

  private readonly onFile = (event: Event): void => {
    const input = event.currentTarget as HTMLInputElement;
    const file = input.files?.[0];
    if (file) this.dispatchEvent(new CustomEvent('file-chosen', { detail: file }));
    // The same file may be chosen again.
    input.value = '';
  };
}
