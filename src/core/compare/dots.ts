import { decadeRange, type Range } from '../chart/axis.ts';
import type { DeviceKind } from '../run/config.ts';
import { formatNumber, formatRate } from '../units.ts';
import { deviceName, roofOf, type ComparedRun } from './comparedRun.ts';

/** What a class compares: a column of dots each. */
export const dotKinds = ['peak', 'bandwidth', 'ridge'] as const;
export type DotKind = (typeof dotKinds)[number];

/** One device of one run in a dot plot. */
export interface Dot {
  readonly runId: string;
  readonly device: DeviceKind;
  readonly label: string;
  /** flop/s, byte/s, flop/byte */
  readonly value: number;
  /** Share of the axis from its left end, 0 to 1. */
  readonly position: number;
  /** Row that keeps it clear of its neighbours, from 0. */
  readonly row: number;
}

export interface DotPlot {
  readonly kind: DotKind;
  readonly range: Range;
  readonly dots: readonly Dot[];
  readonly rows: number;
}

/** Dots nearer than this share of the axis stand one above the other. */
const clearance = 0.022;

/** A plot of one figure of every device of every run, on a logarithmic axis of whole decades. */
export function dotPlot(runs: readonly ComparedRun[], kind: DotKind): DotPlot {
  const found = runs.flatMap((run) =>
    (['gpu', 'cpu'] as const).flatMap((device) => {
      const value = dotValue(run, device, kind);
      return value === undefined ? [] : [{ run, device, value }];
    }),
  );
  const range = decadeRange(
    found.map(({ value }) => value),
    1,
    { min: 1, max: 10 },
  );
  const span = Math.log(range.max / range.min);
  // The last position taken in each row.
  const rowEnds: number[] = [];
  const dots = found
    .toSorted((a, b) => a.value - b.value)
    .map(({ run, device, value }): Dot => {
      const position = Math.log(value / range.min) / span;
      const free = rowEnds.findIndex((end) => position - end >= clearance);
      const row = free < 0 ? rowEnds.length : free;
      rowEnds[row] = position;
      const label = `${run.name}: ${deviceName(run.run, device)}, ${dotText(kind, value)}`;
      return { runId: run.id, device, label, value, position, row };
    });
  return { kind, range, dots, rows: rowEnds.length };
}

function dotValue({ run }: ComparedRun, device: DeviceKind, kind: DotKind): number | undefined {
  const roof = roofOf(run.summary, device);
  switch (kind) {
    case 'peak':
      return roof?.compute.value;
    case 'bandwidth':
      return roof?.memory.value;
    case 'ridge':
      return roof?.ridge;
  }
}

/** A value of a dot plot with its unit. */
export function dotText(kind: DotKind, value: number): string {
  switch (kind) {
    case 'peak':
      return formatRate(value, 'flop/s');
    case 'bandwidth':
      return formatRate(value, 'byte/s');
    case 'ridge':
      return `${formatNumber(value)} FLOP/byte`;
  }
}
