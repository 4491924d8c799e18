import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { browserName } from '../core/run/browserName.ts';
import { decodeLink, encodeLink, type LinkForm, type SharedRun } from '../core/run/link.ts';
import type { SummarizedRun } from '../core/run/record.ts';
import { formatRate } from '../core/units.ts';
import { panelSubtitle } from './device-names.ts';
import { qrCode } from './qr-code.ts';
import { dateText } from './run-notices.ts';
import { strings } from './strings.ts';
import { sharedStyles } from './styles.ts';

const words = strings.share;

/** A link and what it holds, read back from it. */
interface Link {
  readonly address: string;
  readonly shared: SharedRun;
}

/**
 * Shares a run by link: whole, or as a card with its QR code. What is shown as shared is decoded
 * from the link itself. Fires `run-renamed` (detail: string) and `share-closed`.
 */
@customElement('rooftrace-share-dialog')
export class ShareDialog extends LitElement {
  @property({ attribute: false }) run!: SummarizedRun;
  @state() private form: LinkForm = 'full';
  @state() private label = '';
  @state() private link: Link | undefined;
  @state() private told = '';
  @query('dialog') private dialog!: HTMLDialogElement;

  static override styles = [
    sharedStyles,
    css`
      dialog {
        width: min(40rem, calc(100vw - 2rem));
        max-height: calc(100vh - 2rem);
        padding: 1.25rem;
        border: 1px solid var(--hairline);
        border-radius: var(--radius);
        background: var(--surface);
        color: var(--ink);
      }
      dialog::backdrop {
        background: #0008;
      }
      header {
        display: flex;
        justify-content: space-between;
        gap: 1rem;
      }
      .row {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.5rem 1.25rem;
        margin-top: 0.875rem;
      }
      fieldset {
        display: contents;
      }
      .address,
      .name {
        flex: 1 1 14rem;
        min-width: 0;
        padding: 0.4375rem 0.625rem;
        border: 1px solid var(--hairline);
        border-radius: 6px;
        background: var(--paper);
        color: var(--ink);
        font: 0.8125rem var(--mono);
      }
      .name {
        font: inherit;
      }
      .qr {
        display: block;
        width: min(100%, 22rem);
        margin: 0.875rem auto 0;
      }
      ul {
        margin: 0.375rem 0 0;
        padding-left: 1.25rem;
        font-size: 0.875rem;
      }
      h3 {
        margin-top: 1rem;
      }
      pre {
        max-height: 16rem;
        overflow: auto;
        font: 0.75rem/1.4 var(--mono);
        white-space: pre-wrap;
        overflow-wrap: anywhere;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    this.label = this.run.label ?? '';
    void this.make();
  }

  override firstUpdated(): void {
    this.dialog.showModal();
  }

  override render(): TemplateResult {
    const { link } = this;
    return html`
      <dialog
        aria-labelledby="title"
        @close=${() => this.dispatchEvent(new CustomEvent('share-closed'))}
      >
        <header>
          <h2 id="title">${words.title}</h2>
          <button @click=${() => this.dialog.close()}>${words.close}</button>
        </header>
        <p class="quiet">${words.intro}</p>
        <div class="row">
          <label for="name">${words.name}</label>
          <input
            id="name"
            class="name"
            maxlength="80"
            placeholder=${words.namePlaceholder}
            .value=${this.label}
            @input=${this.onLabel}
            @change=${this.onNamed}
          />
        </div>
        <div class="row">
          <fieldset>
            <legend class="visually-hidden">${words.form}</legend>
            ${(['full', 'card'] as const).map((form) => this.choice(form))}
          </fieldset>
        </div>
        ${link ? this.shown(link) : nothing}
        <p class="visually-hidden" role="status">${this.told}</p>
      </dialog>
    `;
  }

  private choice(form: LinkForm): TemplateResult {
    const onChange = (): void => {
      this.form = form;
      void this.make();
    };
    return html`<label>
      <input type="radio" name="form" .checked=${this.form === form} @change=${onChange} />
      ${words.forms[form]}
    </label>`;
  }

  private shown({ address, shared }: Link): TemplateResult {
    return html`
      <div class="row">
        <input class="address" readonly aria-label=${words.link} .value=${address} />
        <button @click=${this.copy}>
          ${this.told === words.copied ? words.copied : words.copy}
        </button>
        ${
          'share' in navigator
            ? html`<button @click=${this.shareNatively}>${words.native}</button>`
            : nothing
        }
      </div>
      ${shared.form === 'card' ? qrCode(address, words.qr) : nothing}
      <h3>${words.exactly}</h3>
      ${preview(shared)}
    `;
  }

  private readonly onLabel = ({ currentTarget }: Event): void => {
    this.label = (currentTarget as HTMLInputElement).value;
    void this.make();
  };

  private readonly onNamed = (): void => {
    this.dispatchEvent(new CustomEvent('run-renamed', { detail: this.label.trim() }));
  };

  private async make(): Promise<void> {
    const { form, label } = this;
    const { label: _label, ...unnamed } = this.run;
    const named = label.trim() === '' ? unnamed : { ...unnamed, label: label.trim() };
    const text = await encodeLink(named, form);
    const parsed = await decodeLink(text);
    if (form !== this.form || label !== this.label) return;
    if (parsed.kind !== 'ok') throw new Error(`a link of ours was refused: ${text}`);
    const { origin, pathname } = location;
    this.link = { address: `${origin}${pathname}#r=${text}`, shared: parsed.value };
    this.told = '';
  }

  private readonly copy = async (): Promise<void> => {
    if (!this.link) return;
    try {
      await navigator.clipboard.writeText(this.link.address);
      this.told = words.copied;
    } catch {
      // Refused, or not a secure page: the link is there to be copied by hand.
      const input = this.renderRoot.querySelector<HTMLInputElement>('.address');
      input?.select();
      this.told = words.copyByHand;
    }
  };

  private readonly shareNatively = async (): Promise<void> => {
    if (!this.link) return;
    try {
      await navigator.share({ title: words.nativeTitle, url: this.link.address });
    } catch (error) {
      // Closing the sheet is no fault.
      if (!(error instanceof DOMException && error.name === 'AbortError'))
        this.told = String(error);
    }
  };
}

/** Everything that is in a link, in words first and then to the letter. */
function preview(shared: SharedRun): TemplateResult {
  const { app, startedAt, label, config, summary } = shared;
  const { environment, rooflines, trajectories } = summary;
  const devices = environment.devices.map((device) => panelSubtitle(device, false));
  return html`
    <ul data-preview>
      <li>${label === undefined ? words.noName : words.named(label)}</li>
      <li>${words.when(dateText(startedAt), `${app.version} (${app.commit})`, config.profile)}</li>
      <li>${words.browser(browserName(environment.userAgent), environment.logicalCores)}</li>
      ${devices.map((device) => html`<li>${device}</li>`)}
      ${rooflines.map(
        ({ device, threads, compute, bandwidth }) =>
          html`<li>
            ${device.toUpperCase()}${threads === undefined ? '' : `, ${threads} threads`}:
            ${[...compute, ...bandwidth]
              .map((ceiling) => `${ceiling.label} ${formatRate(ceiling.value, ceiling.unit)}`)
              .join(', ')}
          </li>`,
      )}
      ${trajectories.map(
        ({ device, model, parameter, points }) =>
          html`<li>${words.trajectory(device.toUpperCase(), model, parameter, points.length)}</li>`,
      )}
    </ul>
    <details>
      <summary>${words.letter}</summary>
      <pre tabindex="0" role="region" aria-label=${words.letter}>
${JSON.stringify(shared, undefined, 1)}</pre>
    </details>
  `;
}
