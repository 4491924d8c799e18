import { html, LitElement, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { AddressState } from '../../app/address.ts';
import type { RunHistory } from '../../app/history.ts';
import type { Navigation } from '../../app/navigation.ts';
import type { Session } from '../../app/session.ts';
import { sharedStyles } from '../styles.ts';

/** The lessons. */
@customElement('rooftrace-learn-view')
export class LearnView extends LitElement {
  @property({ attribute: false }) session!: Session;
  @property({ attribute: false }) navigation!: Navigation;
  @property({ attribute: false }) history!: Promise<RunHistory>;
  /** The page's address, which is the view's state. */
  @property({ attribute: false }) address!: AddressState;

  static override styles = [sharedStyles];

  override render(): TemplateResult {
    return html`<p class="quiet">No lessons yet.</p>`;
  }
}
