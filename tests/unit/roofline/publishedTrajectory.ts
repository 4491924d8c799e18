import fixture from '../../fixtures/gpp-v100.json' with { type: 'json' };
import type { MotionPoint } from '../../../src/core/roofline/segments.ts';

/** Points measured without any spread. */
export function exactPoints(
  points: readonly (Omit<MotionPoint, 'low' | 'high'> & Partial<MotionPoint>)[],
): MotionPoint[] {
  return points.map((point) => ({
    low: point.flopsPerSecond,
    high: point.flopsPerSecond,
    ...point,
  }));
}

/** The published trajectory of GPP on a V100, with the intensity of a memory level. */
export function published(level: 'HBM' | 'L2' | 'L1'): MotionPoint[] {
  return exactPoints(
    fixture.values.map((value, index) => {
      const intensity = fixture.intensity[level][index]!;
      const flopsPerSecond = fixture.flopsPerSecond[index]!;
      const memoryRoof = fixture.bandwidth[level] * intensity;
      return {
        value,
        intensity,
        flopsPerSecond,
        roofFraction: flopsPerSecond / Math.min(fixture.compute.fma, memoryRoof),
        memoryShare: memoryRoof < fixture.compute.fma ? 1 : 0,
      };
    }),
  );
}
