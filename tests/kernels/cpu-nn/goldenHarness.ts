import { expect } from 'vitest';
import { parseGolden, type GoldenResult } from '../../../src/core/nn/golden.ts';
import { compareGolden, goldenTolerances } from '../../../src/core/nn/goldenComparison.ts';
import { runGoldenOnCpu, type CpuGoldenOptions } from '../../golden/cpu.ts';
import fashion from '../../golden/resnet8-fashion.json' with { type: 'json' };
import synthetic from '../../golden/resnet8-synthetic.json' with { type: 'json' };

export const goldenFiles = [synthetic, fashion];

/** The result of a golden file on the CPU, which must be within the tolerances of kernels. */
export async function resultOf(json: unknown, options: CpuGoldenOptions): Promise<GoldenResult> {
  const parsed = parseGolden(json);
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.errors));
  const outcome = await runGoldenOnCpu(parsed.value, options);
  if (outcome.kind === 'failure') throw new Error(JSON.stringify(outcome.failure));
  const comparison = compareGolden(parsed.value, outcome.result, goldenTolerances.kernels);
  expect(comparison).toMatchObject({ within: true });
  return outcome.result;
}

/** Requires one, two and three threads of a build to give the same bits. */
export async function expectThreadsAlike(
  json: unknown,
  build: CpuGoldenOptions['build'],
): Promise<void> {
  const one = { threads: 1, replicas: 1, build, sharedMemory: true };
  const first = await resultOf(json, one);
  for (const threads of [2, 3]) expect(await resultOf(json, { ...one, threads })).toEqual(first);
}
