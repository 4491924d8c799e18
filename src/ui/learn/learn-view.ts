import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import type { AddressState } from '../../app/address.ts';
import { inputErrorText } from '../../app/files.ts';
import type { RunHistory } from '../../app/history.ts';
import {
  devicesWithNumbers,
  lessonData,
  ownNumbers,
  referenceNumbers,
  type LessonNumbers,
} from '../../app/lessonNumbers.ts';
import type { Navigation } from '../../app/navigation.ts';
import type { Session } from '../../app/session.ts';
import { roofOf } from '../../core/compare/comparedRun.ts';
import type { Prediction } from '../../core/lessons/lesson.ts';
import { lessons } from '../../core/lessons/lessons.ts';
import type { DeviceKind } from '../../core/run/config.ts';
import '../notices.ts';
import type { Notice } from '../notices.ts';
import { strings } from '../strings.ts';
import { sharedStyles } from '../styles.ts';
import type { LessonView } from './lesson-view.ts';
import './lesson-view.ts';
import './measure-here.ts';
import './playground.ts';

const words = strings.learn;

/** The lessons: an overview with a playground, and one lesson at a time, on chosen numbers. */
@customElement('rooftrace-learn-view')
export class LearnView extends LitElement {
  @property({ attribute: false }) session!: Session;
  @property({ attribute: false }) navigation!: Navigation;
  @property({ attribute: false }) history!: Promise<RunHistory>;
  /** The page's address, which is the view's state. */
  @property({ attribute: false }) address!: AddressState;
  @state() private references: readonly LessonNumbers[] = [];
  @state() private notice: Notice | undefined;
  /** Chosen by the learner; else the own run, else the first reference. */
  @state() private chosenNumbers: string | undefined;
  @state() private chosenDevice: DeviceKind | undefined;
  @state() private predictions: ReadonlyMap<number, Prediction> = new Map();
  @query('#lessons') private heading!: HTMLElement | null;
  @query('rooftrace-lesson-view') private shownLesson!: LessonView | null;
  private stop: (() => void) | undefined;
  private shownBusy = false;

  static override styles = [
    sharedStyles,
    css`
      section.view {
        display: grid;
        gap: 1rem;
      }
      section.view > * {
        min-width: 0;
      }
      .choices {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.5rem 1.25rem;
        font-size: 0.9375rem;
      }
      .choices label {
        max-width: 100%;
      }
      select {
        max-width: 100%;
        padding: 0.3125rem;
        border: 1px solid var(--muted);
        border-radius: 6px;
        background: var(--surface);
        color: var(--ink);
        font: inherit;
      }
      ol {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr));
        gap: 0.75rem;
        margin: 0.75rem 0 0;
        padding: 0;
        list-style: none;
      }
      li a {
        display: block;
        height: 100%;
        box-sizing: border-box;
        padding: 0.75rem 0.875rem;
        border: 1px solid var(--hairline);
        border-radius: var(--radius);
        color: inherit;
        text-decoration: none;
      }
      li a:hover {
        border-color: var(--muted);
      }
      li strong {
        display: block;
      }
      nav {
        display: flex;
        flex-wrap: wrap;
        justify-content: space-between;
        gap: 0.5rem;
      }
      nav a {
        color: var(--accent);
      }
      @media print {
        .choices,
        nav {
          display: none;
        }
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    // The element may be older than its class: its properties are there from the first update on.
    if (this.hasUpdated) this.follow();
  }

  override firstUpdated(): void {
    this.follow();
    void this.loadReferences();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop?.();
  }

  override willUpdate(): void {
    this.shownBusy = this.session.busy;
  }

  /** The link that led here is gone with what it stood in: the focus begins where the reading does. */
  override updated(changed: PropertyValues<this>): void {
    const before = changed.get('address');
    if (before?.view !== 'learn' || before.lesson === this.address.lesson) return;
    if (this.shownLesson) void this.shownLesson.focusTitle();
    else this.heading?.focus();
  }

  override render(): TemplateResult {
    const { lesson } = this.address;
    const numbers = this.numbers();
    const notices = this.notice ? [this.notice] : [];
    return html`<section class="view" aria-label=${strings.views.learn}>
      <rooftrace-notices .notices=${notices} ?hidden=${notices.length === 0}></rooftrace-notices>
      ${
        numbers === undefined
          ? this.withoutNumbers()
          : html`${this.choices(numbers)}
            ${lesson === undefined ? this.overview(numbers) : this.lessonView(lesson, numbers)}`
      }
    </section>`;
  }

  private follow(): void {
    this.stop = this.session.subscribe(() => {
      // While it measures, nothing of a lesson changes.
      if (this.session.busy && this.shownBusy) return;
      this.requestUpdate();
    });
  }

  /** The numbers that lessons are about now. */
  private numbers(): LessonNumbers | undefined {
    const all = this.allNumbers();
    return all.find(({ id }) => id === this.chosenNumbers) ?? all[0];
  }

  private allNumbers(): readonly LessonNumbers[] {
    const own = ownNumbers(this.session);
    return [...(own ? [own] : []), ...this.references];
  }

  private device(numbers: LessonNumbers): DeviceKind {
    const devices = devicesWithNumbers(numbers);
    return devices.find((device) => device === this.chosenDevice) ?? devices[0] ?? 'cpu';
  }

  private withoutNumbers(): TemplateResult {
    return html`<section class="card">
      <h2>${words.lessons}</h2>
      <p>${words.noNumbers}</p>
      <rooftrace-measure-here .session=${this.session}></rooftrace-measure-here>
    </section>`;
  }

  private choices(numbers: LessonNumbers): TemplateResult {
    const device = this.device(numbers);
    return html`<div class="choices">
      <label>
        ${words.numbers}
        <select
          @change=${(event: Event) =>
            (this.chosenNumbers = (event.currentTarget as HTMLSelectElement).value)}
        >
          ${this.allNumbers().map(
            ({ id, name }) =>
              html`<option value=${id} ?selected=${id === numbers.id}>${name}</option>`,
          )}
        </select>
      </label>
      <label>
        ${words.device}
        <select
          @change=${(event: Event) =>
            (this.chosenDevice = (event.currentTarget as HTMLSelectElement).value as DeviceKind)}
        >
          ${devicesWithNumbers(numbers).map(
            (kind) =>
              html`<option value=${kind} ?selected=${kind === device}>
                ${kind.toUpperCase()}
              </option>`,
          )}
        </select>
      </label>
    </div>`;
  }

  private overview(numbers: LessonNumbers): TemplateResult {
    const device = this.device(numbers);
    const roof = roofOf(numbers.summary, device);
    const data = lessonData(numbers, device);
    return html`
      <section class="card" aria-labelledby="lessons">
        <h2 id="lessons" tabindex="-1">${words.overview}</h2>
        <p class="quiet">${words.overviewAbout}</p>
        <ol>
          ${lessons.map((make, index) => {
            const { title, misconception } = make(data);
            return html`<li>
              ${this.lessonLink(
                index + 1,
                html`<strong>${index + 1}. ${title}</strong>
                  <span class="quiet">“${misconception}”</span>`,
              )}
            </li>`;
          })}
        </ol>
      </section>
      ${
        roof === undefined
          ? nothing
          : html`<section class="card">
              <rooftrace-playground .roof=${roof} numbers=${numbers.name}></rooftrace-playground>
            </section>`
      }
    `;
  }

  private lessonView(number: number, numbers: LessonNumbers): TemplateResult {
    const make = lessons[number - 1];
    if (make === undefined) throw new RangeError(`there is no lesson ${number}`);
    // A lesson of its own element: the next one begins with an untouched prediction.
    const lesson = html`
      <rooftrace-lesson-view
        .lesson=${make(lessonData(numbers, this.device(numbers)))}
        .number=${number}
        .prediction=${this.predictions.get(number)}
        .session=${this.session}
        numbers=${numbers.name}
        ?own=${numbers.own}
        @predicted=${({ detail }: CustomEvent<Prediction>) => this.predict(number, detail)}
        @predict-again=${() => this.predict(number, undefined)}
      ></rooftrace-lesson-view>
    `;
    return html`
      ${keyed(number, lesson)}
      <nav aria-label=${words.lessons}>
        ${number > 1 ? this.lessonLink(number - 1, html`${words.lesson(number - 1)}`) : html`<span></span>`}
        ${this.lessonLink(undefined, html`${words.allLessons}`)}
        ${
          number < lessons.length
            ? this.lessonLink(number + 1, html`${words.lesson(number + 1)}`)
            : html`<span></span>`
        }
      </nav>
    `;
  }

  private lessonLink(lesson: number | undefined, content: TemplateResult): TemplateResult {
    const change = { view: 'learn', lesson } as const;
    const onClick = (event: MouseEvent): void => {
      // With a modifier the browser opens a tab or a window.
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      this.navigation.go(change);
      scrollTo({ top: 0 });
    };
    return html`<a href=${this.navigation.href(change)} @click=${onClick}>${content}</a>`;
  }

  private predict(number: number, prediction: Prediction | undefined): void {
    const predictions = new Map(this.predictions);
    if (prediction === undefined) predictions.delete(number);
    else predictions.set(number, prediction);
    this.predictions = predictions;
  }

  private async loadReferences(): Promise<void> {
    const parsed = await referenceNumbers();
    if (parsed.kind === 'ok') this.references = parsed.value;
    else
      this.notice = {
        id: 'reference',
        level: 'note',
        title: words.noReference,
        lines: parsed.errors.map(inputErrorText),
      };
  }
}
