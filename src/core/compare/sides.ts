import { groupBy } from '../groupBy.ts';
import type { Profile } from '../run/config.ts';
import { mostCompared, type ComparedRun } from './comparedRun.ts';
import { figuresOf, type Figure } from './figures.ts';
import { compareSides, type Ratio } from './ratio.ts';
import type { Spread, SpreadTable } from './spread.ts';

/** Runs that belong together are on one side; A is what the others are set against. */
export const sideNames = ['A', 'B', 'C', 'D', 'E', 'F'] as const satisfies {
  length: typeof mostCompared;
};
export type SideName = (typeof sideNames)[number];

/**
 * The side of each run by its id where the user has chosen none: runs of one machine, browser,
 * version of the app and profile are repeats and share a side, in order of first appearance.
 */
export function defaultSides(runs: readonly ComparedRun[]): ReadonlyMap<string, SideName> {
  const groups = groupBy(runs, repeatKey);
  return new Map(
    groups.flatMap((group, index) => group.map(({ id }) => [id, sideNames[index] ?? 'F'] as const)),
  );
}

function repeatKey({ run }: ComparedRun): string {
  const { app, config, label, summary } = run;
  const { userAgent, platform, logicalCores, devices } = summary.environment;
  const names = devices.map((device) => [
    device.deviceId,
    device.device === 'gpu' && device.description,
  ]);
  return JSON.stringify([label, app, config, userAgent, platform, logicalCores, names]);
}

/** One row of the table of ratios: a figure, side A's value, and every other side against it. */
export interface RatioRow {
  readonly figure: Pick<Figure, 'key' | 'device' | 'group' | 'label' | 'unit'>;
  /** Side A's geometric mean. */
  readonly base: number;
  readonly others: readonly { readonly side: SideName; readonly ratio: Ratio | undefined }[];
}

/**
 * Every figure that side A and some other side both have. `spreads` is what repeated runs under a
 * profile showed; where the runs compared are of several profiles none applies.
 */
export function ratioRows(
  runs: readonly ComparedRun[],
  sides: ReadonlyMap<string, SideName>,
  spreads: Readonly<Partial<Record<Profile, SpreadTable>>>,
): readonly RatioRow[] {
  const used = sideNames.filter((side) => runs.some(({ id }) => sides.get(id) === side));
  const [baseSide, ...otherSides] = used;
  const figuresAt = (side: SideName | undefined): ReadonlyMap<string, readonly Figure[]> => {
    const members = runs.filter(({ id }) => sides.get(id) === side);
    const figures = members.flatMap(({ run }) => figuresOf(run.summary));
    return new Map(groupBy(figures, ({ key }) => key).map((group) => [group[0]!.key, group]));
  };
  const base = figuresAt(baseSide);
  const others = otherSides.map((side) => ({ side, figures: figuresAt(side) }));
  const table = spreadTable(runs, spreads);
  return [...base.values()].flatMap((own) => {
    const { key, device, group, label, unit } = own[0]!;
    const spread: Spread | undefined = table?.[device][group];
    const ratios = others.map(({ side, figures }) => {
      const theirs = figures.get(key);
      return { side, ratio: theirs && compareSides(own, theirs, spread) };
    });
    if (ratios.every(({ ratio }) => ratio === undefined)) return [];
    return [
      { figure: { key, device, group, label, unit }, base: geometricMean(own), others: ratios },
    ];
  });
}

function spreadTable(
  runs: readonly ComparedRun[],
  spreads: Readonly<Partial<Record<Profile, SpreadTable>>>,
): SpreadTable | undefined {
  const [profile, ...more] = new Set(runs.map(({ run }) => run.config.profile));
  return profile === undefined || more.length > 0 ? undefined : spreads[profile];
}

function geometricMean(figures: readonly Figure[]): number {
  return Math.exp(figures.reduce((sum, { value }) => sum + Math.log(value), 0) / figures.length);
}
