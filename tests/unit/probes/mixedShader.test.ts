import { expect, test } from 'vitest';
import { mixedIntensities, mixedShape } from '../../../src/core/probes/mixed.ts';
import { mixedShader, mixedTrips } from '../../../src/gpu/probes/mixedShader.ts';

test.each([64, 128])('with %d bytes a line every worked vector takes all of its steps', (moved) => {
  for (const intensity of mixedIntensities) {
    const shape = mixedShape(intensity, moved);
    const variant = { form: 'affine', layout: 'line', pattern: 'copy', workgroupSize: 64 } as const;
    const code = mixedShader(variant, shape);
    const trips = mixedTrips(shape);
    const isLoop = code.includes('trip < parameters.trips');
    expect(isLoop).toBe(trips > 0);
    for (let column = 0; column < 4; column++) {
      const statements = code.split(`x${column} = stepOf(x${column}, a, b);`).length - 1;
      const steps = statements * (isLoop ? trips : 1);
      expect(steps, `${intensity}, vector ${column}`).toBe(
        column < shape.columns ? shape.steps : 0,
      );
      // Every vector enters the sums, and is stored.
      expect(code).toContain(`sum${column} += end${column};`);
    }
    // Unrolled, but bounded: some compilers take seconds over long bodies.
    expect(code.split('stepOf(').length).toBeLessThan(150);
    expect(code).not.toMatch(/^\s*#/m);
  }
});
