/** Two doublings that gain less than this together gain nothing. */
const leastGain = 1.01;

/**
 * Doubles a value from `least` up to `most` until two doublings in a row gain under 1 %, and returns
 * the value with the highest rate.
 */
export async function doubleUntilSaturated(
  range: { readonly least: number; readonly most: number },
  rateAt: (value: number) => Promise<number>,
): Promise<number> {
  let best = { value: range.least, rate: 0 };
  let idle = 0;
  for (let value = range.least; value <= range.most && idle < 2; value *= 2) {
    const rate = await rateAt(value);
    idle = rate > best.rate * leastGain ? 0 : idle + 1;
    if (rate > best.rate) best = { value, rate };
  }
  return best.value;
}
