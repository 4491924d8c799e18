import { describe, expect, test } from 'vitest';
import { parseGolden } from '../../../src/core/nn/golden.ts';
import { compareGolden, goldenTolerances } from '../../../src/core/nn/goldenComparison.ts';
import { runGoldenOnCpu, type CpuGoldenOptions } from '../../golden/cpu.ts';
import fashion from '../../golden/resnet8-fashion.json' with { type: 'json' };
import synthetic from '../../golden/resnet8-synthetic.json' with { type: 'json' };

async function resultOf(json: unknown, options: CpuGoldenOptions) {
  const parsed = parseGolden(json);
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.errors));
  const outcome = await runGoldenOnCpu(parsed.value, options);
  if (outcome.kind === 'failure') throw new Error(JSON.stringify(outcome.failure));
  const comparison = compareGolden(parsed.value, outcome.result, goldenTolerances.kernels);
  expect(comparison).toMatchObject({ within: true });
  return outcome.result;
}

const one = { threads: 1, replicas: 1, build: 'relaxed-simd', sharedMemory: true } as const;

describe.each([synthetic, fashion])('$case is reproduced on the CPU', (json) => {
  test('by the build without relaxed SIMD', () => resultOf(json, { ...one, build: 'simd' }));

  test('bit for bit alike by one, two and three threads', async () => {
    const first = await resultOf(json, one);
    for (const threads of [2, 3]) expect(await resultOf(json, { ...one, threads })).toEqual(first);
  });

  test('bit for bit alike by two replicas of the whole batch, in one memory or by messages', async () => {
    const first = await resultOf(json, one);
    for (const sharedMemory of [true, false]) {
      const both = await resultOf(json, { ...one, replicas: 2, sharedMemory });
      expect(both).toEqual(first);
    }
  });
});
