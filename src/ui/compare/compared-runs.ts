import { css, html, LitElement, svg, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { Comparison } from '../../app/comparison.ts';
import {
  roofOf,
  roofText,
  type ComparedRun,
  type RunSource,
} from '../../core/compare/comparedRun.ts';
import { sideNames, type SideName } from '../../core/compare/sides.ts';
import { seriesClass, seriesColors, seriesMark } from '../series-style.ts';
import { strings } from '../strings.ts';
import { sharedStyles } from '../styles.ts';

const words = strings.compare.run;

const sources: Record<RunSource, string> = words.sources;

/** The runs side by side, each with its colour, its side, and the way out. */
@customElement('rooftrace-compared-runs')
export class ComparedRuns extends LitElement {
  @property({ attribute: false }) comparison!: Comparison;
  @property({ attribute: false }) runs: readonly ComparedRun[] = [];

  static override styles = [
    sharedStyles,
    seriesColors,
    css`
      ul {
        display: grid;
        gap: 0.5rem;
        margin: 0;
        padding: 0;
        list-style: none;
      }
      li {
        display: grid;
        grid-template-columns: auto 1fr auto auto;
        align-items: center;
        gap: 0.25rem 0.75rem;
      }
      .name {
        min-width: 0;
        overflow-wrap: anywhere;
      }
      @media (max-width: 40rem) {
        ul {
          gap: 1rem;
        }
        li {
          grid-template-columns: auto 1fr auto;
          align-items: start;
        }
        svg {
          margin-top: 0.25em;
        }
        .name {
          grid-column: 2 / -1;
        }
        label {
          grid-column: 2;
        }
      }
      .quiet {
        display: block;
      }
      select {
        padding: 0.25rem;
        border: 1px solid var(--hairline);
        border-radius: 6px;
        background: var(--surface);
        color: var(--ink);
        font: inherit;
      }
      label {
        font-size: 0.875rem;
      }
    `,
  ];

  override render(): TemplateResult {
    const { comparison, runs } = this;
    const { sides } = comparison;
    return html`<ul aria-label=${words.list}>
      ${runs.map(
        (run, style) =>
          html`<li data-run=${run.id}>
            <svg class=${seriesClass(style)} width="16" height="16" aria-hidden="true">
              ${svg`${seriesMark(style, 8, 8, 5)}`}
            </svg>
            <span class="name">
              ${run.name}
              <span class="quiet">${describe(run)}</span>
            </span>
            <label>
              ${words.side}
              <select
                aria-label=${words.sideOf(run.name)}
                @change=${(event: Event) =>
                  comparison.chooseSide(
                    run.id,
                    (event.currentTarget as HTMLSelectElement).value as SideName,
                  )}
              >
                ${sideNames.map(
                  (side) => html`<option ?selected=${sides.get(run.id) === side}>${side}</option>`,
                )}
              </select>
            </label>
            <button
              aria-label=${words.removeRun(run.name)}
              @click=${() => comparison.remove(run.id)}
            >
              ${words.remove}
            </button>
          </li>`,
      )}
    </ul>`;
  }
}

function describe({ source, run }: ComparedRun): string {
  const roofs = (['gpu', 'cpu'] as const).flatMap((device) => {
    const roof = roofOf(run.summary, device);
    return roof ? [`${device.toUpperCase()} ${roofText(roof)}`] : [];
  });
  return [`${run.startedAt.slice(0, 16).replace('T', ' ')}, ${sources[source]}`, ...roofs].join(
    '; ',
  );
}
