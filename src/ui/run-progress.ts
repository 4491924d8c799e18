import { css, html, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { RunProgress } from '../app/progress.ts';
import { strings } from './strings.ts';
import { sharedStyles } from './styles.ts';

/** Screen readers hear a new stage, and no more often than this. */
const announceMilliseconds = 5000;

/** What is being measured, how far it is and how long it will take. */
@customElement('rooftrace-progress')
export class ProgressView extends LitElement {
  @property({ attribute: false }) progress: RunProgress | undefined;
  @property({ type: Boolean }) cancelling = false;
  @property({ type: Boolean }) paused = false;
  @state() private announced = '';
  private announcedAt = -Infinity;

  static override styles = [
    sharedStyles,
    css`
      .line {
        display: flex;
        flex-wrap: wrap;
        justify-content: space-between;
        gap: 0 1rem;
        font-size: 0.9375rem;
        font-variant-numeric: tabular-nums;
      }
      progress {
        display: block;
        width: 100%;
        height: 6px;
        margin-top: 0.5rem;
        appearance: none;
        border: 0;
        border-radius: 3px;
        background: var(--hairline);
        overflow: hidden;
      }
      progress::-webkit-progress-bar {
        background: var(--hairline);
      }
      progress::-webkit-progress-value {
        background: var(--accent);
      }
      progress::-moz-progress-bar {
        background: var(--accent);
      }
    `,
  ];

  override render(): TemplateResult {
    const { progress } = this;
    return html`
      <div class="line">
        <span>${this.stateText()}</span>
        <span class="quiet">${progress ? remainingText(progress.remainingSeconds) : ''}</span>
      </div>
      <progress
        aria-label="Progress of the run"
        max="1"
        .value=${progress?.fraction ?? 0}
      ></progress>
      <p class="visually-hidden" role="status">${this.announced}</p>
    `;
  }

  private stateText(): string {
    if (this.cancelling) return strings.progress.cancelling;
    const stage = stageText(this.progress);
    return this.paused ? strings.progress.paused(stage) : stage;
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('progress') || !this.progress) return;
    const text = stageText(this.progress);
    const now = performance.now();
    if (text === this.announced || now - this.announcedAt < announceMilliseconds) return;
    this.announced = text;
    this.announcedAt = now;
  }
}

function stageText(progress: RunProgress | undefined): string {
  return progress
    ? `${progress.device.toUpperCase()}: ${progress.stage}`
    : strings.progress.starting;
}

function remainingText(seconds: number): string {
  const rounded = Math.max(1, Math.ceil(seconds));
  return rounded < 90 ? `about ${rounded} s left` : `about ${Math.round(rounded / 60)} min left`;
}
