import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { fixedInWords } from '../core/roofline/parameterWords.ts';
import type { SweepParameter } from '../core/run/config.ts';
import { explainPoint, explainTrajectory } from '../core/roofline/explain.ts';
import { explainSegment } from '../core/roofline/explainSegment.ts';
import {
  intensitiesOf,
  whyIntensityStays,
  type Intensities,
} from '../core/roofline/intensities.ts';
import { rooflineOf } from '../core/roofline/trajectories.ts';
import type {
  Roofline,
  Trajectory,
  TrajectoryPoint,
  TrajectorySegment,
} from '../core/roofline/types.ts';
import {
  formatCount,
  formatDuration,
  formatInteger,
  formatNumber,
  formatRate,
  formatShare,
  notMeasured,
} from '../core/units.ts';
import { flagList } from './flag-list.ts';
import { strings } from './strings.ts';
import { sharedStyles, tableStyles } from './styles.ts';

const parameterTitles: Record<SweepParameter, string> = {
  batch: 'Batch',
  workgroups: 'Workgroups',
  workgroupSize: 'Workgroup size',
  threads: 'Threads',
  replicas: 'Replicas',
  depth: 'Depth',
  width: 'Width',
};

/** Every point of the trajectories, and what happened on the way to it. */
@customElement('rooftrace-trajectory-table')
export class TrajectoryTable extends LitElement {
  @property({ attribute: false }) trajectories: readonly Trajectory[] = [];
  /** What intensities are held against. */
  @property({ attribute: false }) rooflines: readonly Roofline[] = [];

  static override styles = [
    sharedStyles,
    tableStyles,
    css`
      .scroll + h3 {
        margin-top: 1.5rem;
      }
      p {
        margin: 0.125rem 0 0.375rem;
      }
      details {
        margin-top: 0.375rem;
      }
      ol {
        max-width: 60rem;
        margin: 0.375rem 0 0;
        padding-left: 1.5rem;
        font-size: 0.875rem;
      }
    `,
  ];

  override render(): TemplateResult {
    return html`${this.trajectories.map((trajectory, index) =>
      trajectoryTable(trajectory, rooflineOf(trajectory, this.rooflines), index),
    )}`;
  }
}

function trajectoryTable(
  trajectory: Trajectory,
  roofline: Roofline | undefined,
  index: number,
): TemplateResult {
  const { device, parameter, points, segments } = trajectory;
  const caption = `${device.toUpperCase()}, ${trajectory.model} training step, ${growth(trajectory)}`;
  const id = `trajectory-${index}`;
  const still = whyIntensityStays(parameter);
  return html`
    <h3 id=${id}>${caption}</h3>
    <p class="quiet">${explainTrajectory(trajectory).join(' ')} ${still ?? ''}</p>
    <div class="scroll" role="region" aria-labelledby=${id} tabindex="0">
      <table aria-labelledby=${id} data-trajectory=${`${device}-${parameter}`}>
        <thead>
          <tr>
            <th scope="col" class="number">${parameterTitles[parameter]}</th>
            <th scope="col" class="number">Step</th>
            <th scope="col" class="number">95 % interval</th>
            <th scope="col" class="number folded">First step</th>
            <th scope="col" class="number">Images/s</th>
            <th scope="col" class="number">FLOP/byte</th>
            <th scope="col" class="number folded">By issued bytes / at least</th>
            <th scope="col" class="number">Performance</th>
            <th scope="col" class="number folded">Of the roof</th>
            <th scope="col" class="number folded">Least time, arithmetic / memory</th>
            <th scope="col" class="words">From the point before</th>
          </tr>
        </thead>
        <tbody>
          ${points.map((point) =>
            pointRow(
              point,
              segments.find(({ to }) => to === point.value),
              intensitiesOf(point, roofline),
            ),
          )}
        </tbody>
      </table>
    </div>
    ${inWords(trajectory)}
  `;
}

/** Every point and what happened on the way to it, in sentences. */
function inWords(trajectory: Trajectory): TemplateResult {
  const { points, segments } = trajectory;
  return html`<details data-explained>
    <summary>${strings.tables.pointsInWords}</summary>
    <ol>
      ${points.map((point) => {
        const segment = segments.find(({ to }) => to === point.value);
        return html`<li>
          ${segment ? explainSegment(segment, trajectory).join(' ') : ''}
          ${explainPoint(point, trajectory).join(' ')}
        </li>`;
      })}
    </ol>
  </details>`;
}

function growth({ parameter, fixed }: Trajectory): string {
  const at = fixedInWords(fixed);
  return `growing ${parameterTitles[parameter].toLowerCase()}${at === '' ? '' : ` at ${at}`}`;
}

function pointRow(
  point: TrajectoryPoint,
  segment: TrajectorySegment | undefined,
  { issued, atLeast }: Intensities,
): TemplateResult {
  const value = formatInteger(point.value);
  if (point.status !== 'ok')
    return html`
      <tr data-status=${point.status}>
        <th scope="row" class="number">${value}</th>
        <td colspan="10" class="flag">${point.status}${point.reason ? `: ${point.reason}` : ''}</td>
      </tr>
    `;
  const { seconds, ciLow, ciHigh, imagesPerSecond, intensity, roofFraction } = point;
  return html`
    <tr data-status="ok">
      <th scope="row" class="number">${value}</th>
      <td class="number">${formatDuration(seconds)}</td>
      <td class="number">${formatDuration(ciLow)} – ${formatDuration(ciHigh)}</td>
      <td class="number">${coldText(point)}</td>
      <td class="number">${formatCount(imagesPerSecond)}</td>
      <td class="number">${formatNumber(intensity)}</td>
      <td class="number">${knownNumber(issued)} / ${knownNumber(atLeast)}</td>
      <td class="number">${formatRate(point.flopsPerSecond, 'flop/s')}</td>
      <td class="number">${roofFraction === undefined ? '' : formatShare(roofFraction)}</td>
      <td class="number">${boundText(point)}</td>
      <td class="words">${segment?.reading ?? ''} ${flagList(point.flags)}</td>
    </tr>
  `;
}

/** The first step, and how long kernels were compiled before it. */
function coldText({ coldSeconds, compileSeconds }: TrajectoryPoint): string {
  if (coldSeconds === undefined) return '';
  const cold = formatDuration(coldSeconds);
  return compileSeconds === undefined
    ? cold
    : strings.tables.compiled(cold, formatDuration(compileSeconds));
}

function knownNumber(value: number | undefined): string {
  return value === undefined ? notMeasured : formatNumber(value);
}

/** How the step's least possible time splits: a step is never bound by one thing alone. */
function boundText({ bound }: TrajectoryPoint): string {
  if (!bound) return '';
  return `${formatShare(bound.compute)} / ${formatShare(bound.memory)}`;
}
