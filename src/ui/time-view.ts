import { html, type TemplateResult } from 'lit';
import type { TimeView } from '../app/timeViews.ts';
import type { GroupBreakdown } from '../core/roofline/breakdown.ts';
import { explainBreakdown } from '../core/roofline/explainBreakdown.ts';
import { formatDuration, formatShare } from '../core/units.ts';
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
        </table>
      </div>
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
