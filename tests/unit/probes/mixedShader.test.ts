import { expect, test } from 'vitest';
import { mixedIntensities } from '../../../src/core/probes/mixed.ts';
import {
  mixedIntensity,
  unrolledShape,
  type MixedVariant,
} from '../../../src/core/probes/mixedVariant.ts';
import { mixedShader } from '../../../src/gpu/probes/mixedShader.ts';

const patterns = ['read', 'copy'] as const;
const columnCounts = [2, 3, 4] as const;
const written = patterns.flatMap((pattern) =>
  columnCounts.flatMap((columns) => [8, 16, 32].map((steps) => [pattern, columns, steps] as const)),
);

test.each(written)(
  '%s of lines, %d vectors, %d steps a trip: all vectors take all of their steps',
  (pattern, most, mostSteps) => {
    const variant: MixedVariant = {
      form: 'affine',
      layout: 'line',
      pattern,
      columns: most,
      stepsPerTrip: mostSteps,
      workgroupSize: 64,
    };
    for (const intensity of mixedIntensities) {
      const shape = unrolledShape(variant, intensity);
      const { columns, steps, segments, tripsPerSegment, stepsPerTrip } = shape;
      expect(segments * tripsPerSegment * stepsPerTrip).toBe(steps);
      const code = mixedShader(variant, shape);
      const isLoop = code.includes('segment < parameters.segments');
      expect(isLoop).toBe(segments * tripsPerSegment > 1);
      expect(code).toContain(`const tripsPerSegment = ${tripsPerSegment}u;`);
      for (let column = 0; column < 4; column++) {
        const statements = code.split(`x${column} = stepOf(x${column}, a, b);`).length - 1;
        expect(statements, `${intensity}, vector ${column}`).toBe(
          column < columns ? stepsPerTrip : 0,
        );
        // Every vector enters the sums, and is stored.
        expect(code).toContain(`sum${column} += end${column};`);
      }
      // Unrolled, but bounded: some compilers take seconds over long bodies.
      expect(code.split('stepOf(').length).toBeLessThan(150);
      expect(code).not.toMatch(/^\s*#/m);
      // From 6 flop/byte on, where any number of vectors is tried, the intensity is nearly what was asked.
      if (most === 4 || intensity >= 6)
        expect(Math.abs(mixedIntensity(variant, shape) / intensity - 1)).toBeLessThan(0.025);
      if (most === 4 && intensity < 8) expect(mixedIntensity(variant, shape)).toBe(intensity);
    }
  },
);
