import { html, type TemplateResult } from 'lit';
import type { CallBreakdown, StepBreakdown } from '../core/roofline/breakdown.ts';
import { formatDuration, formatShare, notMeasured } from '../core/units.ts';
import { flagList } from './flag-list.ts';
import { strings } from './strings.ts';

const words = strings.timeView;

/** A step's kernel calls one by one, those first in which most time is lost. */
export function callTable({ calls, stepSeconds }: StepBreakdown): TemplateResult {
  const title = words.byCall(calls.length);
  return html`
    <details data-figures="calls">
      <summary>${title}</summary>
      <div class="scroll" role="region" aria-label=${title} tabindex="0">
        <table>
          <thead>
            <tr>
              <th scope="col">${words.call}</th>
              <th scope="col" class="number">${words.time}</th>
              <th scope="col" class="number">${words.share}</th>
              <th scope="col" class="number">${words.least}</th>
              <th scope="col" class="number">${words.launches}</th>
              <th scope="col" class="number">${words.lost}</th>
              <th scope="col" class="words">${words.variant}</th>
            </tr>
          </thead>
          <tbody>
            ${calls.map((call) => callRow(call, stepSeconds))}
          </tbody>
        </table>
      </div>
    </details>
  `;
}

function callRow(call: CallBreakdown, stepSeconds: number): TemplateResult {
  const { label, variant, flags, seconds, bound, launchSeconds, lostSeconds } = call;
  return html`
    <tr>
      <th scope="row">${label}</th>
      <td class="number">${formatDuration(seconds)}</td>
      <td class="number">${formatShare(seconds / stepSeconds)}</td>
      <td class="number">${bound ? formatDuration(bound.seconds) : notMeasured}</td>
      <td class="number">${formatDuration(launchSeconds)}</td>
      <td class="number">${formatDuration(lostSeconds)}</td>
      <td class="words">${variant} ${flagList(flags)}</td>
    </tr>
  `;
}
