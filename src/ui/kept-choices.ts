import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { ChoiceStore } from '../app/choiceStore.ts';
import { foundOn } from '../core/tuning/keptChoices.ts';
import { dateText } from './run-notices.ts';
import { strings } from './strings.ts';
import { sharedStyles } from './styles.ts';

const words = strings.keptChoices;

/** Says since when this browser keeps the kernels that a tuner chose, and forgets them when asked. */
@customElement('rooftrace-kept-choices')
export class KeptChoices extends LitElement {
  @property({ attribute: false }) choices!: ChoiceStore;
  @property({ type: Boolean }) busy = false;
  /** ISO 8601, UTC; undefined where none are kept. */
  @state() private since: string | undefined;
  private unsubscribe: (() => void) | undefined;

  static override styles = [
    sharedStyles,
    css`
      p {
        margin-top: 0.75rem;
      }
      button {
        padding: 0.1875rem 0.625rem;
        margin-left: 0.375rem;
        font-size: 0.8125rem;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    this.unsubscribe = this.choices.subscribe(() => void this.refresh());
    void this.refresh();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.unsubscribe?.();
  }

  override render(): TemplateResult | typeof nothing {
    if (this.since === undefined) return nothing;
    return html`<p class="quiet">
      ${words.since(dateText(this.since))}
      <button ?disabled=${this.busy} @click=${() => void this.choices.forget()}>
        ${words.forget}
      </button>
    </p>`;
  }

  private async refresh(): Promise<void> {
    const kept = await this.choices.load('quick');
    this.since = foundOn(Object.values(kept).flat());
  }
}
