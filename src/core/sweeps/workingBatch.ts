import { optimum, saturation } from '../roofline/saturation.ts';
import { medianInterval } from '../stats/interval.ts';
import type { VisitReport } from './sweepPlanner.ts';

/**
 * The batch at which other parameters are swept: the smallest whose images a second are within 5 % of
 * the best, or the best where the sweep ended before that. Where `most` is given, the largest measured
 * up to that. Undefined where none was.
 */
export function workingBatch(reports: readonly VisitReport[], most?: number): number | undefined {
  const good = reports.filter(({ status, seconds }) => status === 'ok' && seconds.length > 0);
  if (most !== undefined) {
    const values = good.map(({ value }) => value).filter((value) => value <= most);
    return values.length === 0 ? undefined : Math.max(...values);
  }
  // Images a second stand for flop/s: along a sweep of batches the two are in proportion.
  const rated = good.map(({ value, seconds }) => {
    const { median, low, high } = medianInterval(seconds);
    return { value, flopsPerSecond: value / median, low: value / high, high: value / low };
  });
  return saturation(rated)?.value ?? optimum(rated)?.value;
}
