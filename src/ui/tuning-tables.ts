import { html, nothing, type TemplateResult } from 'lit';
import { groupBy } from '../core/groupBy.ts';
import { explainTuning, howTuned } from '../core/roofline/explainTuning.ts';
import type { TuningSummary } from '../core/roofline/tuning.ts';
import type { TuningChoice } from '../core/run/events.ts';
import { formatDuration, formatNumber } from '../core/units.ts';
import { dateText } from './run-notices.ts';
import { strings } from './strings.ts';

const words = strings.tuning;

/** What tuning brought, a table for each network on each device. */
export function tuningTables(tunings: readonly TuningSummary[]): TemplateResult[] {
  return groupBy(tunings, ({ deviceId, model }) => JSON.stringify([deviceId, model])).map(
    tuningTable,
  );
}

function tuningTable(tunings: readonly TuningSummary[], index: number): TemplateResult {
  const { device, model, batch } = tunings[0]!;
  const id = `tuning-${index}`;
  return html`
    <h3 id=${id}>${words.of(device.toUpperCase(), model, batch)}</h3>
    <p class="quiet">${tunings.map(explainTuning).join(' ')}</p>
    <div class="scroll" role="region" aria-labelledby=${id} tabindex="0">
      <table aria-labelledby=${id} data-tuning=${`${device}-${model}`}>
        <thead>
          <tr>
            <th scope="col">${words.scope}</th>
            <th scope="col" class="number">${words.before}</th>
            <th scope="col" class="number">${words.after}</th>
            <th scope="col" class="number">${words.gain}</th>
            <th scope="col" class="number">${words.interval}</th>
            <th scope="col" class="words">${words.how}</th>
          </tr>
        </thead>
        <tbody>
          ${tunings.map(scopeRow)}
        </tbody>
      </table>
    </div>
    ${tunings.map(choicesTable)}
  `;
}

function scopeRow(tuning: TuningSummary): TemplateResult {
  const { scope, batch, tuned, defaultSeconds, tunedSeconds, gain } = tuning;
  return html`<tr data-scope=${scope}>
    <th scope="row">${words.scopes[scope]}</th>
    <td class="number">${formatNumber(batch / defaultSeconds)}</td>
    <td class="number">${formatNumber((tuned?.batch ?? batch) / tunedSeconds)}</td>
    <td class="number">${formatNumber(gain.ratio)} ×</td>
    <td class="number">${formatNumber(gain.low)} – ${formatNumber(gain.high)} ×</td>
    <td class="words">${howTuned(tuning)}</td>
  </tr>`;
}

/** The kernels that were chosen, by what each saves. */
function choicesTable({ scope, choices }: TuningSummary): TemplateResult | typeof nothing {
  if (choices.length === 0) return nothing;
  const title = words.choices(words.scopes[scope]);
  return html`<details>
    <summary>${title}</summary>
    <div class="scroll" role="region" aria-label=${title} tabindex="0">
      <table>
        <thead>
          <tr>
            <th scope="col">${words.kernel}</th>
            <th scope="col" class="number">${words.defaultTime}</th>
            <th scope="col" class="number">${words.chosenTime}</th>
            <th scope="col" class="number">${words.gain}</th>
            <th scope="col" class="words">${words.variant}</th>
          </tr>
        </thead>
        <tbody>
          ${choices.map(
            (choice) =>
              html`<tr>
                <th scope="row">${choice.key}</th>
                <td class="number">${formatDuration(choice.defaultSeconds)}</td>
                <td class="number">${formatDuration(choice.seconds)}</td>
                <td class="number">${formatNumber(choice.gain)} ×</td>
                <td class="words">${chosenText(choice)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </details>`;
}

function chosenText({ variant, foundAt }: TuningChoice): string {
  return foundAt === undefined ? variant : words.choiceOf(variant, dateText(foundAt));
}
