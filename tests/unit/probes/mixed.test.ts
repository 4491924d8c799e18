import { expect, test } from 'vitest';
import { fusedMultiplyAdd, chainOperands } from '../../../src/core/probes/fmaEmulation.ts';
import {
  mixedEndWords,
  mixedFlops,
  mixedIntensities,
  mixedLineDigest,
  mixedLineSize,
  mixedShape,
  mixedStartWord,
} from '../../../src/core/probes/mixed.ts';
import { patternWord } from '../../../src/core/probes/streamData.ts';

test('at least fourteen intensities from 1/8 to 256, each that of its shape', () => {
  expect(mixedIntensities.length).toBeGreaterThanOrEqual(14);
  expect(mixedIntensities[0]).toBe(1 / 8);
  expect(mixedIntensities.at(-1)).toBe(256);
  for (const intensity of mixedIntensities)
    for (const movedSize of [mixedLineSize, 2 * mixedLineSize])
      expect(mixedFlops(mixedShape(intensity, movedSize)) / movedSize).toBe(intensity);
  expect(() => mixedShape(1 / 3)).toThrow(RangeError);
});

test.each(['affine', 'quadratic'] as const)(
  'the 16 values of %s chains stay apart and normal for as long as the longest runs',
  (form) => {
    const most = mixedShape(256, 2 * mixedLineSize).steps;
    const seen = new Set<string>();
    for (let steps = 1; steps <= most; steps++) {
      const ends = mixedEndWords({ steps }, form, 'fused');
      expect(new Set(ends).size).toBe(16);
      for (const value of new Float32Array(ends.buffer)) {
        expect(Math.abs(value)).toBeLessThan(2);
        expect(Math.abs(value)).toBeGreaterThan(1e-6);
      }
      seen.add(ends.join(' '));
    }
    // No number of steps looks like another.
    expect(seen.size).toBe(most);
  },
);

test('a line is its end values where it is worked on and its words where not', () => {
  const shape = mixedShape(1 / 4);
  const { a, b } = chainOperands.affine;
  const ends = mixedEndWords(shape, 'affine', 'fused');
  const scratch = new DataView(new ArrayBuffer(4));
  const endOf = (word: number) => {
    scratch.setUint32(0, mixedStartWord(word));
    scratch.setFloat32(0, fusedMultiplyAdd(scratch.getFloat32(0), a, b));
    return scratch.getUint32(0);
  };
  let expected = 0n;
  for (let column = 0; column < 4; column++)
    for (let component = 0; component < 4; component++) {
      const word = patternWord(100 + 4 * column + component);
      const bits = column < 2 ? endOf(word) : word;
      expected += BigInt((2 * column + 1) * (2 * component + 1)) * BigInt(bits);
    }
  const digest = mixedLineDigest(shape, ends, (column) => 100 + 4 * column);
  expect(BigInt(digest)).toBe(expected % 2n ** 32n);
});
