import { expect, test } from 'vitest';
import { workingBatch } from '../../../src/core/sweeps/workingBatch.ts';
import type { VisitReport } from '../../../src/core/sweeps/sweepPlanner.ts';

/** Batches and images a second of their steps. */
function reports(rates: Readonly<Record<number, number>>): VisitReport[] {
  return Object.entries(rates).map(([batch, rate]) => {
    const seconds = Number(batch) / rate;
    return {
      value: Number(batch),
      status: 'ok',
      seconds: [0.999 * seconds, seconds, 1.001 * seconds],
    };
  });
}

test('the smallest batch within 5 % of the best, whatever the order', () => {
  expect(workingBatch(reports({ 1: 100, 2: 150, 4: 196, 8: 200, 16: 199 }))).toBe(4);
  expect(workingBatch(reports({ 16: 199, 2: 150, 8: 200, 1: 100, 4: 180 }).toReversed())).toBe(8);
});

test('the fastest where the sweep ended before it saturated', () => {
  expect(workingBatch(reports({ 1: 100, 2: 150, 4: 220 }))).toBe(4);
});

test('the largest measured up to a limit', () => {
  const found = reports({ 1: 100, 2: 150, 4: 196, 8: 200, 16: 199 });
  expect(workingBatch(found, 8)).toBe(8);
  expect(workingBatch(found, 6)).toBe(4);
  expect(workingBatch(found, 0.5)).toBeUndefined();
});

test('points that were skipped or failed do not count', () => {
  const skipped: VisitReport = { value: 8, status: 'skipped', seconds: [] };
  const failed: VisitReport = { value: 4, status: 'failed', seconds: [1e-9] };
  expect(workingBatch([...reports({ 1: 100, 2: 150 }), failed, skipped])).toBe(2);
  expect(workingBatch([...reports({ 1: 100, 2: 150 }), failed, skipped], 8)).toBe(2);
  expect(workingBatch([skipped, failed])).toBeUndefined();
});
