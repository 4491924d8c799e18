import { css, html, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import { planOf } from '../app/plan.ts';
import { expectedSeconds } from '../app/progress.ts';
import {
  defaultConfig,
  sweepParameters,
  type DeviceChoice,
  type Profile,
  type RunConfig,
  withProfile,
} from '../core/run/config.ts';
import { strings } from './strings.ts';
import { sharedStyles } from './styles.ts';

const words = strings.controls;
const profileNames: Record<Profile, string> = words.profiles;
const deviceNames: Record<DeviceChoice, string> = words.devices;
/** What grows in other sweeps is the network itself, which the command line asks for. */
const offeredSweeps = ['batch', 'workgroups', 'threads', 'replicas'] as const;

/** Between the two clicks of a double click on most systems. */
const doubleClickMilliseconds = 500;

/**
 * Run or Cancel, and what a run measures. Fires `config-changed` (detail: RunConfig), and
 * `run-requested`, `tune-requested`, `continue-requested`, `cancel-requested`, `pause-requested`,
 * `resume-requested` and `skip-requested`.
 * Its child, the progress, is shown while it is busy; what is in the slot `plan` belongs to that.
 */
@customElement('rooftrace-run-controls')
export class RunControls extends LitElement {
  @property({ attribute: false }) config: RunConfig = defaultConfig;
  @property({ type: Boolean }) busy = false;
  @property({ type: Boolean }) cancelling = false;
  @property({ type: Boolean }) paused = false;
  /** The run that is shown lost its GPU and can go on from there. */
  @property({ type: Boolean }) resumable = false;
  @query('#run') private runButton!: HTMLButtonElement | null;
  @query('#cancel') private cancelButton!: HTMLButtonElement | null;
  private moveFocus = false;
  /** On the clock of events. */
  private busySince = -Infinity;

  static override styles = [
    sharedStyles,
    css`
      .actions {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.75rem 1rem;
      }
      .actions button {
        min-width: 8.5rem;
        padding: 0.75rem 1.5rem;
        font-size: 1.0625rem;
        font-weight: 600;
      }
      #run {
        border-color: var(--accent);
        background: var(--accent);
        color: var(--on-accent);
        forced-color-adjust: none;
      }
      .choices {
        display: flex;
        flex-wrap: wrap;
        gap: 0.75rem 1.5rem;
        margin-top: 1rem;
      }
      .actions .minor {
        min-width: 0;
        padding: 0.75rem 1rem;
        font-size: 0.9375rem;
        font-weight: 400;
      }
      ol {
        margin: 0.5rem 0 0.75rem;
        padding-left: 1.5rem;
        font-size: 0.875rem;
      }
      fieldset.sweeps {
        display: block;
      }
      .sweeps legend {
        float: none;
      }
      label.switch {
        display: flex;
        gap: 0.5rem;
        padding: 0.1875rem 0;
        border: 0;
        margin: 0;
        white-space: normal;
        color: inherit;
        font-weight: 400;
      }
      .switch input {
        position: static;
        flex: none;
        margin-top: 0.25em;
        opacity: 1;
      }
      .below {
        min-height: 4.5em;
        margin-top: 1rem;
      }
      fieldset {
        display: flex;
        align-items: center;
        min-width: 0;
        margin: 0;
        padding: 0;
        border: 0;
      }
      legend {
        float: left;
        padding: 0;
        margin-right: 0.75rem;
        color: var(--muted);
        font-size: 0.875rem;
      }
      label {
        position: relative;
        padding: 0.3125rem 0.75rem;
        border: 1px solid var(--hairline);
        margin-left: -1px;
        font-size: 0.875rem;
        white-space: nowrap;
        cursor: pointer;
      }
      .choices label:first-of-type {
        border-radius: 6px 0 0 6px;
      }
      .choices label:last-of-type {
        border-radius: 0 6px 6px 0;
      }
      .choices label:has(:checked) {
        z-index: 1;
        border-color: var(--accent);
        color: var(--accent);
        font-weight: 600;
      }
      label:has(:focus-visible) {
        z-index: 2;
        outline: 2px solid var(--accent);
        outline-offset: 2px;
      }
      label:has(:disabled) {
        cursor: default;
      }
      input {
        position: absolute;
        inset: 0;
        margin: 0;
        opacity: 0;
        cursor: inherit;
      }
    `,
  ];

  override render(): TemplateResult {
    const { busy, config } = this;
    return html`
      <section aria-label=${words.title}>
        <div class="actions">
          <button id="run" class="begins" ?hidden=${busy} @click=${this.onRun}>${words.run}</button>
          <button
            id="cancel"
            ?hidden=${!busy}
            aria-disabled=${this.cancelling}
            @click=${this.onCancel}
          >
            ${words.cancel}
          </button>
          <button
            class="minor"
            ?hidden=${!busy}
            ?disabled=${this.cancelling}
            @click=${this.onPause}
          >
            ${this.paused ? words.resume : words.pause}
          </button>
          <button class="minor" ?hidden=${!busy} ?disabled=${this.cancelling} @click=${this.onSkip}>
            ${words.skip}
          </button>
          <button
            class="minor begins"
            ?hidden=${busy || !this.resumable}
            @click=${() => this.fire('continue-requested')}
          >
            ${words.continue}
          </button>
          <button
            class="minor begins"
            title=${words.tuneAbout(timeText(expectedSeconds(planOf(config, 'tune'))))}
            ?hidden=${busy}
            @click=${() => this.fire('tune-requested')}
          >
            ${words.tune}
          </button>
          <span class="quiet" ?hidden=${busy}
            >${words.takes(timeText(expectedSeconds(planOf(config))))}</span
          >
        </div>
        <div class="choices">
          ${this.choice(words.profile, profileNames, config.profile, (profile) =>
            withProfile(config, profile),
          )}
          ${this.choice(words.device, deviceNames, config.device, (device) => ({
            ...config,
            device,
          }))}
        </div>
        <div class="below">
          ${busy ? html`<slot></slot>` : html`<p class="quiet">${words.about}</p>`}
        </div>
        <details ?hidden=${busy}>
          <summary>${words.plan}</summary>
          ${this.planned()}
          <slot name="plan"></slot>
        </details>
      </section>
    `;
  }

  private choice<T extends string>(
    legend: string,
    names: Record<T, string>,
    chosen: T,
    changed: (value: T) => RunConfig,
  ): TemplateResult {
    return html`
      <fieldset ?disabled=${this.busy}>
        <legend>${legend}</legend>
        ${(Object.keys(names) as T[]).map(
          (value) => html`
            <label>
              <input
                type="radio"
                name=${legend}
                .checked=${value === chosen}
                @change=${() => this.fire('config-changed', changed(value))}
              />${names[value]}
            </label>
          `,
        )}
      </fieldset>
    `;
  }

  private planned(): TemplateResult {
    const { config } = this;
    return html`
      <ol>
        ${planOf(config).map(
          ({ device, kind, seconds }) =>
            html`<li>${words.stages[kind](device.toUpperCase())}, about ${timeText(seconds)}</li>`,
        )}
      </ol>
      <fieldset class="sweeps" ?disabled=${this.busy}>
        <legend>${words.sweeps}</legend>
        ${offeredSweeps.map((sweep) => this.sweepSwitch(sweep))}
      </fieldset>
    `;
  }

  private sweepSwitch(sweep: (typeof offeredSweeps)[number]): TemplateResult {
    const { sweeps } = this.config;
    const onChange = ({ currentTarget }: Event): void => {
      const chosen = new Set(sweeps);
      if ((currentTarget as HTMLInputElement).checked) chosen.add(sweep);
      else chosen.delete(sweep);
      const inOrder = sweepParameters.filter((parameter) => chosen.has(parameter));
      this.fire('config-changed', { ...this.config, sweeps: inOrder });
    };
    return html`<label class="switch">
      <input type="checkbox" .checked=${sweeps.includes(sweep)} @change=${onChange} />
      <span>${words.sweepNames[sweep]}</span>
    </label>`;
  }

  /** What begins something and Cancel take each other's place: the focus goes along. */
  override willUpdate(changed: PropertyValues<this>): void {
    const focused = this.shadowRoot?.activeElement;
    const leaves = focused?.matches(this.busy ? '.begins' : '#cancel') ?? false;
    this.moveFocus = changed.has('busy') && leaves;
    if (changed.has('busy') && this.busy) this.busySince = performance.now();
  }

  override updated(): void {
    if (this.moveFocus) (this.busy ? this.cancelButton : this.runButton)?.focus();
  }

  private readonly onRun = (): void => this.fire('run-requested');

  /** The button is not disabled while the run ends: it would lose the focus, which the run button is to have next. */
  private readonly onCancel = (event: MouseEvent): void => {
    if (this.isMeant(event) && !this.cancelling) this.fire('cancel-requested');
  };

  private readonly onPause = (event: MouseEvent): void => {
    if (this.isMeant(event)) this.fire(this.paused ? 'resume-requested' : 'pause-requested');
  };

  private readonly onSkip = (event: MouseEvent): void => {
    if (this.isMeant(event)) this.fire('skip-requested');
  };

  /**
   * The second click of a double click on Run or Tune lands on what has taken its place: some browsers
   * count it as the first one there. A press of a key has no count.
   */
  private isMeant({ detail, timeStamp }: MouseEvent): boolean {
    const isSecond = detail > 1 || timeStamp - this.busySince < doubleClickMilliseconds;
    return detail === 0 || !isSecond;
  }

  private fire(name: string, detail?: RunConfig): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

/** A round time: it is an expectation. */
function timeText(seconds: number): string {
  return seconds < 90 ? `${Math.round(seconds / 10) * 10} s` : `${Math.round(seconds / 60)} min`;
}
