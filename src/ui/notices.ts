import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { sharedStyles } from './styles.ts';

/** Something the page has to say: a title and, below it, one line each. */
export interface Notice {
  readonly id: string;
  readonly level: 'note' | 'error';
  readonly title: string;
  readonly lines: readonly string[];
}

/** Notes on the address, on files and on the tab. */
@customElement('rooftrace-notices')
export class Notices extends LitElement {
  @property({ attribute: false }) notices: readonly Notice[] = [];

  static override styles = [
    sharedStyles,
    css`
      .note + .note {
        margin-top: 0.5rem;
      }
      strong {
        display: block;
      }
    `,
  ];

  override render(): TemplateResult | typeof nothing {
    if (this.notices.length === 0) return nothing;
    return html`<div role="status">
      ${this.notices.map(
        ({ id, level, title, lines }) => html`
          <div class="note ${level}" data-notice=${id}>
            <strong>${title}</strong>
            ${lines.map((line) => html`<p>${line}</p>`)}
          </div>
        `,
      )}
    </div>`;
  }
}
