import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { capacityInterval, capacityInWords } from '../core/roofline/capacityWords.ts';
import { explainCeiling } from '../core/roofline/explain.ts';
import { refusalInWords } from '../core/roofline/refusal.ts';
import type { Sample } from '../core/roofline/sample.ts';
import type { Ceiling, RidgePoint, Roofline } from '../core/roofline/types.ts';
import { formatNumber, formatRate } from '../core/units.ts';
import { flagList } from './flag-list.ts';
import { strings } from './strings.ts';
import { sharedStyles, tableStyles } from './styles.ts';
import { timerNames } from './timer-names.ts';

const words = strings.tables;

/** Every ceiling and ridge point with its interval, and the measurements that were refused. */
@customElement('rooftrace-ceiling-table')
export class CeilingTable extends LitElement {
  @property({ attribute: false }) rooflines: readonly Roofline[] = [];
  /** Samples whose status is not `ok`. */
  @property({ attribute: false }) refused: readonly Sample[] = [];

  static override styles = [
    sharedStyles,
    tableStyles,
    css`
      .group {
        padding-top: 1rem;
        border-top: none;
        font-size: 0.9375rem;
        font-weight: 600;
      }
      details {
        margin-top: 1.25rem;
      }
      .lacking {
        margin: 0.75rem 0 0;
        color: var(--muted);
        font-size: 0.875rem;
      }
      ul {
        margin: 0.5rem 0 0;
        padding-left: 1.25rem;
        font-size: 0.875rem;
      }
    `,
  ];

  override render(): TemplateResult {
    const lacking = this.refused.filter(({ status }) => status === 'unsupported');
    const refused = this.refused.filter(({ status }) => status !== 'unsupported');
    return html`
      <div class="scroll" role="region" aria-label=${words.label} tabindex="0">
        <table>
          <thead>
            <tr>
              <th scope="col">${words.ceiling}</th>
              <th scope="col" class="number">${words.value}</th>
              <th scope="col" class="number">${words.interval}</th>
              <th scope="col" class="words">${words.variant}</th>
              <th scope="col">${words.timer}</th>
              <th scope="col">${words.remarks}</th>
            </tr>
          </thead>
          ${this.rooflines.map(rooflineRows)}
        </table>
      </div>
      ${
        lacking.length === 0
          ? nothing
          : html`<p class="lacking" data-unsupported>
              ${words.unsupported(lacking.map(refusalInWords))}
            </p>`
      }
      ${this.rooflines.map(otherRidges)} ${this.rooflines.map(inWords)}
      ${
        refused.length === 0
          ? nothing
          : html`<details>
              <summary>${refusedTitle(refused.length)}</summary>
              <ul>
                ${refused.map((sample) => html`<li>${refusalInWords(sample)}</li>`)}
              </ul>
            </details>`
      }
    `;
  }
}

function refusedTitle(count: number): string {
  return count === 1 ? '1 measurement was not used' : `${count} measurements were not used`;
}

function rooflineRows(roofline: Roofline): TemplateResult {
  return html`
    <tbody>
      <tr>
        <th scope="rowgroup" colspan="6" class="group">${rooflineName(roofline)}</th>
      </tr>
      ${[...roofline.compute, ...roofline.bandwidth].map(ceilingRow)}
      ${roofline.ridge.slice(0, 1).map((ridge) => ridgeRow(roofline, ridge))}
    </tbody>
  `;
}

/** A ridge point for each pair of ceilings would bury the roof's own. */
function otherRidges(roofline: Roofline): TemplateResult | typeof nothing {
  const { ridge } = roofline;
  if (ridge.length < 2) return nothing;
  const name = `${rooflineName(roofline)}: ${strings.tables.allRidges(ridge.length)}`;
  return html`<details>
    <summary>${name}</summary>
    <div class="scroll" role="region" aria-label=${name} tabindex="0">
      <table>
        <tbody>
          ${ridge.map((point) => ridgeRow(roofline, point))}
        </tbody>
      </table>
    </div>
  </details>`;
}

/** Every ceiling in sentences. */
function inWords(roofline: Roofline): TemplateResult {
  return html`<details data-explained>
    <summary>${strings.tables.ceilingsInWords(rooflineName(roofline))}</summary>
    <ul>
      ${[...roofline.compute, ...roofline.bandwidth].map(
        (ceiling) => html`<li>${explainCeiling(ceiling, roofline).join(' ')}</li>`,
      )}
    </ul>
  </details>`;
}

function rooflineName({ device, threads }: Roofline): string {
  const name = device.toUpperCase();
  if (threads === undefined) return name;
  return `${name}, ${threads} ${threads === 1 ? 'thread' : 'threads'}`;
}

function ceilingRow(ceiling: Ceiling): TemplateResult {
  const { id, label, value, unit, ciLow, ciHigh, variant, timer, samples } = ceiling;
  return html`
    <tr data-ceiling=${id}>
      <th scope="row">${label}${capacityText(ceiling)}</th>
      <td class="number">${formatRate(value, unit)}</td>
      <td class="number">${formatRate(ciLow, unit)} – ${formatRate(ciHigh, unit)}</td>
      <td class="words">${variant}</td>
      <td>${timerNames[timer]}, ${samples} times</td>
      <td>${flagList(ceiling.flags)}</td>
    </tr>
  `;
}

/** `, up to 53.0 KiB (45.0 KiB to 64.0 KiB)` */
function capacityText(ceiling: Ceiling): string {
  const capacity = capacityInWords(ceiling);
  if (capacity === undefined) return '';
  const interval = capacityInterval(ceiling);
  return `, up to ${capacity}${interval === undefined ? '' : ` (${interval})`}`;
}

const intensityUnits = { 'flop/byte': 'FLOP/byte', 'op/byte': 'op/byte' } as const;

function ridgeRow(roofline: Roofline, ridge: RidgePoint): TemplateResult {
  const label = (id: string): string =>
    [...roofline.compute, ...roofline.bandwidth].find((ceiling) => ceiling.id === id)?.label ?? id;
  return html`
    <tr>
      <th scope="row">${words.ridge}</th>
      <td class="number">${formatNumber(ridge.intensity)} ${intensityUnits[ridge.unit]}</td>
      <td></td>
      <td>${words.ridgeOf(label(ridge.compute), label(ridge.bandwidth))}</td>
      <td></td>
      <td></td>
    </tr>
  `;
}
