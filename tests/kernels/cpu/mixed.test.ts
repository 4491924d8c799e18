import { describe, expect, test } from 'vitest';
import { mixedTileSize, type MixedArithmetic } from '../../../src/core/probes/cpuMixed.ts';
import { mixedIntensities, mixedShape } from '../../../src/core/probes/mixed.ts';
import { dataOffset, threadState } from '../../../src/cpu/memory.ts';
import { MixedData } from '../../../src/cpu/probes/mixedRunner.ts';
import { instantiate, shareOfAll } from './instances.ts';

const size = 3 * mixedTileSize;

async function dataOf(shared: boolean) {
  const { kernels } = await instantiate(shared, size);
  return { kernels, data: new MixedData(kernels, threadState(0), shareOfAll(kernels, size)) };
}

const arithmetics = [
  ['fma', 'fused'],
  ['multiplyAdd', 'unfused'],
] as const satisfies readonly (readonly [MixedArithmetic, string])[];

describe.each([{ shared: false }, { shared: true }])(
  'mixed kernel, shared: $shared',
  ({ shared }) => {
    test.each(arithmetics)('%s does the work of every intensity', async (arithmetic, rounding) => {
      const { data } = await dataOf(shared);
      for (const intensity of mixedIntensities) {
        const runner = data.runner(arithmetic, mixedShape(intensity), size);
        runner.reset();
        // Round the data more than once, and stopping within it.
        for (const tiles of [1, 4, 3]) runner.run(tiles);
        expect(runner.check(8), `${intensity} flop/byte`).toEqual({ kind: 'right', rounding });
        expect(runner.check(9).kind).toBe('wrong');
      }
    });
  },
);

test('a page of zeros, as memory that nobody wrote is, is refused', async () => {
  const { kernels, data } = await dataOf(false);
  const runner = data.runner('fma', mixedShape(1), size);
  runner.reset();
  new Uint8Array(kernels.memory.buffer, dataOffset(1) + 2 * mixedTileSize, 4096).fill(0);
  runner.run(3);
  expect(runner.check(3).kind).toBe('wrong');
});
