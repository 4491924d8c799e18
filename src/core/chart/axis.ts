/** An interval of a logarithmic axis: 0 < min < max. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

/** A place on a logarithmic axis; major ones carry a label and a grid line. */
export interface Tick {
  readonly value: number;
  readonly major: boolean;
}

/** What a chart can draw; other values (0, negative, not finite) have no place on a log axis. */
function drawable(values: readonly number[]): readonly number[] {
  return values.filter((value) => value >= 1e-12 && value <= 1e24);
}

/** Whole decades that hold every value, at least `leastDecades` of them; `fallback` without values. */
export function decadeRange(
  values: readonly number[],
  leastDecades: number,
  fallback: Range,
): Range {
  const kept = drawable(values);
  if (kept.length === 0) return fallback;
  let low = Math.floor(Math.log10(Math.min(...kept)));
  let high = Math.ceil(Math.log10(Math.max(...kept)));
  while (high - low < leastDecades) {
    low -= 1;
    if (high - low < leastDecades) high += 1;
  }
  return { min: powerOfTen(low), max: powerOfTen(high) };
}

/** The values with a margin of `factor` on both sides; `fallback` without values. */
export function closeRange(values: readonly number[], factor: number, fallback: Range): Range {
  const kept = drawable(values);
  if (kept.length === 0) return fallback;
  return { min: Math.min(...kept) / factor, max: Math.max(...kept) * factor };
}

/** Rising ticks within the range: decades, with 1-2-5 steps or even ones where it is narrow. */
export function logTicks({ min, max }: Range): readonly Tick[] {
  const decades = Math.log10(max / min);
  return decades < 0.7 ? evenTicks(min, max) : decadeTicks(min, max, decades);
}

function decadeTicks(min: number, max: number, decades: number): readonly Tick[] {
  const labelled = decades < 2 ? [1, 2, 5] : [1];
  const stride = Math.ceil(decades / 8);
  const ticks: Tick[] = [];
  for (let power = Math.floor(Math.log10(min)); power <= Math.log10(max); power += 1) {
    for (let digit = 1; digit <= 9; digit += 1) {
      const value = Number(`${digit}e${power}`);
      if (value < min || value > max) continue;
      ticks.push({ value, major: labelled.includes(digit) && power % stride === 0 });
    }
  }
  return ticks;
}

function evenTicks(min: number, max: number): readonly Tick[] {
  const rough = (max - min) / 5;
  const power = Math.floor(Math.log10(rough));
  const digit = [1, 2, 5, 10].find((step) => step * powerOfTen(power) >= rough) ?? 10;
  const step = digit * powerOfTen(power);
  const first = Math.ceil(min / step);
  const last = Math.floor(max / step);
  return Array.from({ length: last - first + 1 }, (_, index) => ({
    value: (first + index) * step,
    major: true,
  }));
}

/** 10^power, correctly rounded. */
function powerOfTen(power: number): number {
  return Number(`1e${power}`);
}

const decimals = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 8 });
const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** `0.01`, `20`, `1,000`; far from 1 as a power, `2 × 10⁻⁵`. */
export function tickLabel(value: number): string {
  const rounded = Number(value.toPrecision(8));
  if (rounded >= 1e-3 && rounded < 1e6) return decimals.format(rounded);
  const [digits = '', power = ''] = rounded.toExponential().split('e');
  const raised = power
    .replace('+', '')
    .replace('-', '⁻')
    .replaceAll(/\d/g, (digit) => superscripts[Number(digit)] ?? '');
  return digits === '1' ? `10${raised}` : `${digits} × 10${raised}`;
}
