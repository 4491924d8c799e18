import { html, nothing, type TemplateResult } from 'lit';
import { deviceRatios, explainDevices } from '../core/roofline/deviceRatio.ts';
import { explainProcesses, processPoints } from '../core/roofline/processes.ts';
import type { Trajectory } from '../core/roofline/types.ts';
import { strings } from './strings.ts';

const words = strings.comparisons;

/** What a run says of two ways to train the same network, in sentences; nothing where it timed one. */
export function comparisons(trajectories: readonly Trajectory[]): TemplateResult | typeof nothing {
  const points = processPoints(trajectories);
  const models = [...new Set(points.map(({ model }) => model))];
  const readings = [
    [words.processes, models.flatMap((model) => explainProcesses(points, model) ?? [])],
    [words.devices, deviceRatios(trajectories).map(explainDevices)],
  ] as const;
  const said = readings.filter(([, texts]) => texts.length > 0);
  if (said.length === 0) return nothing;
  return html`
    <section class="card comparisons" aria-labelledby="comparisons">
      <h2 id="comparisons">${words.title}</h2>
      ${said.map(
        ([title, texts]) =>
          html`<h3>${title}</h3>
            ${texts.map((text) => html`<p>${text}</p>`)}`,
      )}
    </section>
  `;
}
