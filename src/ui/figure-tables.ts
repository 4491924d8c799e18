import { html, type TemplateResult } from 'lit';
import type { Estimate } from '../core/roofline/estimate.ts';
import type { Roofline } from '../core/roofline/types.ts';
import type { RunSummary } from '../core/run/record.ts';
import {
  formatDuration,
  formatNumber,
  formatRate,
  formatShare,
  formatSize,
  type RateUnit,
} from '../core/units.ts';
import { flagList } from './flag-list.ts';
import { strings } from './strings.ts';
import { timerNames } from './timer-names.ts';

const words = strings.tables;

/** What is measured beside ceilings and trajectories, each kind under a disclosure. */
export function figureTables({ rooflines }: Pick<RunSummary, 'rooflines'>): TemplateResult[] {
  return rooflines.flatMap(rooflineFigures);
}

function rooflineFigures(roofline: Roofline): TemplateResult[] {
  const name = deviceName(roofline);
  return figuresOf(roofline).map(({ id, rows }) => {
    const columns = [words.figureColumns[id], ...valueColumns];
    const title = `${name}: ${words.figureNames[id]}`;
    return figureTable(id, title, columns, rows.map(figureRow));
  });
}

const valueColumns = [words.value, words.interval, words.variant, words.timer, words.remarks];

function figureTable(
  id: string,
  title: string,
  columns: readonly string[],
  rows: readonly TemplateResult[],
): TemplateResult {
  return html`
    <details data-figures=${id}>
      <summary>${title}</summary>
      <div class="scroll" role="region" aria-label=${title} tabindex="0">
        <table>
          <thead>
            <tr>
              ${columns.map((column) => html`<th scope="col">${column}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${rows}
          </tbody>
        </table>
      </div>
    </details>
  `;
}

type AnyEstimate = Estimate<RateUnit | 's'>;

interface FigureRow {
  readonly label: string;
  readonly estimate: AnyEstimate;
  readonly remark?: string | undefined;
}

interface Figures {
  readonly id: keyof typeof words.figureNames;
  readonly rows: readonly FigureRow[];
}

function deviceName({ device, threads }: Roofline): string {
  const name = device.toUpperCase();
  if (threads === undefined) return name;
  return `${name}, ${threads} ${threads === 1 ? 'thread' : 'threads'}`;
}

function figuresOf(roofline: Roofline): readonly Figures[] {
  const all: readonly Figures[] = [
    { id: 'knee', rows: kneeRows(roofline) },
    { id: 'sustained', rows: sustainedRows(roofline) },
    { id: 'latency', rows: latencyRows(roofline) },
    { id: 'overheads', rows: overheadRows(roofline) },
    { id: 'transfer', rows: transferRows(roofline) },
    { id: 'extras', rows: extraRows(roofline) },
  ];
  return all.filter(({ rows }) => rows.length > 0);
}

function kneeRows({ knee }: Roofline): readonly FigureRow[] {
  return (knee?.points ?? []).map((point) => ({
    label: `${formatNumber(point.intensity)} FLOP/byte`,
    estimate: point,
    remark:
      point.shortfall === undefined ? undefined : words.ofTheRoof(formatShare(1 - point.shortfall)),
  }));
}

function sustainedRows({ sustained }: Roofline): readonly FigureRow[] {
  if (!sustained) return [];
  return [
    { label: words.burst, estimate: sustained.burst },
    {
      label: words.sustained,
      estimate: sustained.sustained,
      remark: words.ofTheBurst(formatShare(sustained.ratio)),
    },
  ];
}

function latencyRows({ latency }: Roofline): readonly FigureRow[] {
  return (latency ?? []).map((one) => ({
    label: formatSize(one.workingSetSize),
    estimate: one,
    remark: one.level,
  }));
}

function overheadRows({ overheads }: Roofline): readonly FigureRow[] {
  return (Object.keys(overheads ?? {}) as (keyof typeof words.overheads)[]).flatMap((of) => {
    const estimate = overheads?.[of];
    return estimate ? [{ label: words.overheads[of], estimate }] : [];
  });
}

function transferRows({ transfer }: Roofline): readonly FigureRow[] {
  return (['upload', 'download'] as const).flatMap((direction) => {
    const estimate = transfer?.[direction];
    if (!estimate) return [];
    return [{ label: words.transfer[direction], estimate, remark: formatSize(estimate.size) }];
  });
}

function extraRows({ extras }: Roofline): readonly FigureRow[] {
  return (extras ?? []).map((extra) => ({
    label: words.extras[extra.of],
    estimate: extra,
    remark: extra.workingSetSize === undefined ? undefined : formatSize(extra.workingSetSize),
  }));
}

function figureRow({ label, estimate, remark }: FigureRow): TemplateResult {
  const { variant, timer, samples, flags } = estimate;
  return html`
    <tr>
      <th scope="row">${label}</th>
      <td class="number">${valueText(estimate, estimate.value)}</td>
      <td class="number">
        ${valueText(estimate, estimate.ciLow)} – ${valueText(estimate, estimate.ciHigh)}
      </td>
      <td class="words">${variant}</td>
      <td>${timerNames[timer]}, ${samples} times</td>
      <td>${remark ?? ''} ${flagList(flags)}</td>
    </tr>
  `;
}

function valueText({ unit }: AnyEstimate, value: number): string {
  return unit === 's' ? formatDuration(value) : formatRate(value, unit);
}
