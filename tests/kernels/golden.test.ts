import { afterAll, expect, test } from 'vitest';
import { parseGolden } from '../../src/core/nn/golden.ts';
import { compareGolden, goldenTolerances } from '../../src/core/nn/goldenComparison.ts';
import { runGoldenOnGpu } from '../golden/gpu.ts';
import fashion from '../golden/resnet8-fashion.json' with { type: 'json' };
import synthetic from '../golden/resnet8-synthetic.json' with { type: 'json' };
import { SharedDevice } from './sharedDevice.ts';

const shared = new SharedDevice();
afterAll(() => shared.lose());

test.each([synthetic, fashion])('$case is reproduced on the GPU', async (json) => {
  const parsed = parseGolden(json);
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.errors));
  const outcome = await runGoldenOnGpu(parsed.value, { device: await shared.open() });
  if (outcome.kind === 'failure') throw new Error(JSON.stringify(outcome.failure));
  const comparison = compareGolden(parsed.value, outcome.result, goldenTolerances.kernels);
  expect(comparison).toMatchObject({ within: true });
});
