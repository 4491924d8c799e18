import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { Failure } from '../core/run/events.ts';
import { strings } from './strings.ts';
import { sharedStyles } from './styles.ts';

/** What went wrong: the cause, what to do next, and the detail for a report. */
@customElement('rooftrace-failures')
export class FailurePanel extends LitElement {
  @property({ attribute: false }) failures: readonly Failure[] = [];

  static override styles = [
    sharedStyles,
    css`
      .note + .note {
        margin-top: 0.5rem;
      }
      .where {
        font-size: 0.8125rem;
      }
      .cause {
        font-weight: 600;
      }
      summary {
        margin-top: 0.25rem;
        color: inherit;
      }
      pre {
        margin: 0.25rem 0 0;
        font: 0.8125rem/1.45 var(--mono);
        white-space: pre-wrap;
        overflow-wrap: anywhere;
      }
    `,
  ];

  override render(): TemplateResult | typeof nothing {
    if (this.failures.length === 0) return nothing;
    return html`<div role="alert">${this.failures.map(failureNote)}</div>`;
  }
}

function failureNote({ kind, device, stage, cause, advice, detail }: Failure): TemplateResult {
  return html`
    <div class="note error" data-failure=${kind} data-device=${device}>
      <p class="where">${device.toUpperCase()}, ${stage}</p>
      <p class="cause">${cause}</p>
      <p>${advice}</p>
      ${
        detail === ''
          ? nothing
          : html`<details>
              <summary>${strings.page.detail}</summary>
              <pre>${detail}</pre>
            </details>`
      }
    </div>
  `;
}
