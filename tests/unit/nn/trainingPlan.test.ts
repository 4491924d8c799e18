import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Layer } from '../../../src/core/nn/graph.ts';
import type { PlanOp, TensorId, TrainingPlan } from '../../../src/core/nn/plan.ts';
import { layersPlan, trainingPlan } from '../../../src/core/nn/trainingPlan.ts';
import { modelNames } from '../../../src/core/nn/zoo.ts';

/** Fields of an op that name tensors it writes; every other tensor field is read. */
const written = new Set([
  'output',
  'statistics of batchNorm.statistics',
  'inputGradient',
  'residualGradient',
  'weightGradient',
  'biasGradient',
  'gammaGradient of batchNorm.backwardStatistics',
  'betaGradient of batchNorm.backwardStatistics',
  'losses',
  'logitsGradient',
]);
const readOnlyIn: Record<string, readonly string[]> = {
  'batchNorm.backwardStatistics': ['output'],
  'batchNorm.backwardInput': ['output'],
};
const numbers = new Set(['batch', 'classes', 'length', 'decayLength']);

function tensorsOf(op: PlanOp): { reads: TensorId[]; writes: TensorId[] } {
  const fields = Object.entries(op).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number' && !numbers.has(entry[0]),
  );
  const writes = fields.filter(
    ([field]) =>
      (written.has(field) || written.has(`${field} of ${op.kind}`)) &&
      readOnlyIn[op.kind]?.includes(field) !== true,
  );
  const reads = fields.filter((field) => !writes.includes(field));
  return { reads: reads.map(([, id]) => id), writes: writes.map(([, id]) => id) };
}

/** What every plan owes to whoever executes it. */
function expectSound(plan: TrainingPlan): void {
  const given = plan.tensors.filter(({ storage }) =>
    ['input', 'labels', 'parameter'].includes(storage),
  );
  const known = new Set(given.map(({ id }) => id));
  for (const op of plan.ops) {
    const { reads, writes } = tensorsOf(op);
    for (const id of reads) expect(known, `${op.kind} of ${op.name} reads ${id}`).toContain(id);
    for (const id of writes) {
      expect(known, `${op.kind} of ${op.name} writes ${id} again`).not.toContain(id);
      known.add(id);
    }
  }
  for (const { gradient } of plan.parameters) expect(known).toContain(gradient);
  expect(new Set(plan.tensors.map(({ name }) => name)).size).toBe(plan.tensors.length);
  expect(plan.tensors.map(({ id }) => id)).toEqual([...plan.tensors.keys()]);
  expectLayout(plan);
}

/** Aligned, disjoint, decaying ones first, all three buffers alike. */
function expectLayout(plan: TrainingPlan): void {
  const last = plan.ops.at(-1);
  const decayLength = last?.kind === 'momentum.update' ? last.decayLength : NaN;
  const byOffset = [...plan.parameters].sort((a, b) => a.offset - b.offset);
  for (const [at, { offset, length, decays, ...ids }] of byOffset.entries()) {
    const end = byOffset[at + 1]?.offset ?? plan.parameterLength;
    expect(offset % 64).toBe(0);
    expect(offset + length).toBeLessThanOrEqual(end);
    expect(decays ? offset + length <= decayLength : offset >= decayLength).toBe(true);
    for (const id of [ids.parameter, ids.gradient, ids.velocity])
      expect(plan.tensors[id]).toMatchObject({ offset, length });
  }
}

const cifar = { height: 32, width: 32, channels: 3 };

describe('every plan is sound', () => {
  test.each(modelNames)('%s', (model) => {
    expectSound(trainingPlan(model, 2, cifar));
  });

  test('on any shape of image, batch and number of classes', () => {
    const shapes = fc.record({
      batch: fc.integer({ min: 1, max: 64 }),
      classes: fc.integer({ min: 2, max: 1000 }),
      height: fc.integer({ min: 1, max: 65 }),
      width: fc.integer({ min: 1, max: 65 }),
      channels: fc.integer({ min: 1, max: 9 }),
    });
    const property = fc.property(shapes, ({ batch, classes, ...input }) => {
      const plan = trainingPlan('resnet8', batch, input, classes);
      expectSound(plan);
      expect(plan).toMatchObject({ batch, classes, input });
      expect(plan.tensors[plan.logitsTensor]?.shape).toEqual([batch, classes]);
    });
    fc.assert(property, { numRuns: 50 });
  });
});

describe('resnet8', () => {
  const plan = trainingPlan('resnet8', 4, cifar);

  test('halves the image in stages 2 and 3, padding one zero', () => {
    const strided = plan.ops.filter(
      (op) => op.kind === 'conv2d.forward' && op.geometry.stride === 2,
    );
    expect(strided).toMatchObject([
      { name: 'stage2.block1.conv1', geometry: { inHeight: 32, outHeight: 16, padTop: 1 } },
      { name: 'stage2.block1.proj.conv', geometry: { inHeight: 32, outHeight: 16, padTop: 0 } },
      { name: 'stage3.block1.conv1', geometry: { inHeight: 16, outHeight: 8, padLeft: 1 } },
      { name: 'stage3.block1.proj.conv', geometry: { inHeight: 16, outHeight: 8, padLeft: 0 } },
    ]);
  });

  test('decays weights and nothing else', () => {
    const decaying = plan.parameters.filter(({ decays }) => decays).map(({ name }) => name);
    const still = plan.parameters.filter(({ decays }) => !decays).map(({ name }) => name);
    expect(decaying.every((name) => /conv\d?$|weight$/.test(name))).toBe(true);
    expect(still.every((name) => /gamma$|beta$|bias$/.test(name))).toBe(true);
  });

  test('asks for no gradient of the images', () => {
    const names = plan.ops.filter(({ kind }) => kind === 'conv2d.backwardInput');
    expect(names.map(({ name }) => name)).not.toContain('stem.conv');
    expect(plan.ops.filter(({ kind }) => kind === 'conv2d.backwardWeight')).toHaveLength(9);
  });
});

function pool(input: string): Layer {
  return { name: 'pool', kind: 'globalAveragePool', input };
}

function conv(name: string, input: string): Layer {
  return { name, kind: 'conv2d', input, outChannels: 2, kernel: 1, stride: 1 };
}

function norm(name: string, input: string, residual: string): Layer {
  return { name, kind: 'batchNorm', input, activation: 'none', residual };
}

describe('a graph that cannot be trained says why', () => {
  const loss: Layer = { name: 'loss', kind: 'softmaxCrossEntropy', input: 'head' };
  const head: Layer = { name: 'head', kind: 'dense', input: 'pool', outFeatures: 2 };
  test.each<[RegExp, Layer[]]>([
    [/a reads b, which no layer makes/, [conv('a', 'b'), pool('a'), head, loss]],
    [/cycle through layer a/, [conv('a', 'b'), conv('b', 'a'), pool('a'), head, loss]],
    [/nothing reads b/, [conv('a', 'images'), conv('b', 'a'), pool('a'), head, loss]],
    [/has to end in softmaxCrossEntropy/, [conv('a', 'images'), pool('a'), head]],
    [/head reads an image/, [conv('a', 'images'), { ...head, input: 'a' }, loss]],
    [
      /b cannot add to the gradient of a/,
      [conv('a', 'images'), norm('b', 'a', 'a'), pool('b'), head, loss],
    ],
  ])('%s', (message, layers) => {
    expect(() => layersPlan('bad', layers, 1, cifar)).toThrow(message);
  });
});
