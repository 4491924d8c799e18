import { afterAll, test } from 'vitest';
import { modelNames } from '../../../src/core/nn/zoo.ts';
import { openPool } from '../../golden/cpu-threads.ts';
import { expectStepAlike } from '../../kernels/cpu-nn/trainerHarness.ts';

const pool = await openPool(2, 'relaxed-simd', true);
afterAll(() => pool.terminate());

/**
 * Without those that are both as wide and as deep as others, for the interpreter takes its time, and
 * without plain56, whose gradients explode (to 1e4 at the stem): one sign that f32 turns at an early
 * ReLU changes them by a tenth.
 */
const models = modelNames.filter(
  (name) => !/^resnet(14|20|32|56)x[48]$/.test(name) && name !== 'plain56',
);

test.each(models)('%s trains as the interpreter does', (model) => expectStepAlike(pool, model));
