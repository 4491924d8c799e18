import { html, type TemplateResult } from 'lit';
import type { TimeView } from '../core/roofline/timeViews.ts';
import type { GroupBreakdown, StepBreakdown } from '../core/roofline/breakdown.ts';
import { explainBreakdown } from '../core/roofline/explainBreakdown.ts';
import { formatDuration, formatShare } from '../core/units.ts';
import { callTable } from './call-table.ts';
import { strings } from './strings.ts';

const words = strings.timeView;

/** Where a step's time goes, by kind of call: a roofline hides calls that do few flops. */
export function timeViewTable({ device, model, batch, breakdown }: TimeView): TemplateResult {
  const title = words.title(device.toUpperCase(), model, batch);
  return html`
    <details data-figures="time">
      <summary>${title}</summary>
      <p class="quiet">${explainBreakdown(breakdown).join(' ')}</p>
      <div class="scroll" role="region" aria-label=${title} tabindex="0">
        <table>
          <thead>
            <tr>
              <th scope="col" class="words">${words.kind}</th>
              <th scope="col" class="number">${words.calls}</th>
              <th scope="col" class="number">${words.time}</th>
              <th scope="col" class="number">${words.share}</th>
              <th scope="col" class="number">${words.least}</th>
              <th scope="col" class="number">${words.launches}</th>
              <th scope="col" class="number">${words.lost}</th>
            </tr>
          </thead>
          <tbody>
            ${breakdown.groups.map(groupRow)}
          </tbody>
          <tfoot>
            ${sumRows(breakdown)}
          </tfoot>
        </table>
      </div>
      ${callTable(breakdown)}
    </details>
  `;
}

function groupRow(group: GroupBreakdown): TemplateResult {
  const { label, calls, seconds, share, boundSeconds, launchSeconds, lostSeconds } = group;
  return html`
    <tr>
      <th scope="row" class="words">${label}</th>
      <td class="number">${calls}</td>
      <td class="number">${formatDuration(seconds)}</td>
      <td class="number">${formatShare(share)}</td>
      <td class="number">${formatDuration(boundSeconds)}</td>
      <td class="number">${formatDuration(launchSeconds)}</td>
      <td class="number">${formatDuration(lostSeconds)}</td>
    </tr>
  `;
}

/** What closes the sum: the calls and the remainder are the whole step. */
function sumRows({ stepSeconds, remainderSeconds }: StepBreakdown): TemplateResult {
  const rows = [
    [remainderSeconds < 0 ? words.overlap : words.between, remainderSeconds],
    [words.whole, stepSeconds],
  ] as const;
  return html`${rows.map(
    ([label, seconds]) => html`
      <tr>
        <th scope="row" class="words">${label}</th>
        <td></td>
        <td class="number">${formatDuration(seconds)}</td>
        <td class="number">${formatShare(seconds / stepSeconds)}</td>
      </tr>
    `,
  )}`;
}
