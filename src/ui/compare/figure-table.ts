import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { ComparedRun } from '../../core/compare/comparedRun.ts';
import { figuresOf, type Figure } from '../../core/compare/figures.ts';
import type { Ratio, RatioVerdict } from '../../core/compare/ratio.ts';
import { sideNames, type RatioRow, type SideName } from '../../core/compare/sides.ts';
import { formatCount, formatNumber, formatRate } from '../../core/units.ts';
import { strings } from '../strings.ts';
import { sharedStyles, tableStyles } from '../styles.ts';

const words = strings.compare.table;

const verdicts: Record<RatioVerdict, string> = words.verdicts;

/** Every number of the compared runs, and the ratios of their sides with intervals. */
@customElement('rooftrace-figure-table')
export class FigureTable extends LitElement {
  @property({ attribute: false }) runs: readonly ComparedRun[] = [];
  @property({ attribute: false }) sides: ReadonlyMap<string, SideName> = new Map();
  @property({ attribute: false }) rows: readonly RatioRow[] = [];

  static override styles = [
    sharedStyles,
    tableStyles,
    css`
      .group {
        padding-top: 1rem;
        border-top: none;
        font-weight: 600;
      }
      th:first-child {
        white-space: normal;
        min-width: 11rem;
      }
      .run {
        max-width: 12rem;
        overflow-wrap: anywhere;
        white-space: normal;
      }
      .differs {
        font-weight: 600;
      }
    `,
  ];

  override render(): TemplateResult {
    const figures = this.runs.map(({ run }) => figuresOf(run.summary));
    const keys = new Map(figures.flat().map((figure) => [figure.key, figure]));
    const used = new Set(this.runs.map(({ id }) => this.sides.get(id)));
    const base = sideNames.find((side) => used.has(side));
    const others = this.rows[0]?.others.map(({ side }) => side) ?? [];
    return html`
      <div class="scroll" role="region" aria-label=${words.label} tabindex="0">
        <table>
          <thead>
            <tr>
              <th scope="col">${words.figure}</th>
              ${this.runs.map(
                ({ id, name }) =>
                  html`<th scope="col" class="number run">${this.sides.get(id)}: ${name}</th>`,
              )}
              ${others.map(
                (side) => html`
                  <th scope="col" class="number">${side} / ${base}</th>
                  <th scope="col" class="number">${words.interval}</th>
                  <th scope="col" class="words">${words.verdict}</th>
                `,
              )}
            </tr>
          </thead>
          ${(['gpu', 'cpu'] as const).map((device) => {
            const own = [...keys.values()].filter((figure) => figure.device === device);
            if (own.length === 0) return nothing;
            const columns = 1 + this.runs.length + 3 * others.length;
            return html`<tbody>
              <tr>
                <th scope="rowgroup" class="group" colspan=${columns}>${device.toUpperCase()}</th>
              </tr>
              ${own.map((figure) => this.row(figure, figures, others))}
            </tbody>`;
          })}
        </table>
      </div>
    `;
  }

  private row(
    { key, label }: Figure,
    figures: readonly (readonly Figure[])[],
    others: readonly SideName[],
  ): TemplateResult {
    const ratios = this.rows.find(({ figure }) => figure.key === key);
    return html`<tr data-figure=${key}>
      <th scope="row">${label}</th>
      ${figures.map((own) => {
        const figure = own.find((candidate) => candidate.key === key);
        return html`<td class="number">${figure ? valueText(figure) : ''}</td>`;
      })}
      ${others.map((side) =>
        ratioCells(ratios?.others.find((candidate) => candidate.side === side)?.ratio),
      )}
    </tr>`;
  }
}

function ratioCells(ratio: Ratio | undefined): TemplateResult {
  if (ratio === undefined)
    return html`<td></td>
      <td></td>
      <td></td>`;
  const { interval, verdict } = ratio;
  return html`
    <td class="number ${verdict === 'differs' ? 'differs' : ''}">${formatNumber(ratio.ratio)}</td>
    <td class="number">
      ${interval ? `${formatNumber(interval.low)} – ${formatNumber(interval.high)}` : ''}
    </td>
    <td class="words" data-verdict=${verdict}>${verdicts[verdict]}</td>
  `;
}

function valueText({ value, unit }: Figure): string {
  switch (unit) {
    case 'flop/s':
    case 'op/s':
    case 'byte/s':
      return formatRate(value, unit);
    case 'flop/byte':
      return `${formatNumber(value)} FLOP/byte`;
    case 'images/s':
      return `${formatCount(value)} images/s`;
  }
}
