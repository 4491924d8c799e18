import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { Prediction, Question } from '../../core/lessons/lesson.ts';
import { formatNumber } from '../../core/units.ts';
import { strings } from '../strings.ts';
import { sharedStyles } from '../styles.ts';

const words = strings.learn;

/** Steps of the logarithmic slider. */
const sliderSteps = 200;

/** Asks for a prediction before anything is shown. Fires `predicted` (detail: Prediction). */
@customElement('rooftrace-prediction-form')
export class PredictionForm extends LitElement {
  @property({ attribute: false }) question!: Question;
  @state() private position = sliderSteps / 2;
  @state() private choice: number | undefined;

  static override styles = [
    sharedStyles,
    css`
      fieldset {
        margin: 0;
        padding: 0;
        border: none;
      }
      legend,
      .text {
        display: block;
        margin-bottom: 0.75rem;
        padding: 0;
        font-weight: 600;
      }
      .options {
        display: grid;
        gap: 0.5rem;
        margin-bottom: 0.75rem;
      }
      .slider {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.5rem 1rem;
        margin-bottom: 0.75rem;
      }
      input[type='range'] {
        flex: 1 1 14rem;
        accent-color: var(--accent);
      }
      output {
        min-width: 6rem;
        font-size: 1.25rem;
        font-variant-numeric: tabular-nums;
        font-weight: 600;
      }
    `,
  ];

  override render(): TemplateResult {
    const { question } = this;
    switch (question.kind) {
      case 'number':
        return html`<form @submit=${this.onSubmit}>
          <label class="text" for="slider">${question.text}</label>
          <div class="slider">
            <input
              id="slider"
              type="range"
              min="0"
              max=${sliderSteps}
              .value=${String(this.position)}
              aria-valuetext="${formatNumber(this.number(question))} ${question.unit}"
              @input=${this.onSlide}
            />
            <output for="slider">${formatNumber(this.number(question))} ${question.unit}</output>
          </div>
          <button>${words.predict}</button>
        </form>`;
      case 'choice':
        return html`<form @submit=${this.onSubmit}>
          <fieldset>
            <legend>${question.text}</legend>
            <div class="options">
              ${question.options.map(
                (option, index) =>
                  html`<label>
                    <input
                      type="radio"
                      name="option"
                      .checked=${this.choice === index}
                      @change=${() => (this.choice = index)}
                    />
                    ${option}
                  </label>`,
              )}
            </div>
          </fieldset>
          <button ?disabled=${this.choice === undefined}>${words.predict}</button>
        </form>`;
    }
  }

  private number({ min, max }: Extract<Question, { kind: 'number' }>): number {
    return min * (max / min) ** (this.position / sliderSteps);
  }

  private readonly onSlide = (event: Event): void => {
    this.position = (event.currentTarget as HTMLInputElement).valueAsNumber;
  };

  private readonly onSubmit = (event: Event): void => {
    event.preventDefault();
    const { question, choice } = this;
    const prediction: Prediction | undefined =
      question.kind === 'number' ? this.number(question) : choice;
    if (prediction !== undefined)
      this.dispatchEvent(
        new CustomEvent('predicted', { detail: prediction, bubbles: true, composed: true }),
      );
  };
}
