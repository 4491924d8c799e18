import { groupBy } from '../groupBy.ts';
import type { DeviceKind } from '../run/config.ts';
import type { RunSummary } from '../run/record.ts';
import { figureGroups, figuresOf, type Figure, type FigureGroup } from './figures.ts';

/** How much figures differ between runs of one machine under one profile. */
export interface Spread {
  /** Standard deviation of the natural logarithm: 0.02 means 2 %. */
  readonly deviation: number;
  /** Degrees of freedom that the deviation rests on. */
  readonly degrees: number;
}

/** The spread of each kind of figure; absent where no repeated runs measured it. */
export type SpreadTable = Readonly<
  Record<DeviceKind, Readonly<Partial<Record<FigureGroup, Spread>>>>
>;

/**
 * The spread between repeated runs of one machine, browser and profile, pooled over figures of a
 * kind: the squared deviations of logarithms from each figure's own mean, over the sum of the
 * degrees of freedom. `repeats` may hold several machines' runs; each list is one machine's.
 */
export function measuredSpread(repeats: readonly (readonly RunSummary[])[]): SpreadTable {
  const figures = repeats.map((runs) => runs.flatMap(figuresOf));
  const table = (device: DeviceKind): Partial<Record<FigureGroup, Spread>> =>
    Object.fromEntries(
      figureGroups.flatMap((group) => {
        const spread = pooled(
          figures.flatMap((machine) =>
            groupBy(
              machine.filter((figure) => figure.device === device && figure.group === group),
              ({ key }) => key,
            ),
          ),
        );
        return spread === undefined ? [] : [[group, spread]];
      }),
    );
  return { gpu: table('gpu'), cpu: table('cpu') };
}

function pooled(repeated: readonly (readonly Figure[])[]): Spread | undefined {
  let squares = 0;
  let degrees = 0;
  for (const figures of repeated) {
    const { mean, sumOfSquares } = logMoments(figures.map(({ value }) => value));
    if (!Number.isFinite(mean)) continue;
    squares += sumOfSquares;
    degrees += figures.length - 1;
  }
  return degrees === 0 ? undefined : { deviation: Math.sqrt(squares / degrees), degrees };
}

/** Mean of the natural logarithms, and the sum of their squared distances from it. */
export function logMoments(values: readonly number[]): {
  readonly mean: number;
  readonly sumOfSquares: number;
} {
  const logs = values.map(Math.log);
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  return { mean, sumOfSquares: logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) };
}
