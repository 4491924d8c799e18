import { describe, expect, test } from 'vitest';
import { opCost, planCost } from '../../../src/core/nn/cost.ts';
import { layersEvaluationPlan } from '../../../src/core/nn/evaluationPlan.ts';
import type { Layer } from '../../../src/core/nn/graph.ts';
import type { ConvGeometry, PlanOp } from '../../../src/core/nn/plan.ts';
import { runReferenceOp, type TensorOp } from '../../../src/core/nn/reference.ts';
import { layersPlan, trainingPlan } from '../../../src/core/nn/trainingPlan.ts';

function square(batch: number, channels: number, side: number): ConvGeometry {
  return {
    batch,
    inHeight: side,
    inWidth: side,
    inChannels: channels,
    outHeight: side,
    outWidth: side,
    outChannels: channels,
    kernelHeight: 3,
    kernelWidth: 3,
    stride: 1,
    padTop: 1,
    padLeft: 1,
  };
}

function forward(geometry: ConvGeometry): PlanOp {
  return { name: 'conv', kind: 'conv2d.forward', geometry, input: 0, weight: 1, output: 2 };
}

function intensity(op: PlanOp): number {
  const { flops, bytes } = opCost(op);
  return flops / bytes.algorithmic;
}

describe('the published figures of a 3x3 convolution', () => {
  test('64 to 64 channels at 56 x 56', () => {
    expect(opCost(forward(square(1, 64, 56))).flops / 1e6).toBeCloseTo(231.2, 1);
    expect(intensity(forward(square(1, 64, 56)))).toBeCloseTo(131.9, 1);
    expect(intensity(forward(square(1e6, 64, 56)))).toBeCloseTo(144, 1);
  });

  test('512 to 512 channels at 7 x 7', () => {
    expect(intensity(forward(square(1, 512, 7)))).toBeCloseTo(24.0, 1);
    expect(intensity(forward(square(1e6, 512, 7)))).toBeCloseTo(1152, 0);
  });
});

function resnet8(batch: number) {
  return trainingPlan('resnet8', batch, { height: 32, width: 32, channels: 3 });
}

function stepIntensity(batch: number): number {
  const { flops, bytes } = planCost(resnet8(batch));
  return flops / bytes.algorithmic;
}

describe('a ResNet-8 step on 32 x 32 x 3', () => {
  test('its convolutions at batch 32 are 2.372 Gflop', () => {
    const products = resnet8(32).ops.map((op) => {
      if (!op.kind.startsWith('conv2d')) return 0;
      const addend = 'addend' in op && op.addend !== undefined;
      const { batch, inHeight, inWidth, inChannels } = (op as { geometry: ConvGeometry }).geometry;
      return opCost(op).flops - (addend ? batch * inHeight * inWidth * inChannels : 0);
    });
    expect(products.reduce((a, b) => a + b, 0) / 1e9).toBeCloseTo(2.372, 3);
  });

  test('its intensity grows from about 9 at batch 1 to about 13 at batch 32', () => {
    expect(stepIntensity(1)).toBeGreaterThan(8.5);
    expect(stepIntensity(1)).toBeLessThan(9.5);
    expect(stepIntensity(32)).toBeGreaterThan(12);
    expect(stepIntensity(32)).toBeLessThan(13.5);
  });

  test('a step is the sum of its calls', () => {
    const cost = planCost(resnet8(4));
    expect(cost.ops).toHaveLength(resnet8(4).ops.length);
    expect(cost.flops).toBe(cost.ops.reduce((sum, { flops }) => sum + flops, 0));
    expect(cost.bytes.algorithmic).toBe(
      cost.ops.reduce((sum, { bytes }) => sum + bytes.algorithmic, 0),
    );
  });
});

/** A tensor of positive numbers that notes which of its elements were touched. */
function watched(length: number, touched: Set<number>, start = 0): Float64Array {
  const target = new Float64Array(length).map((_, at) => 0.5 + ((start + at) % 7));
  const note = (at: number): void => void touched.add(start + at);
  const all = (): void => {
    for (let at = 0; at < length; at += 1) note(at);
  };
  return new Proxy(target, {
    get: (_, key) => {
      if (typeof key === 'string' && /^\d+$/.test(key)) {
        note(Number(key));
        return target[Number(key)];
      }
      switch (key) {
        case 'length':
          return length;
        case 'fill':
          return (value: number) => {
            all();
            target.fill(value);
          };
        case 'set':
          return (source: ArrayLike<number>) => {
            for (let at = 0; at < source.length; at += 1) {
              note(at);
              target[at] = source[at]!;
            }
          };
        case 'subarray':
          return (from: number, to = length) => watched(to - from, touched, start + from);
        case 'indexOf':
          return (value: number) => {
            all();
            return target.indexOf(value);
          };
        case 'reduce':
          return (fold: (sum: number, value: number) => number, first: number) => {
            all();
            return target.reduce(fold, first);
          };
        default:
          throw new Error(`the reference uses ${String(key)}: teach it to the watched tensor`);
      }
    },
    set: (_, key, value) => {
      note(Number(key));
      target[Number(key)] = value as number;
      return true;
    },
  });
}

describe('flops are those counted by hand, bytes 4 an element that the reference touches', () => {
  const layers: Layer[] = [
    { name: 'a', kind: 'conv2d', input: 'images', outChannels: 4, kernel: 3, stride: 1 },
    { name: 'a.bn', kind: 'batchNorm', input: 'a', activation: 'relu' },
    { name: 'b', kind: 'conv2d', input: 'a.bn', outChannels: 5, kernel: 3, stride: 2 },
    { name: 'b.bn', kind: 'batchNorm', input: 'b', activation: 'relu', residual: 'p.bn' },
    { name: 'p', kind: 'conv2d', input: 'a.bn', outChannels: 5, kernel: 1, stride: 2 },
    { name: 'p.bn', kind: 'batchNorm', input: 'p', activation: 'none' },
    { name: 'm', kind: 'maxPool', input: 'b.bn', kernel: 3, stride: 2, padding: 1 },
    { name: 'v', kind: 'averagePool', input: 'b.bn', kernel: [1, 2], stride: 3, padding: 0 },
    { name: 'w', kind: 'maxPool', input: 'v', kernel: 1, stride: 1, padding: 0 },
    { name: 'm.pool', kind: 'averagePool', input: 'm', kernel: 2, stride: 2, padding: 0 },
    { name: 'join', kind: 'concat', inputs: ['m.pool', 'w'] },
    { name: 'pool', kind: 'globalAveragePool', input: 'join' },
    { name: 'head', kind: 'dense', input: 'pool', outFeatures: 3 },
    { name: 'loss', kind: 'softmaxCrossEntropy', input: 'head' },
  ];
  const plan = layersPlan('small', layers, 2, { height: 6, width: 7, channels: 3 });

  /** Counted by hand: 2 images of 6 x 7 x 3, of which b sees 3 x 4 pixels and 5 channels. */
  test.each([
    ['conv2d.forward', 'a', 2 * (2 * 6 * 7 * 4) * (9 * 3)],
    ['conv2d.backwardWeight', 'a', 2 * (2 * 6 * 7 * 4) * (9 * 3)],
    ['conv2d.backwardInput', 'p', 2 * (2 * 3 * 4 * 5) * 4],
    ['conv2d.backwardInput', 'b', 2 * (2 * 3 * 4 * 5) * (9 * 4) + 2 * 6 * 7 * 4],
    ['batchNorm.statistics', 'b.bn', 4 * 120 + 5 * 5],
    ['batchNorm.normalize', 'b.bn', 6 * 120],
    ['batchNorm.normalize', 'p.bn', 4 * 120],
    ['batchNorm.normalize', 'a.bn', 5 * 336],
    ['batchNorm.backwardStatistics', 'b.bn', 7 * 120],
    ['batchNorm.backwardStatistics', 'p.bn', 5 * 120],
    ['batchNorm.backwardInput', 'b.bn', 8 * 120 + 3 * 5],
    ['batchNorm.backwardInput', 'p.bn', 6 * 120 + 3 * 5],
    ['batchNorm.updateRunning', 'b.bn', 10 * 5],
    // m has 2 x 2 windows of 3 x 3, v one of 1 x 2.
    ['maxPool.forward', 'm', 9 * (2 * 2 * 2 * 5)],
    ['maxPool.backward', 'm', 2 * 9 * (2 * 2 * 2 * 5)],
    ['averagePool.forward', 'v', 2 * (2 * 5) + 2 * 5],
    ['averagePool.backward', 'v', 2 * (2 * 5) + 120],
    ['add', 'm', 120],
    ['concat.forward', 'join', 0],
    ['concat.backward', 'join', 0],
    ['globalAveragePool.forward', 'pool', 2 * (2 * 10)],
    ['globalAveragePool.backward', 'pool', 2 * 10],
    ['dense.forward', 'head', 2 * 2 * 10 * 3],
    ['dense.backwardInput', 'head', 2 * 2 * 10 * 3],
    ['dense.backwardWeight', 'head', 2 * 2 * 10 * 3 + 2 * 3],
    ['softmaxCrossEntropy', 'loss', 2 * (8 * 3 + 3)],
    // Weights of 108, 180, 20 and 30 in 128 + 192 + 64 + 64; seven small ones in 64 each.
    ['momentum.update', 'update', 4 * (448 + 7 * 64) + 2 * 448],
  ] as const)('flops of %s of %s', (kind, name, flops) => {
    const op = plan.ops.find((candidate) => candidate.kind === kind && candidate.name === name);
    expect(op && opCost(op).flops).toBe(flops);
  });

  /** Of a: 18 - 2 pairs of rows and taps meet the image; of b: 9 - 1; columns all, or as gathered. */
  test.each([
    ['conv2d.forward', 'a', 2 * 2 * 3 * 4 * 16 * (7 * 3)],
    ['conv2d.backwardWeight', 'a', 2 * 2 * 3 * 4 * 16 * (7 * 3)],
    ['conv2d.forward', 'b', 2 * 2 * 4 * 5 * 8 * (4 * 3)],
    ['conv2d.backwardInput', 'b', 2 * 2 * 4 * 5 * 8 * (4 * 1 + 3 * 2) + 2 * 6 * 7 * 4],
    ['conv2d.backwardInput', 'p', 2 * 2 * 4 * 5 * 3 * 4],
    ['batchNorm.statistics', 'b.bn', 4 * 120 + 5 * 5],
    // Of m: rows 2 + 2, columns 2 + 3 meet the image.
    ['maxPool.forward', 'm', 4 * 5 * (2 * 5)],
    ['maxPool.backward', 'm', 2 * 4 * 5 * (2 * 5)],
  ] as const)('executed flops of %s of %s', (kind, name, flops) => {
    const op = plan.ops.find((candidate) => candidate.kind === kind && candidate.name === name);
    expect(op && opCost(op).executedFlops).toBe(flops);
  });

  const evaluation = layersEvaluationPlan('small', layers, 2, plan.input);
  const tried = [plan, evaluation].flatMap(({ ops, tensors, batch }) =>
    ops
      .filter((op): op is TensorOp => op.kind !== 'momentum.update')
      .map((op) => ({ op, tensors, batch, title: `bytes of ${op.kind} of ${op.name}` })),
  );
  test.each(tried)('$title', ({ op, tensors: specs, batch }) => {
    const sets = specs.map(() => new Set<number>());
    const tensors = specs.map(({ id, length }) => watched(length, sets[id]!));
    if ('labels' in op) tensors[op.labels] = Float64Array.of(0, 1);
    runReferenceOp(op, tensors);
    const labels = 'labels' in op ? batch : 0;
    // Running statistics are read and written.
    const again = op.kind === 'batchNorm.updateRunning' ? sets[op.running]!.size : 0;
    const touched = sets.reduce((sum, { size }) => sum + size, labels + again);
    expect(opCost(op).bytes.algorithmic).toBe(4 * touched);
  });
});
