import { describe, expect, test } from 'vitest';
import { expectThreadsAlike, goldenFiles, resultOf } from './goldenHarness.ts';

const one = { threads: 1, replicas: 1, build: 'relaxed-simd', sharedMemory: true } as const;

describe.each(goldenFiles)('$case is reproduced on the CPU', (json) => {
  test('by the build without relaxed SIMD', () => resultOf(json, { ...one, build: 'simd' }));

  test('bit for bit alike by one, two and three threads', () =>
    expectThreadsAlike(json, 'relaxed-simd'));

  test('bit for bit alike by two replicas of the whole batch, in one memory or by messages', async () => {
    const first = await resultOf(json, one);
    for (const sharedMemory of [true, false]) {
      const both = await resultOf(json, { ...one, replicas: 2, sharedMemory });
      expect(both).toEqual(first);
    }
  });
});
