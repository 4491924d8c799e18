import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { doubleUntilSaturated } from '../../../src/core/probes/saturation.ts';
import {
  addendSeed,
  elementSummand,
  patternWord,
  streamWord,
} from '../../../src/core/probes/streamData.ts';
import { laneStreamSum } from '../../../src/core/probes/streamSums.ts';
import {
  arraySizeOf,
  arrayTripSize,
  streamShape,
  type StreamVariant,
} from '../../../src/core/probes/streamVariant.ts';

const variants = fc.record({
  pattern: fc.constantFrom('read', 'write', 'copy', 'triad'),
  element: fc.constantFrom('u32', 'vec4<u32>', 'mat4x4<f32>'),
  unroll: fc.constantFrom(1, 2, 4, 8),
  workgroupSize: fc.constantFrom(32, 64, 128, 256),
}) as fc.Arbitrary<StreamVariant>;

test('pattern words are floats of +-[1, 2), both signs, spread evenly and never repeating nearby', () => {
  const words = Array.from({ length: 4096 }, (_, index) => patternWord(index));
  const floats = new Float32Array(Uint32Array.from(words).buffer);
  expect(floats.every((value) => Math.abs(value) >= 1 && Math.abs(value) < 2)).toBe(true);
  const mean = floats.reduce((sum, value) => sum + value, 0) / floats.length;
  expect(Math.abs(mean)).toBeLessThan(0.1);
  expect(new Set(words).size).toBeGreaterThan(4090);
});

test('a shape comes near the size that was asked for and never passes it', () => {
  fc.assert(
    fc.property(
      variants,
      fc.integer({ min: 13, max: 29 }),
      fc.double({ min: 1, max: 2, noNaN: true }),
      fc.integer({ min: 1, max: 20_000 }),
      (variant, power, factor, most) => {
        const wanted = 2 ** power * factor;
        fc.pre(wanted >= arrayTripSize(variant));
        const shape = streamShape(variant, wanted, most);
        const size = arraySizeOf(variant, shape);
        expect(size).toBeLessThanOrEqual(wanted);
        expect(size).toBeGreaterThan(wanted / 2);
        expect(shape.workgroups).toBeLessThanOrEqual(most);
        expect(Math.log2(shape.workgroups) % 1).toBe(0);
        expect(shape.share % (variant.unroll * variant.workgroupSize)).toBe(0);
      },
    ),
  );
});

test('in every pass each share has one workgroup, and in as many passes a workgroup has each share', () => {
  for (const workgroups of [1, 2, 4, 64, 1024]) {
    const { stride } = streamShape(
      { pattern: 'copy', element: 'vec4<u32>', unroll: 1, workgroupSize: 64 },
      workgroups * 1024,
      workgroups,
    );
    const visited = Array.from({ length: workgroups }, (_, pass) => (pass * stride) % workgroups);
    expect(new Set(visited).size).toBe(workgroups);
  }
});

test('visits to a share are far apart when workgroups run one after the other', () => {
  const workgroups = 1024;
  const { stride } = streamShape(
    { pattern: 'copy', element: 'vec4<u32>', unroll: 1, workgroupSize: 64 },
    workgroups * 1024,
    workgroups,
  );
  for (const passes of [2, 3, 4, 8, 20]) {
    const visits = Array.from(
      { length: workgroups * passes },
      (_, index) => (Math.floor(index / passes) + (index % passes) * stride) % workgroups,
    );
    const last = new Map<number, number>();
    let nearest = Infinity;
    for (const [index, share] of visits.entries()) {
      nearest = Math.min(nearest, index - (last.get(share) ?? -Infinity));
      last.set(share, index);
    }
    // A neighbour's share would come back after passes - 1 visits.
    expect(nearest).toBeGreaterThan(workgroups / 4);
  }
});

test('a lane sums the first word of each element it moves, and the passes', () => {
  const variant: StreamVariant = {
    pattern: 'copy',
    element: 'vec4<u32>',
    unroll: 2,
    workgroupSize: 32,
  };
  const shape = { workgroups: 4, share: 128, stride: 3 };
  // Lane 1 of workgroup 2: shares 2 and (2 + 3) mod 4 = 1, four elements of each.
  const elements = [257, 289, 321, 353];
  let sum = 0;
  for (const element of elements) sum = (sum * 5 + patternWord(element * 4)) % 2 ** 32;
  sum = (sum + 1) % 2 ** 32;
  for (const element of [129, 161, 193, 225]) sum = (sum * 5 + patternWord(element * 4)) % 2 ** 32;
  sum = (sum + 2) % 2 ** 32;
  expect(laneStreamSum(variant, shape, 65, 2)).toBe(sum);
  expect(laneStreamSum(variant, shape, 65, 0)).toBe(0);
});

test('what a pattern leaves behind is never compressible, NaN or denormal', () => {
  for (const pattern of ['write', 'copy', 'triad'] as const)
    for (const element of ['u32', 'vec4<u32>', 'mat4x4<f32>'] as const) {
      const variant: StreamVariant = { pattern, element, unroll: 1, workgroupSize: 64 };
      const words = Array.from({ length: 8192 }, (_, index) => streamWord(variant, index));
      const floats = new Float32Array(Uint32Array.from(words).buffer);
      expect(floats.every((value) => value === 0 || Math.abs(value) > 1e-8)).toBe(true);
      expect(floats.every((value) => Math.abs(value) < 4)).toBe(true);
      expect(new Set(words).size).toBeGreaterThan(8100);
    }
});

function float(word: number): number {
  return new Float32Array(Uint32Array.of(word).buffer)[0]!;
}

test('the triad adds half of the second array, and reads sum whole elements', () => {
  const variant: StreamVariant = {
    pattern: 'triad',
    element: 'vec4<u32>',
    unroll: 1,
    workgroupSize: 64,
  };
  const expected = Math.fround(float(patternWord(9)) + 0.5 * float(patternWord(addendSeed + 9)));
  expect(float(streamWord(variant, 9))).toBe(expected);
  const all = [8, 9, 10, 11].reduce((sum, index) => sum + patternWord(index), 0) % 2 ** 32;
  expect(elementSummand({ ...variant, pattern: 'read' }, 2)).toBe(all);
  expect(elementSummand({ ...variant, pattern: 'copy' }, 2)).toBe(patternWord(8));
});

test('doubling stops two doublings past saturation, at the limit, and survives failures', async () => {
  const tried: number[] = [];
  const best = await doubleUntilSaturated({ least: 4, most: 4096 }, (value) => {
    tried.push(value);
    return Promise.resolve(Math.min(value, 32) + value / 1e5);
  });
  expect(tried).toEqual([4, 8, 16, 32, 64, 128]);
  expect(best).toBe(128);
  expect(await doubleUntilSaturated({ least: 4, most: 16 }, (v) => Promise.resolve(v))).toBe(16);
  expect(await doubleUntilSaturated({ least: 4, most: 4096 }, () => Promise.resolve(0))).toBe(4);
});
