import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { planOf } from '../../app/plan.ts';
import { expectedSeconds } from '../../app/progress.ts';
import type { Session } from '../../app/session.ts';
import { throttle } from '../../app/throttle.ts';
import { defaultConfig, defaultsOf, type RunConfig } from '../../core/run/config.ts';
import { formatDuration, formatShare } from '../../core/units.ts';
import { sharedStyles } from '../styles.ts';

const redrawMilliseconds = 300;
/** Quick, with everything that a lesson asks about. */
const lessonConfig: RunConfig = { ...defaultConfig, sweeps: defaultsOf('full').sweeps };

/** Measures the learner's own machine from within a lesson: a quick run, only when asked. */
@customElement('rooftrace-measure-here')
export class MeasureHere extends LitElement {
  @property({ attribute: false }) session!: Session;
  private stop: (() => void) | undefined;

  static override styles = [
    sharedStyles,
    css`
      div {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.5rem 1rem;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    this.stop = this.session.subscribe(throttle(redrawMilliseconds, () => this.requestUpdate()));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop?.();
  }

  override render(): TemplateResult {
    const { session } = this;
    if (!session.busy)
      return html`<div>
        <button @click=${() => session.start(lessonConfig)}>Measure this machine</button>
        <span class="quiet"
          >about ${formatDuration(expectedSeconds(planOf(lessonConfig)))}, quick profile</span
        >
      </div>`;
    const { progress } = session;
    return html`<div>
      <button @click=${() => session.cancel()}>Cancel</button>
      <span role="status" class="quiet">
        ${progress ? `${progress.stage}, ${formatShare(progress.fraction)}` : 'Starting'}
      </span>
    </div>`;
  }
}
