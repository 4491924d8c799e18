import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { fashionShape } from '../core/nn/fashionMnist.ts';
import { trainingPlan } from '../core/nn/trainingPlan.ts';
import { isModelName } from '../core/nn/zoo.ts';
import { interconnects, type Interconnect } from '../core/projection/allReduce.ts';
import {
  gradientSize,
  measuredSteps,
  projectScaling,
  type MeasuredStep,
  type ProjectedStep,
} from '../core/projection/scaling.ts';
import type { Trajectory } from '../core/roofline/types.ts';
import {
  formatCount,
  formatDuration,
  formatNumber,
  formatShare,
  formatSize,
} from '../core/units.ts';
import { strings } from './strings.ts';
import { sharedStyles, tableStyles } from './styles.ts';

const words = strings.projection;
const deviceCounts = [1, 2, 4, 8, 16, 32, 64];

/** A sweep of batches from which training on several devices can be projected. */
interface Source {
  readonly name: string;
  readonly measured: readonly MeasuredStep[];
  readonly gradientBytes: number;
}

/** The sources among trajectories: sweeps of batches of networks that this version has. */
export function projectionSources(trajectories: readonly Trajectory[]): readonly Source[] {
  return trajectories.flatMap((trajectory) => {
    const { device, model } = trajectory;
    const measured = measuredSteps(trajectory);
    if (measured.length === 0 || !isModelName(model)) return [];
    const gradientBytes = gradientSize(trainingPlan(model, 1, fashionShape));
    return [{ name: `${device.toUpperCase()}, ${model}`, measured, gradientBytes }];
  });
}

/** What several devices like the measured one would do: a model, by a link that can be edited. */
@customElement('rooftrace-projection')
export class Projection extends LitElement {
  @property({ attribute: false }) trajectories: readonly Trajectory[] = [];
  @state() private chosen = 0;
  @state() private batch: number | undefined;
  @state() private scaling: 'strong' | 'weak' = 'weak';
  @state() private link: Interconnect = interconnects[2];

  static override styles = [
    sharedStyles,
    tableStyles,
    css`
      .settings {
        display: flex;
        flex-wrap: wrap;
        gap: 0.5rem 1.25rem;
        margin: 0.5rem 0;
      }
      label {
        display: grid;
        gap: 0.25rem;
        color: var(--muted);
        font-size: 0.875rem;
      }
      select,
      input {
        padding: 0.3125rem 0.5rem;
        border: 1px solid var(--hairline);
        border-radius: calc(var(--radius) - 3px);
        background: var(--surface);
        color: var(--ink);
        font: inherit;
        font-size: 0.9375rem;
      }
      input {
        width: 7em;
      }
    `,
  ];

  override render(): TemplateResult | typeof nothing {
    const sources = projectionSources(this.trajectories);
    const source = sources[this.chosen] ?? sources[0];
    if (source === undefined) return nothing;
    const batches = source.measured.map(({ batch }) => batch);
    const batch = batches.find((one) => one === this.batch) ?? batches.at(-1)!;
    const steps = projectScaling(
      { ...source, batch, scaling: this.scaling, link: this.link },
      deviceCounts,
    );
    return html`
      <p class="quiet">${words.about(formatSize(source.gradientBytes))}</p>
      <div class="settings">
        ${choice(
          words.of,
          sources.map(({ name }, index) => [index, name]),
          sources.indexOf(source),
          (value) => (this.chosen = Number(value)),
        )}
        ${choice(
          words.batch,
          batches.map((value) => [value, String(value)]),
          batch,
          (value) => (this.batch = Number(value)),
        )}
        ${choice(
          words.scaling,
          [
            ['weak', words.scalings.weak],
            ['strong', words.scalings.strong],
          ],
          this.scaling,
          (value) => (this.scaling = value === 'strong' ? 'strong' : 'weak'),
        )}
        ${choice(
          words.link,
          interconnects.map(({ id, label }) => [id, label]),
          this.link.id,
          (value) => (this.link = interconnects.find(({ id }) => id === value) ?? this.link),
        )}
        ${this.field(words.latency, this.link.latencySeconds, 1e-6, 0, (latencySeconds) => {
          this.link = { ...this.link, latencySeconds };
        })}
        ${this.field(words.rate, this.link.bytesPerSecond, 1e9, Number.MIN_VALUE, (rate) => {
          this.link = { ...this.link, bytesPerSecond: rate };
        })}
      </div>
      ${projectionTable(steps)}
    `;
  }

  /** A number of the link in its unit; what is no number, or too small, changes nothing. */
  private field(
    label: string,
    value: number,
    unit: number,
    least: number,
    set: (value: number) => void,
  ): TemplateResult {
    return html`
      <label>
        ${label}
        <input
          inputmode="decimal"
          .value=${shown(value, unit)}
          @change=${({ target }: Event) => {
            const input = target as HTMLInputElement;
            const typed = input.value.trim() === '' ? NaN : unit * Number(input.value);
            if (Number.isFinite(typed) && typed >= least) set(typed);
            else input.value = shown(value, unit);
          }}
        />
      </label>
    `;
  }
}

function shown(value: number, unit: number): string {
  return String(Number((value / unit).toPrecision(6)));
}

function choice<T extends string | number>(
  label: string,
  options: readonly (readonly [T, string])[],
  chosen: T,
  set: (value: string) => void,
): TemplateResult {
  return html`
    <label>
      ${label}
      <select @change=${({ target }: Event) => set((target as HTMLSelectElement).value)}>
        ${options.map(
          ([value, text]) =>
            html`<option value=${value} ?selected=${value === chosen}>${text}</option>`,
        )}
      </select>
    </label>
  `;
}

function projectionTable(steps: readonly ProjectedStep[]): TemplateResult {
  return html`
    <div class="scroll" role="region" aria-label=${words.title} tabindex="0">
      <table data-projection>
        <thead>
          <tr>
            ${words.columns.map((column) => html`<th scope="col" class="number">${column}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${steps.map(
            (step) => html`
              <tr>
                <th scope="row" class="number">${step.devices}</th>
                <td class="number">${step.largestShare}</td>
                <td class="number">${formatDuration(step.computeSeconds)}</td>
                <td class="number">${formatDuration(step.allReduceSeconds)}</td>
                <td class="number">${formatDuration(step.seconds)}</td>
                <td class="number">${formatCount(step.imagesPerSecond)}</td>
                <td class="number">${formatNumber(step.speedup)} ×</td>
                <td class="number">${formatShare(step.efficiency)}</td>
              </tr>
            `,
          )}
        </tbody>
      </table>
    </div>
  `;
}
