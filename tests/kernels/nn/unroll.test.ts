import { expect, test } from 'vitest';
import { unrolled } from '../../../src/gpu/kernels/unroll.ts';

const lines = (...all: readonly string[]) => all.join('\n');

test('a loop repeats its lines for all numbers below, the last name fastest', () => {
  const source = lines('before $(a)', '#each a b', 'x$(a)_$(b)', '#end', 'after');
  expect(unrolled(source, { a: 2, b: 2 })).toBe(
    lines('before 2', 'x0_0', 'x0_1', 'x1_0', 'x1_1', 'after'),
  );
});

test('sums of products of names and numbers are worked out', () => {
  expect(unrolled('$(2*a+b*a+1)', { a: 3, b: -1 })).toBe('4');
});

test('loops nest, and see the numbers around them', () => {
  const source = lines('#each a', 'row $(a)', '#each b', 'cell $(a) $(b)', '#end', '#end');
  expect(unrolled(source, { a: 2, b: 1 })).toBe(lines('row 0', 'cell 0 0', 'row 1', 'cell 1 0'));
});

test('where keeps the combinations whose sums are equal', () => {
  const source = lines('#each p t where p*stride+t = 2', '$(p) $(t)', '#end');
  expect(unrolled(source, { p: 3, t: 3, stride: 2 })).toBe(lines('0 2', '1 0'));
});

test('a loop over nothing leaves nothing', () => {
  expect(unrolled(lines('#each a', 'x', '#end', 'y'), { a: 0 })).toBe('y');
});

test('a name without a number and a loop without an end are refused', () => {
  expect(() => unrolled('$(unknown)', {})).toThrow('no number for unknown');
  expect(() => unrolled(lines('#each a', 'x'), { a: 1 })).toThrow('no #end');
});
