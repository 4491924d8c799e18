import { expect, test } from 'vitest';
import { isNoisy, noiseFlags } from '../../../src/core/roofline/rateNoise.ts';
import { gaussian, generator } from '../../support/random.ts';

const random = generator(7);
const around = (value: number, noise: number, length: number) =>
  Array.from({ length }, () => value * Math.exp(noise * gaussian(random)));

test('a narrow interval needs no reason, however few the values or one outlier', () => {
  expect(noiseFlags([5])).toEqual([]);
  expect(noiseFlags(around(60, 0.02, 24))).toEqual([]);
  expect(noiseFlags([...around(60, 0.005, 24), 30])).toEqual([]);
});

test('what is noisy as a rate is so as a time, and the other way round', () => {
  for (const change of [0.025, 0.0295, 0.0305, 0.035])
    for (const sign of [1, -1]) {
      const rate = { median: 1, low: 1, high: 1, [sign > 0 ? 'high' : 'low']: 1 + sign * change };
      const time = { median: 1, low: 1 / rate.high, high: 1 / rate.low };
      expect(isNoisy(time)).toBe(isNoisy(rate));
      if (change > 0.03) expect(isNoisy(rate)).toBe(true);
    }
  expect(isNoisy({ median: 1, low: 0.98, high: 1.02 })).toBe(false);
});

test.each([
  ['two speeds', [...around(60, 0.01, 6), ...around(30, 0.01, 6)]],
  ['two speeds', around(60, 0.01, 12).map((rate, index) => (index % 2 ? rate : rate / 2))],
  ['drifting', Array.from({ length: 24 }, (_, index) => 60 * 0.99 ** index)],
  ['scattered', Array.from({ length: 24 }, (_, index) => 60 + ((index * 0.618034) % 1) * 12)],
])('%s', (reason, rates) => {
  expect(noiseFlags(rates)).toEqual([reason]);
});
