import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import {
  verdictOf,
  type Answer,
  type Prediction,
  type Question,
  type Verdict,
} from '../../core/lessons/lesson.ts';
import { formatNumber } from '../../core/units.ts';
import './roof-figure.ts';
import { strings } from '../strings.ts';
import { sharedStyles, tableStyles } from '../styles.ts';

const words = strings.learn;

const verdicts: Record<Verdict, string> = words.verdicts;

/** The prediction and the measured answer side by side, and what follows from the numbers. */
@customElement('rooftrace-lesson-answer')
export class LessonAnswer extends LitElement {
  @property({ attribute: false }) question!: Question;
  @property({ attribute: false }) answer!: Answer;
  @property({ attribute: false }) prediction!: Prediction;

  static override styles = [
    sharedStyles,
    tableStyles,
    css`
      dl {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 14rem), 1fr));
        gap: 0.75rem;
        margin-bottom: 0.75rem;
      }
      dt {
        color: var(--muted);
        font-size: 0.875rem;
      }
      dd {
        font-size: 1.25rem;
        font-weight: 600;
      }
      .exchange-choice dd {
        font-size: 1rem;
      }
      p {
        max-width: 46rem;
        margin-bottom: 0.75rem;
      }
      .scroll,
      rooftrace-roof-figure {
        max-width: 46rem;
      }
      th,
      td {
        white-space: normal;
      }
      rooftrace-roof-figure {
        margin-top: 1rem;
      }
    `,
  ];

  override render(): TemplateResult {
    const { question, answer, prediction } = this;
    const verdict = verdictOf(question, prediction, answer);
    return html`
      <div role="status">
        <dl class="exchange-${question.kind}">
          <div>
            <dt>${words.predicted}</dt>
            <dd>${predictionText(question, prediction)}</dd>
          </div>
          <div>
            <dt>${words.found}</dt>
            <dd data-found>${answer.text}</dd>
          </div>
        </dl>
        <p data-verdict=${verdict}><strong>${verdicts[verdict]}</strong></p>
      </div>
      ${answer.explanation.map((line) => html`<p>${line}</p>`)}
      <div class="scroll" role="region" aria-label=${words.table} tabindex="0">
        <table>
          <tbody>
            ${answer.rows.map(
              ({ label, value }) =>
                html`<tr>
                  <th scope="row">${label}</th>
                  <td>${value}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${
        answer.chart === undefined
          ? nothing
          : html`<rooftrace-roof-figure
              .series=${answer.chart}
              label=${words.figure}
            ></rooftrace-roof-figure>`
      }
    `;
  }
}

function predictionText(question: Question, prediction: Prediction): string {
  switch (question.kind) {
    case 'number':
      return `${formatNumber(prediction)} ${question.unit}`;
    case 'choice':
      return question.options[prediction] ?? '';
  }
}
