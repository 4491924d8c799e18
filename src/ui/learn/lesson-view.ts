import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import type { Session } from '../../app/session.ts';
import type { Lesson, Prediction } from '../../core/lessons/lesson.ts';
import { strings } from '../strings.ts';
import { sharedStyles } from '../styles.ts';
import { formulaList } from './formula-list.ts';
import './lesson-answer.ts';
import './measure-here.ts';
import './prediction-form.ts';

const words = strings.learn;

/** One lesson: belief, formulas, prediction, then what was measured. Fires `predicted` and `predict-again`. */
@customElement('rooftrace-lesson-view')
export class LessonView extends LitElement {
  @property({ attribute: false }) lesson!: Lesson;
  @property({ type: Number }) number = 1;
  @property({ attribute: false }) prediction: Prediction | undefined;
  @property({ attribute: false }) session!: Session;
  /** Whose numbers they are. */
  @property() numbers = '';
  @property({ type: Boolean }) own = false;
  @query('#title') private heading!: HTMLElement;
  @query('#exchange') private exchanged!: HTMLElement;
  private moveFocus = false;

  static override styles = [
    sharedStyles,
    css`
      article {
        display: grid;
        gap: 1rem;
        max-width: 52rem;
        margin: 0 auto;
      }
      article > * {
        min-width: 0;
      }
      h2 {
        font-size: 1.25rem;
      }
      .card > * + p,
      .card > * + h3 {
        margin-top: 0.625rem;
      }
      blockquote {
        margin: 0.5rem 0 0;
        padding-left: 0.875rem;
        border-left: 3px solid var(--flag);
        font-style: italic;
      }
      .card p,
      .card ol,
      blockquote {
        max-width: 46rem;
      }
      .formulas {
        display: grid;
        gap: 0.75rem;
        margin-top: 0.875rem;
        padding: 0.5rem 0;
        overflow-x: auto;
        font-size: 1.25rem;
      }
      rooftrace-lesson-answer + p {
        margin: 1rem 0 0.5rem;
      }
      .takeaway {
        font-weight: 600;
      }
      ol {
        margin: 0.5rem 0 0;
        padding-left: 1.25rem;
      }
      .lines {
        display: none;
      }
      .actions {
        display: flex;
        flex-wrap: wrap;
        gap: 0.5rem;
        margin-top: 0.875rem;
      }
      @media print {
        .actions,
        rooftrace-measure-here {
          display: none;
        }
        .lines {
          display: block;
          height: 4.5em;
          border-bottom: 1px solid var(--hairline);
        }
        .card {
          border: none;
          padding: 0;
          break-inside: avoid;
        }
      }
    `,
  ];

  /** Where the reading begins. */
  async focusTitle(): Promise<void> {
    await this.updateComplete;
    this.heading.focus();
  }

  /** The form and the answer take each other's place, with the button that was pressed. */
  override willUpdate(changed: PropertyValues<this>): void {
    this.moveFocus = this.hasUpdated && changed.has('prediction');
  }

  override updated(): void {
    if (this.moveFocus) this.exchanged.focus();
  }

  override render(): TemplateResult {
    const { lesson, number } = this;
    return html`<article aria-labelledby="title">
      <section class="card">
        <h2 id="title" tabindex="-1">${words.title(number, lesson.title)}</h2>
        <blockquote>${lesson.misconception}</blockquote>
        ${lesson.introduction.map((text) => html`<p>${text}</p>`)} ${formulaList(lesson.formulas)}
      </section>
      <section class="card" id="exchange" aria-label=${words.exchange} tabindex="-1">
        ${this.exchange()}
      </section>
      ${this.prediction === undefined ? nothing : this.afterwards()}
    </article>`;
  }

  private exchange(): TemplateResult {
    const { lesson, prediction } = this;
    const { question, answer, missing } = lesson;
    if (prediction === undefined)
      return html`<rooftrace-prediction-form .question=${question}></rooftrace-prediction-form>`;
    if (answer === undefined)
      return html`<p data-missing>
          <strong>${words.cannotAnswer(this.numbers)}</strong> ${missing}
        </p>
        <rooftrace-measure-here .session=${this.session}></rooftrace-measure-here>`;
    return html`
      <rooftrace-lesson-answer
        .question=${question}
        .answer=${answer}
        .prediction=${prediction}
      ></rooftrace-lesson-answer>
      <p class="quiet">${words.numbersOf(this.numbers)}</p>
      ${
        this.own
          ? nothing
          : html`<rooftrace-measure-here .session=${this.session}></rooftrace-measure-here>`
      }
      <div class="actions">
        <button @click=${() => this.dispatchEvent(new CustomEvent('predict-again'))}>
          ${words.again}
        </button>
      </div>
    `;
  }

  private afterwards(): TemplateResult {
    const { lesson } = this;
    return html`<section class="card" aria-labelledby="worksheet">
      <p class="takeaway" data-takeaway>${lesson.takeaway}</p>
      <h3 id="worksheet">${words.worksheet}</h3>
      <ol>
        ${lesson.worksheet.map((task) => html`<li>${task}<span class="lines"></span></li>`)}
      </ol>
      <div class="actions">
        <button @click=${() => print()}>${words.print}</button>
      </div>
    </section>`;
  }
}
