import { describe, expect, test } from 'vitest';
import {
  mixedRoundingOf,
  mixedTileSize,
  mixedTileSums,
  readMixedSums,
  writeMixedState,
} from '../../../src/core/probes/cpuMixed.ts';
import { mixedIntensities, mixedShape } from '../../../src/core/probes/mixed.ts';
import { generator } from '../../support/random.ts';

const random = generator(7);
const words = Int32Array.from(
  { length: mixedTileSize / 4 },
  () => (Math.floor(random() * 2 ** 32) & 0x807fffff) | 0x3f800000,
);

describe('mixed kernel', () => {
  test('the sums of a tile are those of its four lanes, worked on or not', () => {
    const shape = mixedShape(1 / 8);
    const floats = new Float32Array(words.buffer);
    const expected = [0, 0, 0, 0];
    for (let vector = 0; vector < words.length / 4; vector++) {
      for (let lane = 0; lane < 4; lane++) {
        const index = vector * 4 + lane;
        const a = Math.fround(0.99912345);
        const b = Math.fround(0.00122717);
        const end = Math.fround(Math.fround(floats[index]! + b) * a);
        const bits = new Int32Array(Float32Array.of(end).buffer)[0]!;
        expected[lane] = (expected[lane]! + (vector % 4 === 0 ? bits : words[index]!)) | 0;
      }
    }
    expect(mixedTileSums(words, shape, 'unfused')).toEqual(expected);
  });

  test('every intensity is told from every other by its sums', () => {
    const sums = mixedIntensities.map((intensity) =>
      mixedTileSums(words, mixedShape(intensity), 'fused').join(' '),
    );
    expect(new Set(sums).size).toBe(mixedIntensities.length);
  });

  test('the rounding is found, wrong sums have none', () => {
    const shape = mixedShape(4);
    for (const rounding of ['fused', 'separate'] as const) {
      const sums = mixedTileSums(words, shape, rounding).map((sum) => Math.imul(sum, 3));
      expect(mixedRoundingOf(words, shape, 'fma', 3, sums)).toBe(rounding);
      expect(mixedRoundingOf(words, shape, 'fma', 4, sums)).toBeUndefined();
      expect(mixedRoundingOf(words, shape, 'multiplyAdd', 3, sums)).toBeUndefined();
    }
  });

  test('the state begins without sums', () => {
    const view = new DataView(new ArrayBuffer(64));
    view.setInt32(36, 5);
    writeMixedState(view, 0);
    expect(readMixedSums(view, 0)).toEqual([0, 0, 0, 0]);
  });
});
