import { html, LitElement, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { AddressState } from '../../app/address.ts';

import { sharedStyles } from '../styles.ts';

/** Only the chart of a link, sized by its frame. */
@customElement('rooftrace-embed-view')
export class EmbedView extends LitElement {
  /** The page's address, which is the view's state. */
  @property({ attribute: false }) address!: AddressState;

  static override styles = [sharedStyles];

  override render(): TemplateResult {
    return html`<p class="quiet">No run to show.</p>`;
  }
}
