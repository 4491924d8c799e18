import { describe, expect, test } from 'vitest';
import { evaluationPlan, layersEvaluationPlan } from '../../../src/core/nn/evaluationPlan.ts';
import type { Layer } from '../../../src/core/nn/graph.ts';
import { initialParameters, initialRunning } from '../../../src/core/nn/initialParameters.ts';
import { classifier, convNormRelu } from '../../../src/core/nn/layers.ts';
import type { PlanOp } from '../../../src/core/nn/plan.ts';
import { linearCongruential } from '../../../src/core/nn/random.ts';
import { classify } from '../../../src/core/nn/reference/head.ts';
import { evaluateReference } from '../../../src/core/nn/referenceEvaluation.ts';
import { ReferenceTrainer } from '../../../src/core/nn/referenceTrainer.ts';
import { layersPlan, trainingPlan } from '../../../src/core/nn/trainingPlan.ts';

const still = { learningRate: 0, momentum: 0, weightDecay: 0 };
const small = { height: 6, width: 6, channels: 2 };

function batch(images: number, seed: number) {
  const next = linearCongruential(seed);
  return {
    images: Float64Array.from({ length: images * 6 * 6 * 2 }, () => 2 * next() - 1),
    labels: Uint32Array.from({ length: images }, (_, image) => (3 * image) % 10),
  };
}

describe('running statistics', () => {
  test('start at mean 0 and variance 1, and take a tenth of the batch, its variance unbiased', () => {
    const layers: Layer[] = [
      { name: 'bn', kind: 'batchNorm', input: 'images', activation: 'none' },
      ...classifier('bn', 10),
    ];
    const plan = layersPlan('bare', layers, 3, small);
    const running = plan.tensors.find(({ storage }) => storage === 'running')!;
    expect([...initialRunning(plan).subarray(running.offset, running.length)]).toEqual([
      0, 0, 1, 1,
    ]);
    const trainer = new ReferenceTrainer(plan, initialParameters(plan, 1));
    const { images, labels } = batch(3, 7);
    trainer.step(images, labels, still);
    for (const channel of [0, 1]) {
      const values = images.filter((_, at) => at % 2 === channel);
      const mean = values.reduce((a, b) => a + b, 0) / values.length;
      const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
      const [runningMean, runningVariance] = [
        trainer.running[running.offset + channel],
        trainer.running[running.offset + 2 + channel],
      ];
      expect(runningMean).toBeCloseTo(0.1 * mean, 12);
      expect(runningVariance).toBeCloseTo(0.9 + (0.1 * squares) / (values.length - 1), 12);
    }
  });

  test('one pixel has no unbiased variance, and no infinite one', () => {
    const layers: Layer[] = [...convNormRelu('a', 'images', 2, 1), ...classifier('a.bn', 10)];
    const plan = layersPlan('bare', layers, 1, { height: 1, width: 1, channels: 1 });
    const trainer = new ReferenceTrainer(plan, initialParameters(plan, 1));
    trainer.step([0.5], [1], still);
    expect(trainer.running.every(Number.isFinite)).toBe(true);
  });
});

/** Number of a batch-norm op's pixels over one less. */
function unbias(op: PlanOp): number {
  if (op.kind !== 'batchNorm.updateRunning') return NaN;
  return op.geometry.pixels / (op.geometry.pixels - 1);
}

describe('evaluation', () => {
  test.each(['resnet8', 'inception'] as const)(
    '%s: where the statistics have settled on a batch, logits are those of training',
    (model) => {
      const plan = trainingPlan(model, 4, small);
      const trainer = new ReferenceTrainer(plan, initialParameters(plan, 3));
      const { images, labels } = batch(4, 9);
      let loss = NaN;
      for (let step = 0; step < 200; step += 1) loss = trainer.step(images, labels, still);
      for (const op of plan.ops) {
        if (op.kind !== 'batchNorm.updateRunning') continue;
        const { offset, length } = plan.tensors[op.running]!;
        const variance = trainer.running.subarray(offset + length / 2, offset + length);
        for (let c = 0; c < variance.length; c += 1) variance[c]! /= unbias(op);
      }
      const evaluation = evaluateReference(
        evaluationPlan(model, 4, small),
        trainer,
        images,
        labels,
      );
      const logits = trainer.readLogits();
      for (const [at, logit] of evaluation.logits.entries())
        expect(logit).toBeCloseTo(logits[at]!, 7);
      expect(evaluation.meanLoss).toBeCloseTo(loss, 7);
      const right = [...labels].filter((label, image) => {
        const row = [...logits.subarray(10 * image, 10 * image + 10)];
        return row.indexOf(Math.max(...row)) === label;
      });
      expect(evaluation.correct).toBe(right.length);
    },
  );

  test('does not depend on the other images of the batch', () => {
    const plan = trainingPlan('resnet8', 4, small);
    const trainer = new ReferenceTrainer(plan, initialParameters(plan, 3));
    const { images, labels } = batch(4, 9);
    trainer.step(images, labels, { learningRate: 0.1, momentum: 0.9, weightDecay: 0 });
    const all = evaluateReference(evaluationPlan('resnet8', 4, small), trainer, images, labels);
    const last = evaluateReference(
      evaluationPlan('resnet8', 1, small),
      trainer,
      images.subarray(3 * 72),
      labels.subarray(3),
    );
    expect([...last.logits]).toEqual([...all.logits.subarray(30)]);
  });

  test('has forward ops alone', () => {
    const layers = [...convNormRelu('a', 'images', 2, 3), ...classifier('a.bn', 3)];
    const kinds = layersEvaluationPlan('small', layers, 2, small).ops.map(({ kind }) => kind);
    expect(kinds).toEqual([
      'conv2d.forward',
      'batchNorm.runningStatistics',
      'batchNorm.normalize',
      'globalAveragePool.forward',
      'dense.forward',
      'classify',
    ]);
  });

  test('of equal logits the first is the prediction', () => {
    const [losses, correct] = [new Float64Array(3), new Float64Array(3)];
    const logits = Float64Array.of(1, 5, 5, 1, 5, 5, 2, 2, 2);
    classify(3, 3, logits, Float64Array.of(1, 2, 0), losses, correct);
    expect([...correct]).toEqual([1, 0, 1]);
    expect(losses[2]).toBeCloseTo(Math.log(3), 12);
  });
});
