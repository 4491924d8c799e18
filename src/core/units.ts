/**
 * Numbers for people: three significant digits, the unit chosen after rounding so that 999.96
 * reads 1.00 k and never 1000. Rates are SI (1 GFLOP/s = 1e9 flop/s, 1 GB/s = 1e9 byte/s); only
 * sizes use KiB, MiB and GiB. A number that is not finite reads as `notMeasured`.
 */

export const notMeasured = '–';

/** Units of a summary's ceilings. */
export type RateUnit = 'flop/s' | 'op/s' | 'byte/s';

const siPrefixes = ['', 'k', 'M', 'G', 'T', 'P', 'E'] as const;

const rateNames = {
  'flop/s': 'FLOP/s',
  'op/s': 'op/s',
  'byte/s': 'B/s',
} as const satisfies Record<RateUnit, string>;

/** `formatRate(56.93e9, 'flop/s')` is `56.9 GFLOP/s`; 4.2e9 byte/s is `4.20 GB/s`. */
export function formatRate(value: number, unit: RateUnit): string {
  return formatScaled(
    value,
    siPrefixes.map((prefix) => `${prefix}${rateNames[unit]}`),
    1000,
  );
}

/** Bytes as B, KiB, MiB, GiB or TiB; 1000 to 1023 of a unit keep four digits. */
export function formatSize(bytes: number): string {
  return formatScaled(bytes, ['B', 'KiB', 'MiB', 'GiB', 'TiB'], 1024);
}

/** `1.50 ms`, `12.3 s`; from a minute on in minutes and seconds, `2 min 5 s`. */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds);
  if (Number.isFinite(seconds) && whole >= 60) {
    return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  }
  if (seconds === 0) return '0 s';
  return formatScaled(seconds * 1e9, ['ns', 'µs', 'ms', 's'], 1000);
}

/** `7`, `999`, `1.00 k`, `23.4 M`. */
export function formatCount(count: number): string {
  return formatScaled(count, siPrefixes, 1000);
}

/** `12.5 flop/byte`, of integers `12.5 op/byte`. */
export function formatIntensity(
  intensity: number,
  unit: 'flop/byte' | 'op/byte' = 'flop/byte',
): string {
  return `${formatNumber(intensity)} ${unit}`;
}

/** A share of 1 in whole percent; tenths below one percent. */
export function formatShare(share: number): string {
  if (!Number.isFinite(share)) return notMeasured;
  const percent = share * 100;
  const rounded = Math.abs(percent) < 0.95 ? Number(percent.toFixed(1)) : Math.round(percent);
  return `${rounded} %`;
}

/** Making one is slow, and so is a number's own toLocaleString, which makes one each time. */
const grouping = new Intl.NumberFormat('en-US');

/** A whole number to the last digit, without a unit: `7`, `4,096`. */
export function formatInteger(value: number): string {
  return grouping.format(value);
}

/** Three significant digits without a unit, never in exponential notation: `0.125`, `12.5`, `1230`. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return notMeasured;
  const rounded = Number(value.toPrecision(3));
  if (rounded === 0) return '0';
  const decimals = 2 - Math.floor(Math.log10(Math.abs(rounded)) + 1e-9);
  return rounded.toFixed(Math.min(100, Math.max(0, decimals)));
}

/** The largest of the rising units in which the rounded value is at least 1. */
function formatScaled(value: number, units: readonly string[], base: number): string {
  if (!Number.isFinite(value)) return notMeasured;
  let scaled = value;
  let index = 0;
  while (index < units.length - 1 && roundedMagnitude(scaled) >= base) {
    scaled /= base;
    index += 1;
  }
  // Whole numbers of the smallest unit are exact: 512 B, 7 threads.
  const text =
    index === 0 && Number.isInteger(scaled)
      ? String(scaled)
      : roundedMagnitude(scaled) >= 1000
        ? String(Math.round(scaled))
        : formatNumber(scaled);
  return `${text} ${units[index]}`.trimEnd();
}

/** |value| as printed: to three digits below 1000, to whole numbers above. */
function roundedMagnitude(value: number): number {
  const magnitude = Math.abs(value);
  const rounded = Number(magnitude.toPrecision(3));
  return rounded < 1000 ? rounded : Math.round(magnitude);
}
