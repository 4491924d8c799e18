import type { SweepPoint } from '../../../src/core/roofline/levels.ts';
import { gaussian, generator } from '../../support/random.ts';

/** A synthetic memory: each level's bandwidth (byte/s) and capacity; the last has no capacity. */
export interface SyntheticMemory {
  readonly bandwidths: readonly number[];
  readonly capacities: readonly number[];
  /** Octaves over which one level gives way to the next: 0 is a cliff. */
  readonly transitionOctaves: number;
  /** Bytes at which half of the time is launch overhead; 0 is none. */
  readonly overheadSize: number;
}

export interface Sweep {
  readonly smallest: number;
  readonly largest: number;
  readonly ratio: number;
}

/** Log bandwidth steps down around each capacity, as a logistic of that many octaves (10 to 90 %). */
export function bandwidthAt(memory: SyntheticMemory, size: number): number {
  const { bandwidths, capacities, transitionOctaves, overheadSize } = memory;
  let logBandwidth = Math.log(bandwidths[0]!);
  for (const [index, capacity] of capacities.entries()) {
    const octaves = Math.log2(size / capacity);
    const share =
      transitionOctaves === 0
        ? Number(octaves > 0)
        : 1 / (1 + Math.exp((-octaves * 2 * Math.log(9)) / transitionOctaves));
    logBandwidth += share * Math.log(bandwidths[index + 1]! / bandwidths[index]!);
  }
  return (Math.exp(logBandwidth) * size) / (size + overheadSize);
}

/** The sweep of a synthetic memory with multiplicative noise of the given standard deviation. */
export function syntheticSweep(
  memory: SyntheticMemory,
  sweep: Sweep,
  noise: number,
  seed: number,
): SweepPoint[] {
  const random = generator(seed);
  const points: SweepPoint[] = [];
  for (let size = sweep.smallest; size <= sweep.largest * 1.001; size *= sweep.ratio) {
    points.push({
      workingSetSize: size,
      bytesPerSecond: bandwidthAt(memory, size) * Math.exp(noise * gaussian(random)),
    });
  }
  return points;
}
