import { describe, expect, test } from 'vitest';
import {
  chainStateSize,
  expectedChainSums,
  operationsOf,
  readChainSums,
  roundingOf,
  writeChainState,
} from '../../../src/core/probes/cpuChainState.ts';
import { variantsOf } from '../../../src/core/probes/cpuKernels.ts';
import { fusedMultiplyAdd } from '../../../src/core/probes/fmaEmulation.ts';

const variant = { kernel: 'fmaF32', form: 'quadratic', chains: 10 } as const;

describe('chain state', () => {
  test('holds different seeds in every row, chain and lane', () => {
    const view = new DataView(new ArrayBuffer(chainStateSize + 64));
    writeChainState(view, 64, variant);
    const seeds = Array.from({ length: 8 * 14 * 4 }, (_, i) =>
      view.getFloat32(64 + 32 + i * 4, true),
    );
    expect(new Set(seeds).size).toBe(seeds.length);
    expect(view.getFloat32(64 + 16, true)).toBe(Math.fround(-1.8712345));
    expect(readChainSums(view, 64, variant)).toEqual(Array.from({ length: 40 }, () => 0));
  });

  test('sums are those of a direct run of the chains', () => {
    const view = new DataView(new ArrayBuffer(chainStateSize));
    writeChainState(view, 0, variant);
    const words = new DataView(new ArrayBuffer(4));
    const sum = (chain: number, lane: number) => {
      let total = 0;
      for (let trip = 0; trip < 24; trip++) {
        let x = view.getFloat32(32 + (trip % 8) * 224 + chain * 16 + lane * 4, true);
        for (let step = 0; step < 128; step++)
          x = fusedMultiplyAdd(x, x, view.getFloat32(16, true));
        words.setFloat32(0, x);
        total = (total + words.getInt32(0)) | 0;
      }
      return total;
    };
    const sums = expectedChainSums(variant, 'fused', 24);
    expect(sums).toHaveLength(40);
    expect(sums[0]).toBe(sum(0, 0));
    expect(sums[4 * 9 + 3]).toBe(sum(9, 3));
  });

  test('finds the rounding, and refuses one wrong bit and trips that were not made', () => {
    const fused = expectedChainSums(variant, 'fused', 80);
    expect(roundingOf(variant, fused, 80)).toBe('fused');
    expect(roundingOf(variant, expectedChainSums(variant, 'separate', 80), 80)).toBe('separate');
    expect(roundingOf(variant, fused, 72)).toBeUndefined();
    for (const word of [0, 17, 39]) {
      const wrong = fused.with(word, fused[word]! ^ 1);
      expect(roundingOf(variant, wrong, 80)).toBeUndefined();
    }
  });

  test('a trip is 128 steps of a multiply and an add in every lane', () => {
    expect(operationsOf(variant, 3)).toBe(3 * 128 * 10 * 4 * 2);
  });

  test('there are ten shapes of each kernel', () => {
    expect(variantsOf('fmaF32')).toHaveLength(10);
  });
});
