import { describe, expect, it } from 'vitest';
import type { Figure } from '../../../src/core/compare/figures.ts';
import { compareSides } from '../../../src/core/compare/ratio.ts';
import { measuredSpread } from '../../../src/core/compare/spread.ts';
import { gaussian, generator } from '../../support/random.ts';
import { comparedRun } from './runs.ts';

/** Figures of one quantity with a within-run interval of `within`. */
function figures(values: readonly number[], within = 0.001): readonly Figure[] {
  return values.map((value) => ({
    key: 'gpu.compute.f32',
    device: 'gpu',
    group: 'compute',
    label: 'f32 multiply-add',
    value,
    low: value * Math.exp(-within),
    high: value * Math.exp(within),
    unit: 'flop/s',
  }));
}

const spread = { deviation: 0.02, degrees: 4 };

describe('ratio of two sides', () => {
  it("with three runs a side is Welch's interval, as worked out by hand", () => {
    // Logs 0, 0.1, 0.2 and 1, 1.1, 1.2: difference 1, variances 0.01, standard error
    // sqrt(0.02 / 3), 4 degrees of freedom, t = 2.7764.
    const { ratio, interval, verdict } = compareSides(
      figures([0, 0.1, 0.2].map(Math.exp)),
      figures([1, 1.1, 1.2].map(Math.exp)),
      undefined,
    );
    const halfWidth = 2.7764 * Math.sqrt(0.02 / 3);
    expect(ratio).toBeCloseTo(Math.E, 10);
    expect(Math.log(interval?.low ?? 0)).toBeCloseTo(1 - halfWidth, 4);
    expect(Math.log(interval?.high ?? 0)).toBeCloseTo(1 + halfWidth, 4);
    expect(verdict).toBe('differs');
  });

  it('covers the true ratio in about 95 of 100 comparisons of three runs a side', () => {
    const random = generator(11);
    let covered = 0;
    for (let trial = 0; trial < 2000; trial++) {
      const side = (mean: number, deviation: number): readonly Figure[] =>
        figures([0, 1, 2].map(() => mean * Math.exp(deviation * gaussian(random))));
      const { interval } = compareSides(side(1, 0.03), side(1.2, 0.05), undefined);
      if (interval && interval.low <= 1.2 && interval.high >= 1.2) covered += 1;
    }
    expect(covered / 2000).toBeGreaterThan(0.94);
  });

  it('of single runs borrows the spread of repeated runs', () => {
    const slightly = compareSides(figures([100]), figures([104]), spread);
    // t of 4 degrees, 2 %, two runs: 2.776 x 0.02 x sqrt(2) = 7.9 %.
    expect(slightly.verdict).toBe('noise');
    expect(slightly.interval?.high).toBeCloseTo(1.04 * Math.exp(0.0785), 3);
    expect(compareSides(figures([100]), figures([120]), spread).verdict).toBe('once');
  });

  it('of single runs is at least as wide as their own intervals', () => {
    const { interval } = compareSides(figures([100], 0.3), figures([100], 0.4), spread);
    expect(Math.log(interval?.high ?? 0)).toBeCloseTo(0.5, 6);
  });

  it('says nothing of single runs where no spread was measured', () => {
    expect(compareSides(figures([100]), figures([200]), undefined)).toEqual({
      ratio: expect.closeTo(2, 10) as number,
      verdict: 'unknown',
    });
  });

  it('of equal repeats is alike, and of a constant factor differs', () => {
    expect(compareSides(figures([5, 5, 5]), figures([5, 5, 5]), spread).verdict).toBe('alike');
    expect(compareSides(figures([5, 5, 5]), figures([6, 6, 6]), spread).verdict).toBe('differs');
  });
});

describe('spread between repeated runs', () => {
  it('pools squared deviations of logarithms over the figures of a kind', () => {
    const repeats = [0.98, 1, 1.02].map((speed, index) => comparedRun(`run ${index}`, speed));
    const { gpu, cpu } = measuredSpread([repeats.map(({ run }) => run.summary)]);
    const logs = [0.98, 1, 1.02].map(Math.log);
    const mean = (logs[0]! + logs[1]! + logs[2]!) / 3;
    const deviation = Math.sqrt(logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / 2);
    expect(gpu.compute?.deviation).toBeCloseTo(deviation, 6);
    expect(gpu.compute?.degrees).toBe(2);
    expect(cpu.bandwidth?.deviation).toBeCloseTo(deviation, 6);
    expect(cpu.bandwidth?.degrees).toBeGreaterThan(2);
    // Both ceilings of a ridge moved by the same factor.
    expect(gpu.ridge?.deviation).toBeCloseTo(0, 6);
    expect(cpu.training).toBeUndefined();
  });

  it('keeps machines apart, and single runs say nothing', () => {
    const [slow, fast] = [comparedRun('slow'), comparedRun('fast', 10)];
    expect(measuredSpread([[slow.run.summary], [fast.run.summary]])).toEqual({ gpu: {}, cpu: {} });
  });
});
