import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Layer } from '../../../src/core/nn/graph.ts';
import { evaluationPlan } from '../../../src/core/nn/evaluationPlan.ts';
import { opTensors } from '../../../src/core/nn/opTensors.ts';
import type { EvaluationPlan, PlanOp, TensorId, TrainingPlan } from '../../../src/core/nn/plan.ts';
import { layersPlan, trainingPlan } from '../../../src/core/nn/trainingPlan.ts';
import { modelNames } from '../../../src/core/nn/zoo.ts';

/** Fields of an op that name tensors it writes; every other tensor field is read. */
const written: Partial<Record<PlanOp['kind'], readonly string[]>> = {
  'conv2d.forward': ['output'],
  'conv2d.backwardInput': ['inputGradient'],
  'conv2d.backwardWeight': ['weightGradient'],
  'batchNorm.statistics': ['statistics'],
  'batchNorm.updateRunning': ['running'],
  'batchNorm.runningStatistics': ['statistics'],
  'batchNorm.normalize': ['output'],
  'batchNorm.backwardStatistics': ['gammaGradient', 'betaGradient'],
  'batchNorm.backwardInput': ['inputGradient', 'residualGradient'],
  'concat.forward': ['output'],
  'concat.backward': ['inputGradients'],
  'maxPool.forward': ['output', 'taps'],
  'maxPool.backward': ['inputGradient'],
  'averagePool.forward': ['output'],
  'averagePool.backward': ['inputGradient'],
  add: ['sum'],
  'globalAveragePool.forward': ['output'],
  'globalAveragePool.backward': ['inputGradient'],
  'dense.forward': ['output'],
  'dense.backwardInput': ['inputGradient'],
  'dense.backwardWeight': ['weightGradient', 'biasGradient'],
  softmaxCrossEntropy: ['losses', 'logitsGradient'],
  classify: ['losses', 'correct'],
};
const noTensors = new Set(['name', 'kind', 'geometry', 'activation', 'momentum', 'batch']);
const lengths = new Set(['classes', 'length', 'decayLength']);

/** Another way to what `opTensors` says: by the names of fields. */
function tensorsByField(op: PlanOp): { reads: TensorId[]; writes: TensorId[] } {
  const fields = Object.entries(op)
    .filter(([field]) => !noTensors.has(field) && !lengths.has(field))
    .map(([field, ids]) => ({ field, ids: [ids as TensorId | TensorId[]].flat() }));
  const isWritten = (field: string): boolean => written[op.kind]?.includes(field) === true;
  const updates = op.kind === 'batchNorm.updateRunning';
  return {
    reads: fields.filter(({ field }) => updates || !isWritten(field)).flatMap(({ ids }) => ids),
    writes: fields.filter(({ field }) => isWritten(field)).flatMap(({ ids }) => ids),
  };
}

const byId = (a: TensorId, b: TensorId): number => a - b;

/** What every plan owes to whoever executes it. */
function expectSound(plan: TrainingPlan): void {
  const known = expectSoundOps(plan);
  for (const { gradient } of plan.parameters) expect(known).toContain(gradient);
  expectLayout(plan);
}

/** Ops read what is there and write what is new, but for running statistics. */
function expectSoundOps(plan: TrainingPlan | EvaluationPlan): ReadonlySet<TensorId> {
  const given = plan.tensors.filter(({ storage }) =>
    ['input', 'labels', 'parameter', 'running'].includes(storage),
  );
  const known = new Set(given.map(({ id }) => id));
  for (const op of plan.ops) {
    const { reads, writes } = opTensors(op);
    const byField = tensorsByField(op);
    expect(reads.toSorted(byId), op.kind).toEqual(byField.reads.toSorted(byId));
    expect(writes.toSorted(byId), op.kind).toEqual(byField.writes.toSorted(byId));
    for (const id of reads) expect(known, `${op.kind} of ${op.name} reads ${id}`).toContain(id);
    if (op.kind === 'batchNorm.updateRunning') continue;
    for (const id of writes) {
      expect(known, `${op.kind} of ${op.name} writes ${id} again`).not.toContain(id);
      known.add(id);
    }
  }
  expect(new Set(plan.tensors.map(({ name }) => name)).size).toBe(plan.tensors.length);
  expect(plan.tensors.map(({ id }) => id)).toEqual([...plan.tensors.keys()]);
  return known;
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

/** Where the tensors of a storage lie. */
function places({ tensors }: TrainingPlan | EvaluationPlan, storage: string): unknown[] {
  return tensors
    .filter((tensor) => tensor.storage === storage)
    .map(({ name, offset, length }) => [name, offset, length]);
}

describe('every plan is sound', () => {
  test.each(modelNames)('%s', (model) => {
    const plan = trainingPlan(model, 2, cifar);
    expectSound(plan);
    const evaluation = evaluationPlan(model, 3, cifar);
    const known = expectSoundOps(evaluation);
    expect(known).toContain(evaluation.correctTensor);
    // The two share the buffers of parameters and running statistics.
    for (const storage of ['parameter', 'running'])
      expect(places(evaluation, storage)).toEqual(places(plan, storage));
    expect(evaluation).toMatchObject({
      parameterLength: plan.parameterLength,
      runningLength: plan.runningLength,
    });
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
      /join concatenates images of unlike sizes/,
      [
        conv('a', 'images'),
        { name: 'b', kind: 'maxPool', input: 'a', kernel: 2, stride: 2, padding: 0 },
        { name: 'join', kind: 'concat', inputs: ['a', 'b'] },
        pool('join'),
        head,
        loss,
      ],
    ],
    [
      /a has windows that are all padding/,
      [
        { name: 'a', kind: 'averagePool', input: 'images', kernel: [3, 1], stride: 1, padding: 1 },
        pool('a'),
        head,
        loss,
      ],
    ],
    [
      /a has a kernel larger than its image/,
      [
        { name: 'a', kind: 'maxPool', input: 'images', kernel: 33, stride: 1, padding: 0 },
        pool('a'),
        head,
        loss,
      ],
    ],
    [
      /join reads nothing/,
      [{ name: 'join', kind: 'concat', inputs: [] }, pool('join'), head, loss],
    ],
  ])('%s', (message, layers) => {
    expect(() => layersPlan('bad', layers, 1, cifar)).toThrow(message);
  });
});
