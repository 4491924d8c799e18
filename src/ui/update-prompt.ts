import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { OfflineApp } from '../app/offline.ts';
import type { Session } from '../app/session.ts';
import { strings } from './strings.ts';
import { sharedStyles } from './styles.ts';

const words = strings.page;

/** Says that a new version is ready; it is loaded when the user asks for it, never by itself. */
@customElement('rooftrace-update-prompt')
export class UpdatePrompt extends LitElement {
  @property({ attribute: false }) offline!: OfflineApp;
  @property({ attribute: false }) session!: Session;
  private unsubscribe: readonly (() => void)[] = [];
  private shownBusy = false;

  static override styles = [
    sharedStyles,
    css`
      .note {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.5rem 1rem;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    this.unsubscribe = [
      this.offline.subscribe(() => this.requestUpdate()),
      this.session.subscribe(() => {
        if (this.session.busy !== this.shownBusy) this.requestUpdate();
      }),
    ];
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const stop of this.unsubscribe) stop();
  }

  override willUpdate(): void {
    this.hidden = !this.offline.updateWaiting;
    this.shownBusy = this.session.busy;
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.offline.updateWaiting) return nothing;
    return html`<div class="note" role="status" data-notice="update">
      <p><strong>${words.update}</strong> ${words.updateAbout}</p>
      <button ?disabled=${this.session.busy} @click=${() => this.offline.update()}>
        ${words.updateNow}
      </button>
    </div>`;
  }
}
