import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ConvGeometry } from '../../../src/core/nn/plan.ts';
import { linearCongruential } from '../../../src/core/nn/random.ts';
import { momentumUpdate } from '../../../src/core/nn/reference.ts';
import { normalize, normStatistics } from '../../../src/core/nn/reference/batchNorm.ts';
import {
  averagePool,
  averagePoolBackward,
  maxPool,
  maxPoolBackward,
} from '../../../src/core/nn/reference/branches.ts';
import {
  convolve,
  convolveBackwardInput,
  convolveBackwardWeight,
} from '../../../src/core/nn/reference/convolution.ts';
import { softmaxCrossEntropy } from '../../../src/core/nn/reference/head.ts';

function random(length: number, seed: number): Float64Array {
  const next = linearCongruential(seed);
  return Float64Array.from({ length }, () => 2 * next() - 1);
}

function dot(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, at) => sum + value * b[at]!, 0);
}

/** Every output as one sum over an explicitly padded image: another way to the same numbers. */
function convolvePadded(g: ConvGeometry, input: Float64Array, weight: Float64Array): Float64Array {
  const output = new Float64Array(g.batch * g.outHeight * g.outWidth * g.outChannels);
  const pixel = (image: number, y: number, x: number, i: number): number =>
    y < 0 || x < 0 || y >= g.inHeight || x >= g.inWidth
      ? 0
      : input[((image * g.inHeight + y) * g.inWidth + x) * g.inChannels + i]!;
  return output.map((_, at) => {
    const o = at % g.outChannels;
    const x = Math.floor(at / g.outChannels) % g.outWidth;
    const y = Math.floor(at / g.outChannels / g.outWidth) % g.outHeight;
    const image = Math.floor(at / g.outChannels / g.outWidth / g.outHeight);
    return weight.reduce((sum, value, tap) => {
      if (tap % g.outChannels !== o) return sum;
      const i = Math.floor(tap / g.outChannels) % g.inChannels;
      const kx = Math.floor(tap / g.outChannels / g.inChannels) % g.kernelWidth;
      const ky = Math.floor(tap / g.outChannels / g.inChannels / g.kernelWidth);
      const [inY, inX] = [y * g.stride + ky - g.padTop, x * g.stride + kx - g.padLeft];
      return sum + value * pixel(image, inY, inX, i);
    }, 0);
  });
}

const geometries: fc.Arbitrary<ConvGeometry> = fc
  .record({
    batch: fc.integer({ min: 1, max: 3 }),
    inHeight: fc.integer({ min: 1, max: 6 }),
    inWidth: fc.integer({ min: 1, max: 6 }),
    inChannels: fc.integer({ min: 1, max: 5 }),
    outChannels: fc.integer({ min: 1, max: 5 }),
    kernelHeight: fc.integer({ min: 1, max: 4 }),
    kernelWidth: fc.integer({ min: 1, max: 4 }),
    stride: fc.integer({ min: 1, max: 3 }),
    padTop: fc.integer({ min: 0, max: 2 }),
    padLeft: fc.integer({ min: 0, max: 2 }),
  })
  .map((g) =>
    Object.assign(g, {
      outHeight: Math.floor((g.inHeight + 2 * g.padTop - g.kernelHeight) / g.stride) + 1,
      outWidth: Math.floor((g.inWidth + 2 * g.padLeft - g.kernelWidth) / g.stride) + 1,
    }),
  )
  .filter(({ outHeight, outWidth }) => outHeight > 0 && outWidth > 0);

function tensors(g: ConvGeometry) {
  return {
    input: random(g.batch * g.inHeight * g.inWidth * g.inChannels, 1),
    weight: random(g.kernelHeight * g.kernelWidth * g.inChannels * g.outChannels, 2),
    output: random(g.batch * g.outHeight * g.outWidth * g.outChannels, 3),
  };
}

describe('convolution of any geometry', () => {
  test('sums what a padded image gives', () => {
    const property = fc.property(geometries, (g) => {
      const { input, weight, output } = tensors(g);
      convolve(g, input, weight, output);
      const expected = convolvePadded(g, input, weight);
      expect(Math.max(...output.map((value, at) => Math.abs(value - expected[at]!)))).toBeLessThan(
        1e-12,
      );
    });
    fc.assert(property);
  });

  test('is transposed by its two backward passes', () => {
    const property = fc.property(geometries, (g) => {
      const { input, weight, output: outputGradient } = tensors(g);
      const output = outputGradient.slice();
      convolve(g, input, weight, output);
      const product = dot(output, outputGradient);
      const inputGradient = random(input.length, 4);
      convolveBackwardInput(g, outputGradient, weight, undefined, inputGradient);
      expect(dot(inputGradient, input)).toBeCloseTo(product, 10);
      const weightGradient = random(weight.length, 5);
      convolveBackwardWeight(g, input, outputGradient, weightGradient);
      expect(dot(weightGradient, weight)).toBeCloseTo(product, 10);
    });
    fc.assert(property);
  });

  test('adds the other branch to the gradient of its input', () => {
    const property = fc.property(geometries, (g) => {
      const { input, weight, output: outputGradient } = tensors(g);
      const [alone, both] = [input.slice(), input.slice()];
      convolveBackwardInput(g, outputGradient, weight, undefined, alone);
      convolveBackwardInput(g, outputGradient, weight, input, both);
      for (const [at, value] of both.entries()) expect(value).toBeCloseTo(alone[at]! + input[at]!);
    });
    fc.assert(property);
  });
});

describe('batch-norm', () => {
  const geometry = { pixels: 200, channels: 3, epsilon: 1e-5 };

  test('gives mean 0 and variance 1, also far from 0', () => {
    const input = random(600, 6).map((value, at) => value + (at % 3) * 1e6);
    const statistics = new Float64Array(6);
    const output = new Float64Array(600);
    normStatistics(geometry, input, statistics);
    normalize(geometry, 'none', {
      input,
      statistics,
      gamma: Float64Array.of(1, 1, 1),
      beta: Float64Array.of(0, 0, 0),
      residual: undefined,
      output,
    });
    for (const channel of [0, 1, 2]) {
      const values = output.filter((_, at) => at % 3 === channel);
      expect(values.reduce((sum, value) => sum + value, 0) / 200).toBeCloseTo(0, 6);
      expect(dot(values, values) / 200).toBeCloseTo(1, 4);
    }
  });
});

describe('pools of windows', () => {
  // Windows of three rows, the first or last of them padding: columns 0 to 2, then 1 to 3.
  const geometry = {
    batch: 1,
    inHeight: 2,
    inWidth: 4,
    outHeight: 2,
    outWidth: 2,
    channels: 1,
    kernelHeight: 3,
    kernelWidth: 3,
    stride: 1,
    padTop: 1,
    padLeft: 0,
  };

  test('the largest wins, of equal ones the first, padding never', () => {
    const [output, taps] = [new Float64Array(4), new Float64Array(4)];
    maxPool(geometry, Float64Array.of(-3, -1, -1, -4, -1, -2, -5, -1), output, taps);
    expect([...output]).toEqual([-1, -1, -1, -1]);
    // Row 0 of the image is row 1 of the upper windows, row 0 of the lower ones.
    expect([...taps]).toEqual([4, 3, 1, 0]);
    const gradient = new Float64Array(8);
    maxPoolBackward(geometry, Float64Array.of(1, 10, 100, 1000), taps, gradient);
    expect([...gradient]).toEqual([0, 1111, 0, 0, 0, 0, 0, 0]);
  });

  test('the average counts padding as zeros', () => {
    const output = new Float64Array(4);
    averagePool(geometry, Float64Array.of(9, 9, 9, 18, 9, 9, 9, 18), output);
    for (const [at, mean] of [6, 8, 6, 8].entries()) expect(output[at]).toBeCloseTo(mean, 12);
    const gradient = new Float64Array(8);
    averagePoolBackward(geometry, Float64Array.of(9, 18, 27, 36), gradient);
    for (const [at, value] of [4, 10, 10, 6, 4, 10, 10, 6].entries())
      expect(gradient[at]).toBeCloseTo(value, 12);
  });
});

describe('softmax and cross-entropy', () => {
  test('neither overflows nor loses the label', () => {
    const [losses, gradient] = [new Float64Array(2), new Float64Array(6)];
    const logits = Float64Array.of(1000, 0, -1000, 2, 2, 2);
    softmaxCrossEntropy(2, 3, logits, Float64Array.of(2, 1), losses, gradient);
    expect([...losses]).toEqual([2000, expect.closeTo(Math.log(3), 12)]);
    const expected = [0.5, 0, -0.5, 1 / 6, -2 / 6, 1 / 6];
    for (const [at, value] of expected.entries()) expect(gradient[at]).toBeCloseTo(value, 12);
  });
});

describe('the update', () => {
  test('is momentum with decay on the first elements only', () => {
    const parameters = Float64Array.of(2, 2);
    const velocities = Float64Array.of(10, 10);
    const rates = { learningRate: 0.1, momentum: 0.9, weightDecay: 0.5 };
    momentumUpdate(parameters, Float64Array.of(3, 3), velocities, 1, rates);
    expect([...velocities]).toEqual([9 + 3 + 1, 9 + 3]);
    expect(parameters[0]).toBeCloseTo(2 - 1.3, 12);
    expect(parameters[1]).toBeCloseTo(2 - 1.2, 12);
  });
});

describe('the generator', () => {
  test('is exact in 32 bits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (seed) => {
        const next = linearCongruential(seed);
        let state = BigInt(seed);
        for (let draw = 0; draw < 20; draw += 1) {
          state = (1664525n * state + 1013904223n) % 2n ** 32n;
          expect(next() * 2 ** 32).toBe(Number(state));
        }
      }),
    );
  });
});
