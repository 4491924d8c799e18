import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { isFramed } from '../app/host.ts';
import type { DeviceChoice } from '../core/run/config.ts';
import { coreCap } from '../core/run/coreCap.ts';
import type { CpuEnvironment, DeviceEnvironment, GpuEnvironment } from '../core/run/events.ts';
import type { HostEnvironment } from '../core/run/record.ts';
import { adapterName, isNamed, threadsName, timerName } from './device-names.ts';
import { strings } from './strings.ts';
import { sharedStyles } from './styles.ts';

const words = strings.device;

/** What is measured: the adapter, its timer, the cores, and what keeps this page from more. */
@customElement('rooftrace-device-card')
export class DeviceCard extends LitElement {
  @property({ attribute: false }) host: HostEnvironment | undefined;
  @property({ attribute: false }) devices: readonly DeviceEnvironment[] = [];
  /** The GPU failed before it could be named. */
  @property({ type: Boolean }) gpuFailed = false;
  /** What the run measures. */
  @property() choice: DeviceChoice = 'both';
  /** The run is over: what is not known now will not be. */
  @property({ type: Boolean }) over = false;
  /** The run came from a file or by link: it may be of another machine. */
  @property({ type: Boolean }) elsewhere = false;

  static override styles = [
    sharedStyles,
    css`
      section {
        height: 100%;
      }
      dl {
        display: grid;
        grid-template-columns: auto 1fr;
        gap: 0.25rem 1rem;
        margin-top: 0.625rem;
      }
      dt {
        color: var(--muted);
      }
      dd {
        min-width: 0;
        overflow-wrap: anywhere;
      }
      .note {
        margin-top: 0.75rem;
      }
      .note strong {
        display: block;
      }
    `,
  ];

  override render(): TemplateResult {
    const gpu = this.devices.find((device) => device.device === 'gpu');
    const cpu = this.devices.find((device) => device.device === 'cpu');
    return html`
      <section class="card" aria-labelledby="title">
        <h2 id="title">${this.elsewhere ? words.elsewhere : words.here}</h2>
        <dl>
          <dt>GPU</dt>
          <dd>${gpu ? adapterName(gpu) : html`<span class="quiet">${this.unnamed()}</span>`}</dd>
          ${
            gpu
              ? html`<dt>GPU timer</dt>
                  <dd>${timerName(gpu)}</dd>`
              : nothing
          }
          <dt>CPU</dt>
          <dd>${this.coresText(cpu)}</dd>
        </dl>
        ${gpu ? softwareNote(gpu) : nothing} ${this.hostNotices()}
      </section>
    `;
  }

  private unnamed(): string {
    if (this.gpuFailed) return words.gpuFailed;
    if (this.choice === 'cpu') return words.gpuNotAsked;
    return this.over ? words.gpuNotReached : words.gpuNotYet;
  }

  private coresText(cpu: CpuEnvironment | undefined): string {
    const cores = cpu?.logicalCores ?? this.host?.logicalCores ?? 0;
    const known = `${cores} logical ${cores === 1 ? 'core' : 'cores'}`;
    const cap = cpu && this.host && coreCap(this.host.userAgent, cpu);
    const told = cap === undefined ? known : `${known} (${cap})`;
    return cpu ? `${told}, measured with ${threadsName(cpu)}` : told;
  }

  private hostNotices(): TemplateResult | typeof nothing {
    if (!this.host || this.elsewhere) return nothing;
    const { secureContext, isolated } = this.host;
    return html`
      ${isFramed() ? hostNote('framed', words.framed, words.framedAdvice) : nothing}
      ${
        secureContext
          ? isolated
            ? nothing
            : hostNote('isolation', words.isolation, words.isolationAdvice)
          : hostNote('insecure', words.insecure, words.insecureAdvice)
      }
    `;
  }
}

function hostNote(id: string, title: string, advice: string): TemplateResult {
  return html`<p class="note" data-notice=${id}><strong>${title}</strong> ${advice}</p>`;
}

/** A software GPU must not be missed; one that may be is not passed over either. */
function softwareNote(gpu: GpuEnvironment): TemplateResult | typeof nothing {
  const { software, softwareEvidence } = gpu;
  const because = softwareEvidence === undefined ? '' : ` (${softwareEvidence})`;
  if (software)
    return html`<p class="note" data-notice="software">
      <strong>${words.software}</strong> ${words.softwareAbout(because)}
    </p>`;
  if (isNamed(gpu)) return nothing;
  return html`<p class="note" data-notice="unnamed">
    <strong>${words.unnamed}</strong> ${words.unnamedAbout(because)}
  </p>`;
}
