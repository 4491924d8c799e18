import { logTicks, tickLabel, type Range } from '../../src/core/chart/axis.ts';

/** What is wrong with the ticks of a logarithmic axis; undefined where nothing is. */
export function tickFault(range: Range): string | undefined {
  const ticks = logTicks(range);
  let last = -Infinity;
  for (const { value } of ticks) {
    if (value <= last) return `${value} does not rise above ${last}`;
    if (value < range.min * (1 - 1e-9) || value > range.max * (1 + 1e-9))
      return `${value} is outside`;
    last = value;
  }
  const labelled = ticks.filter(({ major }) => major);
  if (labelled.length < 2 || labelled.length > 12) return `${labelled.length} labels`;
  const labels = labelled.map(({ value }) => tickLabel(value));
  if (new Set(labels).size < labels.length) return `equal labels: ${labels.join(' ')}`;
  const wrong = labelled.find(({ value }, index) => !readsAs(labels[index] ?? '', value));
  return wrong && `${wrong.value} is labelled ${tickLabel(wrong.value)}`;
}

function readsAs(label: string, value: number): boolean {
  const text = label
    .replaceAll(',', '')
    .replace(/^10(?=[⁻⁰¹²³⁴⁵⁶⁷⁸⁹])/, '1 × 10')
    .replace(' × 10', 'e')
    .replaceAll(/[⁰¹²³⁴⁵⁶⁷⁸⁹]/g, (digit) => String('⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(digit)))
    .replace('⁻', '-');
  return Math.abs(Number(text) / value - 1) < 1e-6;
}
