import { describe, test } from 'vitest';
import { runReferenceOp } from '../../../src/core/nn/reference.ts';
import { generator } from '../../support/random.ts';
import {
  denseCases,
  denseShapes,
  expectUpdated,
  poolCases,
  poolShapes,
  updateCase,
  updateParts,
  type SumCase,
} from './headCases.ts';
import { expectWithin, openKernels, roundoff, runOnGpu, TensorList } from './opHarness.ts';

const gpu = await openKernels();

/** As for convolutions: sums of at most `terms` products, each within its magnitudes' roundoffs. */
async function check({ op, list, results, terms }: SumCase): Promise<void> {
  const actual = await runOnGpu(gpu, op, list);
  const reference = list.values.map((values) => values.slice());
  runReferenceOp(op, reference);
  const magnitudes = list.values.map((values) => values.map(Math.abs));
  runReferenceOp(op, magnitudes);
  for (const { id } of list.specs) {
    const most = results.includes(id) ? (terms + 2) * roundoff : 0;
    expectWithin(actual[id]!, reference[id]!, (at) => most * magnitudes[id]![at]!);
  }
}

describe.each(poolShapes)('average pool, $batch x $pixels x $channels', (shape) => {
  test.each(Object.entries(poolCases))('%s', (_, caseOf) => check(caseOf(shape)));
});

describe.each(denseShapes)('dense, $batch x $inFeatures to $outFeatures', (shape) => {
  test.each(Object.entries(denseCases))('%s', (_, caseOf) => check(caseOf(shape)));
});

test.each([
  { batch: 1, classes: 2, scale: 1 },
  { batch: 7, classes: 10, scale: 4 },
  { batch: 130, classes: 3, scale: 1 },
  // exp(200) overflows f32 unless the largest logit is taken off first.
  { batch: 5, classes: 10, scale: 200 },
])('softmax, $batch images, $classes classes, logits to $scale', async (shape) => {
  const { batch, classes, scale } = shape;
  const list = new TensorList();
  const random = generator(30);
  const logits = list.add('activation', [batch, classes], () => scale * (2 * random() - 1));
  const labels = list.add('labels', [batch], (image) => image % classes);
  const losses = list.output('activation', [batch]);
  const logitsGradient = list.output('activation', [batch, classes]);
  const op = {
    kind: 'softmaxCrossEntropy',
    name: 'loss',
    batch,
    classes,
    logits,
    labels,
    losses,
    logitsGradient,
  } as const;
  const actual = await runOnGpu(gpu, op, list);
  const reference = list.values.map((values) => values.slice());
  runReferenceOp(op, reference);
  // WGSL grants exp(x) an error of (3 + 2 |x|) units in the last place (two roundoffs each), and
  // log(x) near 1 one of 2^-21 absolute; sums add a roundoff a class. Shifts lie within 2 scale.
  const exponential = 2 * (3 + 2 * 2 * scale) + classes + 4;
  expectWithin(
    actual[losses]!,
    reference[losses]!,
    () => 2 ** -21 + roundoff * (exponential + 4 * scale),
  );
  expectWithin(
    actual[logitsGradient]!,
    reference[logitsGradient]!,
    () => (2 * exponential * roundoff) / batch,
  );
});

test.each(updateParts)(
  'momentum update, $length elements of which $decayLength decay',
  async (part) => {
    const rates = { learningRate: 0.05, momentum: 0.9, weightDecay: 5e-4 };
    const update = updateCase(part);
    expectUpdated(update, await runOnGpu(gpu, update.op, update.list, rates), rates);
  },
);
