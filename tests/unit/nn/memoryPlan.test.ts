import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluationPlan } from '../../../src/core/nn/evaluationPlan.ts';
import type { Layer } from '../../../src/core/nn/graph.ts';
import { classifier } from '../../../src/core/nn/layers.ts';
import { largestBatch, memoryNeeds, memoryRefusal } from '../../../src/core/nn/memoryNeeds.ts';
import { memoryPlan, type MemoryPlan, type Placement } from '../../../src/core/nn/memoryPlan.ts';
import { opTensors } from '../../../src/core/nn/opTensors.ts';
import type { EvaluationPlan, TensorId, TrainingPlan } from '../../../src/core/nn/plan.ts';
import { layersPlan, trainingPlan } from '../../../src/core/nn/trainingPlan.ts';
import { modelNames } from '../../../src/core/nn/zoo.ts';

type Plan = TrainingPlan | EvaluationPlan;

const grey = { height: 32, width: 32, channels: 1 };

function sum(sizes: readonly number[]): number {
  return sizes.reduce((a, b) => a + b, 0);
}

/**
 * Replays a plan: a write destroys whatever lies where it writes, and what is read must be intact,
 * whatever the planner thinks of lifetimes.
 */
function expectContentsSurvive(plan: Plan, memory: MemoryPlan): void {
  const intact = new Map<TensorId, Placement>();
  const write = (id: TensorId): void => {
    const place = memory.places[id];
    if (place === undefined) return;
    expect(place.offset % 256).toBe(0);
    expect(place.size).toBeGreaterThanOrEqual(4 * plan.tensors[id]!.length);
    expect(place.offset + place.size).toBeLessThanOrEqual(memory.arenaSizes[place.arena]!);
    for (const [other, held] of intact) if (overlap(place, held)) intact.delete(other);
    intact.set(id, place);
  };
  const expectIntact = (ids: readonly TensorId[], reader: string): void => {
    const lost = ids.filter((id) => memory.places[id] !== undefined && !intact.has(id));
    expect(lost, `${reader} finds others' content in these`).toEqual([]);
  };
  for (const op of plan.ops) {
    const { reads, writes } = opTensors(op);
    expectIntact(reads, `${op.kind} of ${op.name}`);
    writes.forEach(write);
    expectIntact([...reads, ...writes], `the end of ${op.kind} of ${op.name}`);
  }
  expectIntact([plan.logitsTensor, plan.lossesTensor], 'the reader');
  if ('correctTensor' in plan) expectIntact([plan.correctTensor], 'the reader');
}

function overlap(a: Placement, b: Placement): boolean {
  return a.arena === b.arena && a.offset < b.offset + b.size && b.offset < a.offset + a.size;
}

/** No op reads and writes one buffer. */
function expectSeparate(plan: Plan, memory: MemoryPlan): void {
  for (const op of plan.ops) {
    const { reads, writes } = opTensors(op);
    const arenasOf = (ids: readonly TensorId[]) =>
      ids.flatMap((id) => memory.places[id]?.arena ?? []);
    const written = new Set(arenasOf(writes));
    const both = arenasOf(reads).filter((arena) => written.has(arena));
    expect(both, `${op.kind} of ${op.name}`).toEqual([]);
  }
}

describe('every model of the zoo at batch 32', () => {
  test.each(modelNames)('%s', (model) => {
    const plan = trainingPlan(model, 32, grey);
    const separate = memoryPlan(plan, { arenas: 'separate' });
    const flat = memoryPlan(plan, { arenas: 'flat' });
    expectContentsSurvive(plan, separate);
    expectContentsSurvive(plan, flat);
    expectSeparate(plan, separate);
    expect(flat.arenaSizes).toHaveLength(1);
    expect(separate.arenaSizes.length).toBeLessThanOrEqual(5);
    for (const { arenaSizes, liveSize } of [separate, flat]) {
      expect(sum(arenaSizes)).toBeGreaterThanOrEqual(liveSize);
      expect(sum(arenaSizes)).toBeLessThanOrEqual(1.2 * liveSize);
    }
    expect(flat.liveSize).toBe(separate.liveSize);
    const evaluation = evaluationPlan(model, 32, grey);
    const small = memoryPlan(evaluation, { arenas: 'separate' });
    expectContentsSurvive(evaluation, small);
    expectSeparate(evaluation, small);
    expect(small.liveSize).toBeLessThan(separate.liveSize);
  });
});

/** Some layers on top of each other, each reading one or more of those below. */
const randomLayers: fc.Arbitrary<Layer[]> = fc
  .array(fc.record({ kind: fc.nat(4), from: fc.nat(20), with: fc.nat(20), channels: fc.nat(4) }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((choices) => {
    const layers: Layer[] = [
      { name: 'l0', kind: 'conv2d', input: 'images', outChannels: 4, kernel: 3, stride: 1 },
    ];
    for (const [index, { kind, from, with: other, channels }] of choices.entries()) {
      const name = `l${index + 1}`;
      const [input, second] = [`l${from % (index + 1)}`, `l${other % (index + 1)}`];
      layers.push(
        (
          [
            { name, kind: 'conv2d', input, outChannels: 1 + channels, kernel: 3, stride: 1 },
            { name, kind: 'batchNorm', input, activation: channels % 2 === 0 ? 'relu' : 'none' },
            { name, kind: 'concat', inputs: [input, second] },
            { name, kind: 'maxPool', input, kernel: 3, stride: 1, padding: 1 },
            { name, kind: 'averagePool', input, kernel: 3, stride: 1, padding: 1 },
          ] satisfies Layer[]
        )[kind]!,
      );
    }
    const read = new Set(
      layers.flatMap((layer) => ('inputs' in layer ? layer.inputs : layer.input)),
    );
    const ends = layers.map(({ name }) => name).filter((name) => !read.has(name));
    layers.push({ name: 'all', kind: 'concat', inputs: ends }, ...classifier('all', 3));
    return layers;
  });

describe('random graphs', () => {
  test('no content is lost, reads and writes lie apart', () => {
    const property = fc.property(randomLayers, fc.integer({ min: 1, max: 5 }), (layers, batch) => {
      const plan = layersPlan('random', layers, batch, { height: 5, width: 3, channels: 2 });
      expect(new Set(plan.tensors.map(({ name }) => name)).size).toBe(plan.tensors.length);
      const separate = memoryPlan(plan, { arenas: 'separate' });
      expectContentsSurvive(plan, separate);
      expectSeparate(plan, separate);
      expectContentsSurvive(plan, memoryPlan(plan, { arenas: 'flat' }));
    });
    fc.assert(property, { numRuns: 100 });
  });
});

describe('calls of several ops', () => {
  const plan = trainingPlan('resnet8', 4, grey);
  /** Batch-norm's statistics in the convolution's epilogue. */
  const calls: number[][] = [];
  for (const [index, op] of plan.ops.entries())
    if (op.kind === 'batchNorm.statistics') calls.at(-1)?.push(index);
    else calls.push([index]);

  test('what a call reads lies apart from all that it writes', () => {
    const memory = memoryPlan(plan, { arenas: 'separate', calls });
    expectContentsSurvive(plan, memory);
    for (const ops of calls) {
      const touched = ops.map((index) => opTensors(plan.ops[index]!));
      const writes = new Set(touched.flatMap((op) => op.writes));
      const reads = touched.flatMap((op) => op.reads).filter((id) => !writes.has(id));
      const written = new Set([...writes].flatMap((id) => memory.places[id]?.arena ?? []));
      for (const id of reads) expect(written).not.toContain(memory.places[id]?.arena ?? -1);
    }
  });

  test('an op that is not there is a bug', () => {
    expect(() => memoryPlan(plan, { arenas: 'flat', calls: [[1000]] })).toThrow(/no op 1000/);
  });
});

describe('limits', () => {
  const mebi = 2 ** 20;

  test('arenas stay below the largest buffer where each tensor does', () => {
    const plan = trainingPlan('resnet20', 32, grey);
    const memory = memoryPlan(plan, { arenas: 'separate', largestArenaSize: 4 * mebi });
    expect(Math.max(...memory.arenaSizes)).toBeLessThanOrEqual(4 * mebi);
    expectContentsSurvive(plan, memory);
    expectSeparate(plan, memory);
  });

  test('needs are the buffers of a trainer', () => {
    const plan = trainingPlan('resnet8', 1, grey);
    const memory = memoryPlan(plan, { arenas: 'flat' });
    const needs = memoryNeeds(plan, memory);
    expect(needs.totalSize).toBe(
      4 * (3 * plan.parameterLength + plan.runningLength + 32 * 32 + 1) + memory.arenaSizes[0]!,
    );
    expect(needs.largestBufferSize).toBe(memory.arenaSizes[0]);
  });

  test('the largest batch fits, one more image does not', () => {
    for (const limits of [
      { bufferSize: 128 * mebi, totalSize: 64 * mebi },
      { bufferSize: 3 * mebi },
      { bufferSize: Infinity, totalSize: 30e6 },
    ]) {
      const batch = largestBatch('inception', grey, limits);
      expect(batch).toBeGreaterThan(1);
      const refusals = [batch, batch + 1].map((images) => {
        const plan = trainingPlan('inception', images, grey);
        const largestArenaSize = limits.bufferSize;
        const memory = memoryPlan(plan, { arenas: 'separate', largestArenaSize });
        return memoryRefusal(memoryNeeds(plan, memory), limits);
      });
      expect(refusals[0]).toBeUndefined();
      expect(refusals[1]).toMatch(/needs (a buffer of )?[\d.]+ MiB/);
    }
  });

  test('no batch fits a device that is too small', () => {
    expect(largestBatch('resnet8', grey, { bufferSize: 1000 })).toBe(0);
  });

  test('a limit without end is no endless search', () => {
    expect(largestBatch('plain8', { height: 1, width: 1, channels: 1 }, { bufferSize: 1e15 })).toBe(
      2 ** 16,
    );
  });
});
