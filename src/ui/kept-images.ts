import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { KeptImages } from '../app/keptImages.ts';
import { strings } from './strings.ts';
import { sharedStyles } from './styles.ts';

const words = strings.keptImages;

/** Says whether training works without a network, and keeps its images when asked. */
@customElement('rooftrace-kept-images')
export class KeptImagesNote extends LitElement {
  @property({ attribute: false }) images!: KeptImages;
  /** Loading would disturb what is measured. */
  @property({ type: Boolean }) busy = false;
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
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.unsubscribe?.();
    this.unsubscribe = undefined;
  }

  /** An element that is defined after it was rendered gets its properties with its first update. */
  override willUpdate(): void {
    if (this.unsubscribe) return;
    this.unsubscribe = this.images.subscribe(() => this.requestUpdate());
    void this.images.look();
  }

  override render(): TemplateResult | typeof nothing {
    const { state } = this.images;
    switch (state) {
      case 'unknown':
        return nothing;
      case 'loading':
      case 'kept':
        return html`<p class="quiet" role="status" data-images=${state}>${words[state]}</p>`;
      case 'absent':
      case 'partial':
      case 'unreachable':
        return html`<p class="quiet" role="status" data-images=${state}>
          ${state === 'unreachable' ? words.unreachable : words.absent}
          <button ?disabled=${this.busy} @click=${() => void this.images.keep()}>
            ${words.keep}
          </button>
        </p>`;
    }
  }
}
