import type { SweepParameter } from '../run/config.ts';
import { memoryRoof } from './attainable.ts';
import type { Roofline, TrajectoryPoint } from './types.ts';

/** The intensities of a point, flop/byte, by whose bytes are counted. */
export interface Intensities {
  /** Each distinct input read once, each output written once: the most that reuse can reach. */
  readonly algorithmic: number;
  /** Every load and store of the kernels' code: the innermost level's. */
  readonly issued?: number;
  /**
   * Main memory cannot have moved more than B t bytes in the time t, so its intensity is at least
   * flops / (B t).
   */
  readonly atLeast?: number;
}

/** Intensities of a good point; those that are not known are absent. */
export function intensitiesOf(
  { executedFlops, seconds, intensity, bytes }: TrajectoryPoint,
  roofline: Roofline | undefined,
): Intensities {
  const memory = roofline && memoryRoof(roofline);
  return {
    algorithmic: intensity,
    ...(bytes.issued !== undefined && { issued: executedFlops / bytes.issued }),
    ...(memory && seconds > 0 && { atLeast: executedFlops / (memory.value * seconds) }),
  };
}

/**
 * Why the algorithmic intensity stays where it is while a parameter grows, in words; undefined
 * where it can move.
 */
export function whyIntensityStays(parameter: SweepParameter): string | undefined {
  switch (parameter) {
    case 'workgroups':
    case 'workgroupSize':
      return 'Algorithmic intensity cannot move here: the same step reads and writes the same data, however many workgroups share it.';
    case 'threads':
      return 'Algorithmic intensity cannot move here: the same step reads and writes the same data, however many threads share it.';
    case 'replicas':
    case 'batch':
    case 'depth':
    case 'width':
      return undefined;
  }
}
