import { expect, test } from 'vitest';
import type { Sample } from '../../../src/core/roofline/sample.ts';
import { sweep } from '../../../src/cpu/probes/sweep.ts';
import { sampleOf, sixOf } from '../roofline/samples.ts';

/** Sweeps points 0, 1, 2 ... whose measurements take these seconds, and again those. */
async function swept(first: readonly number[], again: Readonly<Record<number, number>> = {}) {
  const told: Sample[] = [];
  const measured = new Set<number>();
  const measure = (point: number): Promise<Sample> => {
    const seconds = measured.has(point) ? again[point]! : first[point]!;
    measured.add(point);
    const work = { kind: 'latency', loads: 1, workingSetSize: point + 1 } as const;
    return Promise.resolve(sampleOf(work, { seconds: sixOf(seconds) }));
  };
  await sweep([...first.keys()], measure, (sample) => told.push(sample));
  return told.map(({ seconds, status }) => `${seconds[0]} ${status}`);
}

test('levels that give way are told as they are', async () => {
  expect(await swept([1, 1, 3, 3, 9])).toEqual(['1 ok', '1 ok', '3 ok', '3 ok', '9 ok']);
  expect(await swept([])).toEqual([]);
  expect(await swept([2])).toEqual(['2 ok']);
});

test('a disturbed point is measured again, and refused where it was faster then', async () => {
  expect(await swept([1, 7, 1, 1], { 1: 1.1 })).toEqual([
    '1 ok',
    '7 failed',
    '1.1 ok',
    '1 ok',
    '1 ok',
  ]);
});

test('a point that stays slow stands', async () => {
  expect(await swept([1, 7, 1], { 1: 7.1 })).toEqual(['1 ok', '7.1 ok', '7 ok', '1 ok']);
});
