import { test } from 'vitest';
import { expectThreadsAlike, goldenFiles } from '../../kernels/cpu-nn/goldenHarness.ts';

test.each(goldenFiles)(
  '$case is reproduced bit for bit alike by one, two and three threads without relaxed SIMD',
  (json) => expectThreadsAlike(json, 'simd'),
);
