import { html, type TemplateResult } from 'lit';
import type { ProcessPoint } from '../core/roofline/processes.ts';
import { formatCount, formatDuration, formatNumber, formatShare } from '../core/units.ts';
import { strings } from './strings.ts';

const words = strings.processes;

/** Every way in which a CPU's cores were used: what a step takes, and what it waits for. */
export function processTable(points: readonly ProcessPoint[]): readonly TemplateResult[] {
  if (points.length === 0) return [];
  const table = html`
    <details data-figures="processes">
      <summary>${words.title}</summary>
      <div class="scroll" role="region" aria-label=${words.title} tabindex="0">
        <table>
          <thead>
            <tr>
              <th scope="col" class="words">${words.network}</th>
              <th scope="col" class="number">${words.cores}</th>
              <th scope="col" class="number">${words.batch}</th>
              <th scope="col" class="number">${words.step}</th>
              <th scope="col" class="number">${words.speed}</th>
              <th scope="col" class="number">${words.barriers}</th>
              <th scope="col" class="number">${words.allReduce}</th>
              <th scope="col" class="number">${words.speedUp}</th>
              <th scope="col" class="number">${words.againstOne}</th>
            </tr>
          </thead>
          <tbody>
            ${points.map(processRow)}
          </tbody>
        </table>
      </div>
    </details>
  `;
  return [table];
}

function processRow(each: ProcessPoint): TemplateResult {
  const { model, replicas, threads, batch, point, speedUp, againstOne } = each;
  const { seconds, imagesPerSecond, barrierShare, allReduceShare } = point;
  return html`
    <tr>
      <th scope="row" class="words">${model}</th>
      <td class="number">${replicas} × ${threads}</td>
      <td class="number">${batch}</td>
      <td class="number">${formatDuration(seconds)}</td>
      <td class="number">${formatCount(imagesPerSecond)}</td>
      <td class="number">${barrierShare === undefined ? '' : formatShare(barrierShare)}</td>
      <td class="number">${allReduceShare === undefined ? '' : formatShare(allReduceShare)}</td>
      <td class="number">${speedUp === undefined ? '' : `${formatNumber(speedUp)} ×`}</td>
      <td class="number">${againstOne ? `${formatNumber(againstOne.ratio)} ×` : ''}</td>
    </tr>
  `;
}
