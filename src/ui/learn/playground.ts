import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { Frame } from '../../core/chart/frame.ts';
import type { Roof } from '../../core/compare/comparedRun.ts';
import { figureFrame, type FigureSeries } from '../../core/lessons/figure.ts';
import { formatNumber, formatRate } from '../../core/units.ts';
import './roof-figure.ts';
import { strings } from '../strings.ts';
import { sharedStyles } from '../styles.ts';

const words = strings.learn.playground;

/** Each slider goes this far to both sides of what was measured. */
const reach = 32;
const sliderSteps = 200;

type Slider = 'intensity' | 'compute' | 'memory';

const names: Record<Slider, string> = words.sliders;

/** Sliders for a program and a machine: the point moves, and the roof with it. */
@customElement('rooftrace-playground')
export class Playground extends LitElement {
  /** Where the sliders start. */
  @property({ attribute: false }) roof!: Roof;
  /** Whose roof that is. */
  @property() numbers = '';
  @state() private positions: Readonly<Record<Slider, number>> = {
    intensity: sliderSteps / 2,
    compute: sliderSteps / 2,
    memory: sliderSteps / 2,
  };

  static override styles = [
    sharedStyles,
    css`
      .sliders {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr));
        gap: 0.75rem 1.5rem;
        margin: 0.75rem 0;
      }
      label {
        display: block;
        font-size: 0.875rem;
      }
      input {
        width: 100%;
        accent-color: var(--accent);
      }
      output {
        font-variant-numeric: tabular-nums;
        font-weight: 600;
      }
    `,
  ];

  override render(): TemplateResult {
    const { intensity, compute, memory } = this.values();
    const rate = Math.min(compute, memory * intensity);
    const limit = memory * intensity < compute ? words.limits.memory : words.limits.compute;
    return html`
      <h2>${words.title}</h2>
      <p class="quiet">${words.about(this.numbers)}</p>
      <div class="sliders">
        ${this.slider('intensity', `${formatNumber(intensity)} FLOP/byte`)}
        ${this.slider('compute', formatRate(compute, 'flop/s'))}
        ${this.slider('memory', formatRate(memory, 'byte/s'))}
      </div>
      <p role="status" data-playground>
        ${words.reached(formatRate(rate, 'flop/s'), limit, formatNumber(compute / memory))}
      </p>
      <rooftrace-roof-figure
        .series=${this.series(intensity, compute, memory)}
        .frame=${this.frame()}
        label=${words.title}
      ></rooftrace-roof-figure>
    `;
  }

  private slider(name: Slider, text: string): TemplateResult {
    return html`<div>
      <label for=${name}>${names[name]}</label>
      <input
        id=${name}
        type="range"
        min="0"
        max=${sliderSteps}
        .value=${String(this.positions[name])}
        aria-valuetext=${text}
        @input=${(event: Event) => {
          const { valueAsNumber } = event.currentTarget as HTMLInputElement;
          this.positions = { ...this.positions, [name]: valueAsNumber };
        }}
      />
      <output for=${name}>${text}</output>
    </div>`;
  }

  /** The sliders' values: the measured ones times 1/reach to reach; the program starts at the ridge. */
  private values(): Readonly<Record<Slider, number>> {
    const { compute, memory, ridge } = this.roof;
    const factor = (name: Slider): number =>
      reach ** (this.positions[name] / (sliderSteps / 2) - 1);
    return {
      intensity: ridge * factor('intensity'),
      compute: compute.value * factor('compute'),
      memory: memory.value * factor('memory'),
    };
  }

  private series(intensity: number, compute: number, memory: number): readonly FigureSeries[] {
    const mark = {
      intensity,
      flopsPerSecond: Math.min(compute, memory * intensity),
      label: words.program,
    };
    return [
      { id: 'playground', label: words.own, style: 0, compute, memory, paths: [[mark]] },
      {
        id: 'measured',
        label: this.numbers,
        style: 1,
        compute: this.roof.compute.value,
        memory: this.roof.memory.value,
        paths: [],
      },
    ];
  }

  /** Holds still while the sliders move. */
  private frame(): Frame {
    const { compute, memory, ridge } = this.roof;
    const corner = (factor: number): FigureSeries => ({
      id: String(factor),
      label: '',
      style: 0,
      compute: compute.value * factor,
      memory: memory.value,
      paths: [
        [
          {
            intensity: ridge * factor,
            flopsPerSecond: (compute.value * factor) / reach,
            label: '',
          },
        ],
      ],
    });
    return figureFrame([corner(1 / reach), corner(1), corner(reach)]);
  }
}
