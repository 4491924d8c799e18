import { levelLatencies } from '../core/roofline/latency.ts';
import type { Roofline } from '../core/roofline/types.ts';
import {
  formatDuration,
  formatIntensity,
  formatRate,
  formatShare,
  formatSize,
} from '../core/units.ts';

/** A roofline's other figures in a line each; those that were not measured are left out. */
export function figureLines(roofline: Roofline): string[] {
  return [
    latencyLine(roofline),
    overheadLine(roofline),
    kneeLine(roofline),
    sustainedLine(roofline),
    extraLine(roofline),
    transferLine(roofline),
  ].filter((text) => text !== undefined);
}

function latencyLine({ latency = [] }: Roofline): string | undefined {
  const levels = levelLatencies(latency).map(
    ({ level, value, workingSetSize }) =>
      `${level} ${formatDuration(value)} (${formatSize(workingSetSize)})`,
  );
  return line('latency', levels);
}

function overheadLine({ overheads = {} }: Roofline): string | undefined {
  const each = Object.entries(overheads).map(([of, { value }]) => `${of} ${formatDuration(value)}`);
  return line('overheads', each);
}

function kneeLine({ knee }: Roofline): string | undefined {
  if (knee === undefined) return undefined;
  const { points, largestShortfall } = knee;
  const count = `${points.length} intensities measured`;
  if (largestShortfall === undefined) return line('knee', [count]);
  const { shortfall, intensity } = largestShortfall;
  return line('knee', [
    count,
    `at most ${formatShare(shortfall)} under the roof, at ${formatIntensity(intensity)}`,
  ]);
}

function sustainedLine({ sustained: run }: Roofline): string | undefined {
  if (run === undefined) return undefined;
  const { burst, sustained, ratio } = run;
  return line('sustained', [
    `${formatRate(sustained.value, sustained.unit)}, ${formatShare(ratio)} of the burst of ${formatRate(burst.value, burst.unit)}`,
  ]);
}

const accesses = {
  gatherStrided: 'strided gather',
  gatherRandom: 'random gather',
  atomics: 'atomics',
} as const;

function extraLine({ extras = [] }: Roofline): string | undefined {
  const each = extras.map(({ of, value, unit, workingSetSize }) => {
    const over = workingSetSize === undefined ? '' : ` over ${formatSize(workingSetSize)}`;
    return `${accesses[of]}${over} ${formatRate(value, unit)}`;
  });
  return line('extras', each);
}

function transferLine({ transfer = {} }: Roofline): string | undefined {
  const each = Object.entries(transfer).map(
    ([direction, { value, unit, size }]) =>
      `${direction} ${formatRate(value, unit)} (${formatSize(size)})`,
  );
  return line('transfers', each);
}

function line(name: string, parts: readonly string[]): string | undefined {
  return parts.length === 0 ? undefined : `${name}: ${parts.join('; ')}`;
}
