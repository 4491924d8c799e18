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
} from '../nn/headCases.ts';
import { expectWithin, roundoff, TensorList } from '../nn/opHarness.ts';
import { checkSums, rates, runOnCpu } from './cpuHarness.ts';

const check = ({ op, list, results, terms }: SumCase) => checkSums(op, list, results, terms);

describe.each(poolShapes)('average pool, $batch x $pixels x $channels', (shape) => {
  test.each(Object.entries(poolCases))('%s', (_, caseOf) => check(caseOf(shape)));
});

describe.each(denseShapes)('dense, $batch x $inFeatures to $outFeatures', (shape) => {
  test.each(Object.entries(denseCases))('%s', (_, caseOf) => check(caseOf(shape)));
});

describe.each([
  { batch: 1, classes: 2, scale: 1 },
  { batch: 7, classes: 10, scale: 4 },
  { batch: 130, classes: 3, scale: 1 },
  // exp(200) overflows f32, and exp(1000) f64, unless the largest logit is taken off first.
  { batch: 5, classes: 10, scale: 200 },
  { batch: 5, classes: 10, scale: 1000 },
])('$batch images, $classes classes, logits to $scale', ({ batch, classes, scale }) => {
  function operands() {
    const list = new TensorList();
    const random = generator(30);
    const logits = list.add('activation', [batch, classes], () => scale * (2 * random() - 1));
    const labels = list.add('labels', [batch], (image) => image % classes);
    const losses = list.output('activation', [batch]);
    return { list, ids: { logits, labels, losses } };
  }

  // All but the last rounding is in f64: what is left is that one, of results below 2 scale + 8.
  const oneRounding = (expected: Float64Array) => (at: number) =>
    1.01 * roundoff * Math.abs(expected[at]!) + 1e-12 * scale;

  test('softmax and cross-entropy', async () => {
    const { list, ids } = operands();
    const logitsGradient = list.output('activation', [batch, classes]);
    const shape = { batch, classes, name: 'loss' };
    const op = { kind: 'softmaxCrossEntropy', ...shape, ...ids, logitsGradient } as const;
    const expected = list.values.map((values) => values.slice());
    runReferenceOp(op, expected);
    for (const actual of await runOnCpu(op, list))
      for (const id of [ids.losses, logitsGradient])
        expectWithin(actual[id]!, expected[id]!, oneRounding(expected[id]!));
  });

  test('classification', async () => {
    const { list, ids } = operands();
    const correct = list.output('activation', [batch]);
    const op = { kind: 'classify', name: 'loss', batch, classes, ...ids, correct } as const;
    // Of equal logits the first one counts.
    list.values[ids.logits]!.fill(scale, 0, 2);
    const expected = list.values.map((values) => values.slice());
    runReferenceOp(op, expected);
    for (const actual of await runOnCpu(op, list)) {
      expectWithin(actual[ids.losses]!, expected[ids.losses]!, oneRounding(expected[ids.losses]!));
      expectWithin(actual[correct]!, expected[correct]!, () => 0);
    }
  });
});

test.each(updateParts)(
  'momentum update, $length elements of which $decayLength decay',
  async (part) => {
    const update = updateCase(part);
    for (const actual of await runOnCpu(update.op, update.list))
      expectUpdated(update, actual, rates);
  },
);
