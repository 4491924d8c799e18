import { describe, test } from 'vitest';
import { cases, geometry, shapes, type ConvShape } from '../nn/convCases.ts';
import { checkSums } from './cpuHarness.ts';

/** Where tiles of the CPU's kernels end. */
const tiledShapes: readonly ConvShape[] = [
  // More channels than one tile does, and sums of more than one chunk.
  { batch: 9, height: 3, width: 3, from: 70, to: 66, kernel: [3, 3], stride: 1 },
  // Rows of more pixels than a tile wants.
  { batch: 1, height: 2, width: 300, from: 2, to: 2, kernel: [3, 3], stride: 1 },
  { batch: 2, height: 5, width: 6, from: 3, to: 9, kernel: [1, 5], stride: 1 },
  { batch: 2, height: 6, width: 5, from: 7, to: 2, kernel: [5, 1], stride: 2 },
];

describe.each([...shapes, ...tiledShapes])(
  '$kernel, stride $stride, $batch x $height x $width x $from to $to',
  (shape) => {
    test.each(Object.entries(cases))('%s', async (_, caseOf) => {
      const { op, list, result, terms } = caseOf(geometry(shape));
      await checkSums(op, list, [result], terms);
    });
  },
);
