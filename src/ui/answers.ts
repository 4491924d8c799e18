import { css, html, LitElement, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { trainingAnswers, type TrainingAnswer } from '../core/chart/answer.ts';
import { devicesOf, type DeviceChoice, type DeviceKind } from '../core/run/config.ts';
import type { RunSummary } from '../core/run/record.ts';
import { formatShare } from '../core/units.ts';
import { strings } from './strings.ts';
import { sharedStyles } from './styles.ts';

const words = strings.answers;
const shareNames = ['compute', 'memory', 'rest'] as const;

/** What the run says of training, a sentence a device; before it, what it will say. */
@customElement('rooftrace-answers')
export class Answers extends LitElement {
  @property({ attribute: false }) summary: RunSummary | undefined;
  @property() devices: DeviceChoice = 'both';
  @property({ type: Boolean }) busy = false;
  /** The device that is measured now: one after the other is. */
  @property() running: DeviceKind | undefined;

  static override styles = [
    sharedStyles,
    css`
      section {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr));
        gap: 1rem 2.5rem;
      }
      /* Room for an answer: what stands below it stays where it is. */
      .device {
        min-height: 6.5rem;
      }
      .sentence {
        font-size: 1.0625rem;
        font-weight: 600;
        letter-spacing: -0.01em;
        text-wrap: pretty;
      }
      .waiting {
        color: var(--muted);
        font-weight: 400;
      }
      svg {
        display: block;
        width: 100%;
        height: 8px;
        margin: 0.5rem 0 0.375rem;
        border-radius: 4px;
        background: var(--hairline);
      }
      ul {
        display: flex;
        flex-wrap: wrap;
        gap: 0 1.25rem;
        margin: 0 0 0.25rem;
        padding: 0;
        list-style: none;
        font-size: 0.8125rem;
        font-variant-numeric: tabular-nums;
      }
      li::before {
        content: '';
        display: inline-block;
        width: 0.625rem;
        height: 0.625rem;
        margin-right: 0.375rem;
        border-radius: 2px;
        background: currentColor;
      }
      svg,
      li::before {
        forced-color-adjust: none;
      }
      .compute {
        color: var(--work);
        fill: var(--work);
      }
      .memory {
        color: var(--parallelism);
        fill: var(--parallelism);
      }
      .rest {
        color: var(--muted);
        fill: none;
      }
      .rest::before {
        background: var(--hairline);
      }
    `,
  ];

  override render(): TemplateResult {
    return html`<section class="card" aria-label=${words.title}>
      ${devicesOf(this.devices).map((device) => this.ofDevice(device))}
    </section>`;
  }

  private ofDevice(device: DeviceKind): TemplateResult {
    const all = this.summary ? trainingAnswers(this.summary, device) : [];
    // While a batch may still grow, nothing is said of where that ends.
    const grows = this.busy && (this.running ?? device) === device;
    const answers = all.filter(({ saturated }) => saturated || !grows);
    return html`<div class="device" data-answer=${device}>
      ${
        answers.length === 0
          ? html`<p class="sentence waiting">${this.without(device)}</p>
              ${shareBar(undefined)}`
          : answers.map(answerOf)
      }
    </div>`;
  }

  private without(device: DeviceKind): string {
    const name = device.toUpperCase();
    if (this.busy) return words.measuring(name);
    return this.summary ? words.none(name) : words.question(name);
  }
}

function answerOf({ sentence, shares, details }: TrainingAnswer): TemplateResult {
  return html`
    <p class="sentence">${sentence}</p>
    ${shareBar(shares)}
    <ul aria-label=${words.shares}>
      ${shareNames.map(
        (name) =>
          html`<li class=${name}>${words.shareNames[name]} ${formatShare(shares[name])}</li>`,
      )}
    </ul>
    <p class="quiet">${details.replaceAll(' %', '\u00A0%')}</p>
  `;
}

/** The shares as lengths of a bar, the rest empty. */
function shareBar(shares: TrainingAnswer['shares'] | undefined): TemplateResult {
  const { compute = 0, memory = 0 } = shares ?? {};
  return html`<svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
    ${barPart('compute', 0, compute)} ${barPart('memory', compute, memory)}
  </svg>`;
}

function barPart(name: string, from: number, length: number): SVGTemplateResult {
  return svg`<rect class=${name} x=${100 * from} width=${100 * length} height="8" />`;
}
