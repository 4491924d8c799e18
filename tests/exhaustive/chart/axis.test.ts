import { expect, it } from 'vitest';
import { linearCongruential } from '../../../src/core/nn/random.ts';
import { tickFault } from '../../support/tick-fault.ts';

it('a million random ranges neither hang the logarithmic axis nor mislabel it', () => {
  const next = linearCongruential(20);
  for (let count = 0; count < 1_000_000; count += 1) {
    const low = -6 + 20 * next();
    const decades = 0.02 + 12 * next() ** 3;
    const range = { min: 10 ** low, max: 10 ** (low + decades) };
    const fault = tickFault(range);
    if (fault !== undefined) expect(fault, JSON.stringify(range)).toBeUndefined();
  }
}, 600_000);
