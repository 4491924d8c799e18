import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { download } from '../../app/download.ts';
import { throttle } from '../../app/throttle.ts';
import type { KeptImages } from '../../app/keptImages.ts';
import type { Session } from '../../app/session.ts';
import type { Training } from '../../app/training.ts';
import { modelNames } from '../../core/nn/zoo.ts';
import { trainingCsv, trainingCurves, type TrainingCurves } from '../../core/training/curves.ts';
import type { TrainingEvent } from '../../core/training/trainingRun.ts';
import { defaultRecipe, type Recipe } from '../../core/training/recipe.ts';
import { formatDuration, formatInteger, formatNumber, formatShare } from '../../core/units.ts';
import '../failures.ts';
import '../kept-images.ts';
import { strings } from '../strings.ts';
import { sharedStyles, tableStyles } from '../styles.ts';
import './curve-chart.ts';

const words = strings.train;

const redrawMilliseconds = 250;
const batches = [8, 16, 32, 64, 128];
const rates = [0.01, 0.03, 0.1, 0.3];
const epochCounts = [1, 2, 3, 5, 10];

/** Trains a network of the zoo on Fashion-MNIST, for real, and shows how it learns. */
@customElement('rooftrace-train-view')
export class TrainView extends LitElement {
  @property({ attribute: false }) training!: Training;
  /** Its measurement and a training would disturb each other. */
  @property({ attribute: false }) session!: Session;
  @property({ attribute: false }) images!: KeptImages;
  @state() private recipe: Recipe = defaultRecipe;
  private unsubscribe: (() => void)[] = [];

  static override styles = [
    sharedStyles,
    tableStyles,
    css`
      section {
        display: grid;
        gap: 1rem;
      }
      form {
        display: flex;
        flex-wrap: wrap;
        gap: 0.75rem 1.25rem;
        align-items: end;
      }
      label {
        display: grid;
        gap: 0.25rem;
        color: var(--muted);
        font-size: 0.875rem;
      }
      select {
        padding: 0.4375rem 0.625rem;
        border: 1px solid var(--hairline);
        border-radius: calc(var(--radius) - 3px);
        background: var(--surface);
        color: var(--ink);
        font: inherit;
        font-size: 0.9375rem;
      }
      .primary {
        border-color: var(--accent);
        background: var(--accent);
        color: var(--on-accent);
        font-weight: 600;
      }
      .curves {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr));
        gap: 1rem;
      }
      .card {
        display: grid;
        gap: 0.875rem;
      }
      .card > * {
        min-width: 0;
        justify-self: start;
      }
      .card > .line,
      .card > progress,
      .card > .curves {
        width: 100%;
      }
      progress {
        accent-color: var(--accent);
      }
      table {
        width: auto;
      }
      .line {
        display: flex;
        flex-wrap: wrap;
        justify-content: space-between;
        gap: 0 1rem;
        font-variant-numeric: tabular-nums;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const unsubscribe of this.unsubscribe) unsubscribe();
    this.unsubscribe = [];
  }

  /** An element that is defined after it was rendered gets its properties with its first update. */
  override willUpdate(): void {
    if (this.unsubscribe.length > 0) return;
    this.recipe = this.training.recipe ?? this.recipe;
    const redraw = throttle(redrawMilliseconds, () => this.requestUpdate());
    this.unsubscribe = [this.training.subscribe(redraw), this.session.subscribe(redraw)];
  }

  override render(): TemplateResult {
    const { training } = this;
    const curves = trainingCurves(training.events);
    return html`
      <section aria-label=${strings.views.train}>
        <div class="card">
          <h2>${words.title}</h2>
          <p class="quiet">${words.about}</p>
          ${this.controls()}
          <rooftrace-kept-images
            .images=${this.images}
            ?busy=${this.session.busy}
          ></rooftrace-kept-images>
        </div>
        ${
          training.failure
            ? html`<rooftrace-failures .failures=${[training.failure]}></rooftrace-failures>`
            : nothing
        }
        ${training.state === 'idle' ? nothing : this.results(curves)}
      </section>
    `;
  }

  private controls(): TemplateResult {
    const { recipe } = this;
    return html`
      <form @submit=${(event: Event) => event.preventDefault()}>
        ${this.choice('model', modelNames, recipe.model)}
        ${this.choice('batch', batches, recipe.batch)}
        ${this.choice('learningRate', rates, recipe.learningRate)}
        ${this.choice('epochs', epochCounts, recipe.epochs)} ${this.buttons()}
      </form>
    `;
  }

  private choice<F extends 'model' | 'batch' | 'learningRate' | 'epochs'>(
    field: F,
    values: readonly Recipe[F][],
    chosen: Recipe[F],
  ): TemplateResult {
    const onChange = (event: Event): void => {
      const value = values[(event.target as HTMLSelectElement).selectedIndex];
      if (value !== undefined) this.recipe = { ...this.recipe, [field]: value };
    };
    return html`
      <label
        >${words.fields[field]}
        <select name=${field} ?disabled=${this.training.busy} @change=${onChange}>
          ${values.map((value) => html`<option ?selected=${value === chosen}>${value}</option>`)}
        </select>
      </label>
    `;
  }

  private buttons(): TemplateResult {
    const { training } = this;
    switch (training.state) {
      case 'idle':
      case 'ended':
        return html`<button
            class="primary"
            ?disabled=${this.session.busy}
            @click=${() => training.start(this.recipe)}
          >
            ${training.state === 'idle' ? words.train : words.again}</button
          >${this.session.busy ? html`<span class="quiet">${words.measuring}</span>` : nothing}`;
      case 'starting':
      case 'running':
        return html`<button
            ?disabled=${training.state === 'starting'}
            @click=${() => training.pause()}
          >
            ${words.pause}</button
          >${this.stopButton()}`;
      case 'paused':
        return html`<button
            class="primary"
            ?disabled=${this.session.busy}
            @click=${() => training.resume()}
          >
            ${words.resume}</button
          >${this.stopButton()}`;
      case 'stopping':
        return html`<button disabled>${words.states.stopping()}</button>`;
    }
  }

  private stopButton(): TemplateResult {
    return html`<button @click=${() => this.training.stop()}>${words.stop}</button>`;
  }

  private results(curves: TrainingCurves): TemplateResult {
    return html`
      <div class="card">
        ${this.progress(curves)}
        <div class="curves">
          <rooftrace-curve-chart
            label=${words.loss}
            .line=${curves.smoothed}
            .scatter=${curves.losses}
            .steps=${curves.steps}
            .top=${2.5}
          ></rooftrace-curve-chart>
          <rooftrace-curve-chart
            label=${words.accuracy}
            .line=${curves.accuracies}
            .steps=${curves.steps}
            .top=${1}
            .format=${formatShare}
            .marked=${true}
          ></rooftrace-curve-chart>
        </div>
        ${this.evaluations(curves)}
      </div>
    `;
  }

  private progress({ step, steps, epoch, secondsPerStep }: TrainingCurves): TemplateResult {
    const { training } = this;
    const recipe = training.recipe ?? this.recipe;
    const pace =
      secondsPerStep === undefined
        ? ''
        : words.pace(formatNumber(recipe.batch / secondsPerStep), formatDuration(secondsPerStep));
    const left =
      training.busy && secondsPerStep !== undefined
        ? words.left(formatDuration((steps - step) * secondsPerStep))
        : '';
    return html`
      <div class="line">
        <span>${this.stateText()}${epoch > 0 ? words.epochOf(epoch, recipe.epochs) : ''}</span>
        <span class="quiet">${[pace, left].filter((text) => text !== '').join('; ')}</span>
      </div>
      <progress aria-label=${words.progress} max=${Math.max(1, steps)} .value=${step}></progress>
      <p class="visually-hidden" role="status">${this.stateText()}</p>
    `;
  }

  private stateText(): string {
    const { training } = this;
    const where = training.deviceName === undefined ? '' : words.on(training.deviceName);
    return words.states[training.state](where);
  }

  private evaluations({ accuracies }: TrainingCurves): TemplateResult {
    const { events } = this.training;
    if (accuracies.length === 0) return html`<p class="quiet">${words.beforeEpoch}</p>`;
    return html`
      <div class="scroll">
        <table>
          <thead>
            <tr>
              ${words.columns.map((name) => html`<th scope="col" class="number">${name}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${accuracies.map(
              ({ step, value }, index) => html`
                <tr>
                  <th scope="row" class="number">${index + 1}</th>
                  <td class="number">${formatInteger(step)}</td>
                  <td class="number">${formatShare(value)}</td>
                </tr>
              `,
            )}
          </tbody>
        </table>
      </div>
      <button @click=${() => download(csvOf(events), 'rooftrace-training.csv')}>
        ${words.csv}
      </button>
    `;
  }
}

function csvOf(events: readonly TrainingEvent[]): Blob {
  return new Blob([trainingCsv(events)], { type: 'text/csv' });
}
