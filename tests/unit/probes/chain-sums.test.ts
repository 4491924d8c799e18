import { expect, test } from 'vitest';
import { fitsNearly, roundingOfSums, sampledLanes } from '../../../src/core/probes/chainCheck.ts';
import {
  digestTolerance,
  finalValue,
  laneDigests,
  sumOfDigests,
} from '../../../src/core/probes/chainSums.ts';
import { chainNumbers, roundToF16 } from '../../../src/core/probes/chainNumbers.ts';
import {
  chainOperation,
  chainOperations,
  type ChainOperationName,
} from '../../../src/core/probes/chainOperations.ts';
import { chainOperands } from '../../../src/core/probes/fmaEmulation.ts';
import {
  chainMoves,
  chainOpenings,
  operationsOf,
  type ChainVariant,
} from '../../../src/core/probes/chainVariant.ts';

const forms = ['affine', 'quadratic'] as const;
const variant: ChainVariant = { ...chainOpenings('fmaF32')[0], chains: 3, width: 2 };

test('no two values start alike within 65,536 lanes, and all are exact in f32', () => {
  for (const form of forms) {
    const seen = new Set<number>();
    const lanes = [0, 1, 2, 1000, 32_767, 65_534, 65_535];
    for (const lane of lanes)
      for (let chain = 0; chain < 16; chain++)
        for (let component = 0; component < 4; component++)
          for (let segment = 0; segment < 8; segment++) {
            const value = chainNumbers.f32.startValue(form, lane, chain, component, segment);
            expect(Math.fround(value)).toBe(value);
            if (segment === 0) seen.add(value);
          }
    expect(seen.size).toBe(lanes.length * 64);
  }
});

test('values stay finite, normal and apart over a segment, and rounding changes their bits', () => {
  for (const form of forms) {
    const starts = [0, 64, 777, 65_535].flatMap((lane) =>
      [0, 3, 7].map((segment) => chainNumbers.f32.startValue(form, lane, 1, 2, segment)),
    );
    const ends = starts.map((start) => finalValue({ operation: 'fmaF32', form }, 'fused', start));
    expect(new Set(ends).size).toBe(ends.length);
    expect(ends.every((value) => Math.abs(value) > 1e-9 && Math.abs(value) < 2)).toBe(true);
    expect(
      starts.map((start) => finalValue({ operation: 'fmaF32', form }, 'separate', start)),
    ).not.toEqual(ends);
  }
});

test('the affine segment ends near its closed form', () => {
  const { a, b } = chainOperands.affine;
  const power = a ** 128;
  const closed = 1.25 * power + (b * (1 - power)) / (1 - a);
  expect(finalValue({ operation: 'fmaF32', form: 'affine' }, 'fused', 1.25)).toBeCloseTo(closed, 4);
});

test('a lane adds the weighted bits of every segment, chain and component', () => {
  let expected = 0;
  const word = new DataView(new ArrayBuffer(4));
  for (let segment = 0; segment < 21; segment++) {
    for (let chain = 0; chain < 3; chain++) {
      for (const component of [0, 1]) {
        const start = chainNumbers.f32.startValue('affine', 5, chain, component, segment);
        word.setFloat32(0, finalValue({ operation: 'fmaF32', form: 'affine' }, 'fused', start));
        const weight = [1, 3, 5][chain]! * [1, 3][component]!;
        expected = (expected + Math.imul(word.getUint32(0), weight)) >>> 0;
      }
    }
  }
  expect(sumOf('fused', 5, 21)).toBe(expected);
  expect(sumOf('fused', 5, 0)).toBe(0);
});

function sumOf(rounding: 'fused' | 'separate', lane: number, segments: number): number {
  return sumOfDigests(laneDigests(variant, rounding, lane), segments);
}

test('a device that rounds in its own way is right if near and consistent, else wrong', () => {
  const done = [{ amount: 27, runs: 3 }];
  const exact = laneDigests(variant, 'fused', 9);
  const off = (shift: number) => {
    const digests = exact.map((digest, index) => digest + shift * (index % 2 === 0 ? 1 : -1));
    const prefixes = digests.map((_, index) => sumOfDigests(digests, index + 1));
    return { prefixes, sum: Math.imul(3, sumOfDigests(digests, 27)) >>> 0 };
  };
  const fits = ({ prefixes, sum }: ReturnType<typeof off>) =>
    fitsNearly(variant, 9, prefixes, sum, done);
  const tolerance = digestTolerance(variant);
  expect(tolerance).toBe((1 + 3 + 5) * (1 + 3) * 256);
  expect(fits(off(0))).toBe(true);
  expect(fits(off(tolerance))).toBe(true);
  expect(fits(off(tolerance + 1))).toBe(false);
  expect(fits({ ...off(100), sum: off(101).sum })).toBe(false);
});

test('results name the rounding that they fit, and wrong ones none', () => {
  const lanes = sampledLanes(300, 8);
  const done = [
    { amount: 3, runs: 2 },
    { amount: 6, runs: 5 },
  ];
  for (const rounding of ['fused', 'separate'] as const) {
    const sums = new Uint32Array(300);
    for (const lane of lanes) {
      sums[lane] = 2 * sumOf(rounding, lane, 3) + 5 * sumOf(rounding, lane, 6);
    }
    expect(roundingOfSums(variant, sums, done, lanes)).toBe(rounding);
    expect(roundingOfSums(variant, sums, [{ amount: 3, runs: 12 }], lanes)).toBe(undefined);
    sums[299]! += 1;
    expect(roundingOfSums(variant, sums, done, lanes)).toBe(undefined);
  }
});

test('sampled lanes are within range and hold the first and the last', () => {
  expect(sampledLanes(1, 8)).toEqual([0]);
  const lanes = sampledLanes(1000, 24);
  expect(lanes.length).toBeGreaterThan(20);
  expect(lanes).toContain(0);
  expect(lanes).toContain(999);
  expect(lanes.every((lane) => Number.isInteger(lane) && lane >= 0 && lane < 1000)).toBe(true);
});

test('work is two flops a step, component, chain and lane', () => {
  expect(operationsOf(variant, 64, 10)).toBe(64 * 10 * 128 * 3 * 2 * 2);
});

test('no move leaves the bounds of the source or the workgroup', () => {
  const moves = chainMoves(128);
  const reached = new Map<string, ChainVariant>();
  const open: ChainVariant[] = [...chainOpenings('fmaF32')];
  while (open.length > 0) {
    const from = open.pop()!;
    if (reached.has(JSON.stringify(from))) continue;
    reached.set(JSON.stringify(from), from);
    open.push(...moves.flatMap((move) => move(from) ?? []));
  }
  const variants = [...reached.values()];
  expect(variants.length).toBeGreaterThan(200);
  for (const { chains, stepsPerTrip, workgroupSize } of variants) {
    expect(chains * stepsPerTrip).toBeLessThanOrEqual(256);
    expect(128 % stepsPerTrip).toBe(0);
    expect(workgroupSize).toBeLessThanOrEqual(128);
  }
});

/** Round to nearest, ties to even, by trying the f16 numbers around. */
function nearestF16(value: number): number {
  const view = new DataView(new ArrayBuffer(2));
  const decode = (bits: number) => {
    view.setUint16(0, bits);
    const [sign, exponent, mantissa] = [bits >> 15, (bits >> 10) & 31, bits & 1023];
    const size =
      exponent === 0 ? mantissa * 2 ** -24 : (1 + mantissa / 1024) * 2 ** (exponent - 15);
    return sign === 1 ? -size : size;
  };
  const candidates = Array.from({ length: 0x7c00 }, (_, bits) => bits).map((bits) => ({
    bits,
    distance: Math.abs(decode(bits) - Math.abs(value)),
  }));
  const least = Math.min(...candidates.map(({ distance }) => distance));
  const best = candidates.filter(({ distance }) => distance === least);
  const { bits } = best.find((candidate) => candidate.bits % 2 === 0) ?? best[0]!;
  return decode(bits) * Math.sign(value);
}

test('rounding to f16 finds the nearest number, ties to even', () => {
  const values = [1, 1.5, 2047.5, 1.00048828125, 1.00146484375, 0.1, -1.87, 3e-5, 6e-8, 1.99999];
  for (const value of values) expect(roundToF16(value)).toBe(nearestF16(value));
});

test('f16 words hold two components, low half first', () => {
  const { words } = chainNumbers.f16;
  expect(words([1, -2, 0.5])).toEqual([(0xc000_3c00 | 0) >>> 0, 0x3800]);
  expect(words([1.5 + 2 ** -10])).toEqual([0x3e01]);
});

test('a step of four signed bytes adds their products', () => {
  const { step } = chainNumbers.bytes;
  // 1*2 + (-1)*3 + 127*(-128) + (-128)*(-128) = 127
  const x = 0x80_7f_ff_01;
  expect(step('affine', 'exact', x, 0x80_80_03_02, 0)).toBe((x + 127) >>> 0);
});

const operations = Object.keys(chainOperations) as ChainOperationName[];

test.for(operations)('%s: roundings give different values, and values stay apart', (operation) => {
  const { number, roundings, forms: operationForms } = chainOperation(operation);
  for (const form of operationForms) {
    const starts = [0, 1, 2, 3].flatMap((chain) =>
      [0, 5].map((segment) => chainNumbers[number].startValue(form, 3, chain, 1, segment)),
    );
    const ends = roundings.map((rounding) =>
      starts.map((start) => finalValue({ operation, form }, rounding, start)),
    );
    expect(ends.flat().every(Number.isFinite)).toBe(true);
    // Values of f16 are few.
    expect(new Set(ends[0]).size).toBeGreaterThan(0.8 * starts.length);
    expect(new Set(ends.map((values) => JSON.stringify(values))).size).toBe(roundings.length);
  }
});
