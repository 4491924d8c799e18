import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { download } from '../../app/download.ts';
import { throttle } from '../../app/throttle.ts';
import type { Session } from '../../app/session.ts';
import type { Training } from '../../app/training.ts';
import { modelNames } from '../../core/nn/zoo.ts';
import { trainingCsv, trainingCurves, type TrainingCurves } from '../../core/training/curves.ts';
import type { TrainingEvent } from '../../core/training/trainingRun.ts';
import { defaultRecipe, type Recipe } from '../../core/training/recipe.ts';
import { formatDuration, formatNumber, formatShare } from '../../core/units.ts';
import '../failures.ts';
import { sharedStyles, tableStyles } from '../styles.ts';
import './curve-chart.ts';

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
      progress {
        width: 100%;
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
      <section aria-label="Train">
        <div class="card">
          <h2>Train a network on this device</h2>
          <p class="quiet">
            Fashion-MNIST: 8,192 small pictures of clothes to learn from, 2,048 others to be tested
            on. The kernels are those that the measure view draws on the roofline.
          </p>
          ${this.controls()}
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
        ${this.choice('Network', 'model', modelNames, recipe.model)}
        ${this.choice('Batch', 'batch', batches, recipe.batch)}
        ${this.choice('Learning rate', 'learningRate', rates, recipe.learningRate)}
        ${this.choice('Epochs', 'epochs', epochCounts, recipe.epochs)} ${this.buttons()}
      </form>
    `;
  }

  private choice<F extends 'model' | 'batch' | 'learningRate' | 'epochs'>(
    label: string,
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
        >${label}
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
            ${training.state === 'idle' ? 'Train' : 'Train again'}</button
          >${
            this.session.busy
              ? html`<span class="quiet">A measurement is under way; train when it is done.</span>`
              : nothing
          }`;
      case 'starting':
      case 'running':
        return html`<button
            ?disabled=${training.state === 'starting'}
            @click=${() => training.pause()}
          >
            Pause</button
          >${this.stopButton()}`;
      case 'paused':
        return html`<button
            class="primary"
            ?disabled=${this.session.busy}
            @click=${() => training.resume()}
          >
            Resume</button
          >${this.stopButton()}`;
      case 'stopping':
        return html`<button disabled>Stopping</button>`;
    }
  }

  private stopButton(): TemplateResult {
    return html`<button @click=${() => this.training.stop()}>Stop</button>`;
  }

  private results(curves: TrainingCurves): TemplateResult {
    return html`
      <div class="card">
        ${this.progress(curves)}
        <div class="curves">
          <rooftrace-curve-chart
            label="Training loss"
            .line=${curves.smoothed}
            .scatter=${curves.losses}
            .steps=${curves.steps}
            .top=${2.5}
          ></rooftrace-curve-chart>
          <rooftrace-curve-chart
            label="Test images told right"
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
        : `${formatNumber(recipe.batch / secondsPerStep)} images/s, ` +
          `${formatDuration(secondsPerStep)} a step`;
    const left =
      training.busy && secondsPerStep !== undefined
        ? `about ${formatDuration((steps - step) * secondsPerStep)} left`
        : '';
    return html`
      <div class="line">
        <span>${this.stateText()}${epoch > 0 ? `, epoch ${epoch} of ${recipe.epochs}` : ''}</span>
        <span class="quiet">${[pace, left].filter((text) => text !== '').join('; ')}</span>
      </div>
      <progress
        aria-label="Progress of the training"
        max=${Math.max(1, steps)}
        .value=${step}
      ></progress>
      <p class="visually-hidden" role="status">${this.stateText()}</p>
    `;
  }

  private stateText(): string {
    const { training } = this;
    const where = training.deviceName === undefined ? '' : ` on ${training.deviceName}`;
    switch (training.state) {
      case 'idle':
        return '';
      case 'starting':
        return 'Loading images and compiling kernels';
      case 'running':
        return `Training${where}`;
      case 'paused':
        return 'Paused';
      case 'stopping':
        return 'Stopping';
      case 'ended':
        return `Ended${where}`;
    }
  }

  private evaluations({ accuracies }: TrainingCurves): TemplateResult {
    const { events } = this.training;
    if (events.length === 0) return html``;
    return html`
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col" class="number">Epoch</th>
              <th scope="col" class="number">Steps</th>
              <th scope="col" class="number">Test images told right</th>
            </tr>
          </thead>
          <tbody>
            ${accuracies.map(
              ({ step, value }, index) => html`
                <tr>
                  <th scope="row" class="number">${index + 1}</th>
                  <td class="number">${step.toLocaleString('en-US')}</td>
                  <td class="number">${formatShare(value)}</td>
                </tr>
              `,
            )}
          </tbody>
        </table>
      </div>
      <button @click=${() => download(csvOf(events), 'rooftrace-training.csv')}>
        Save the curves (CSV)
      </button>
    `;
  }
}

function csvOf(events: readonly TrainingEvent[]): Blob {
  return new Blob([trainingCsv(events)], { type: 'text/csv' });
}
