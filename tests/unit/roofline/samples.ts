import type { Measured, Sample } from '../../../src/core/roofline/sample.ts';
import type { StepTiming } from '../../../src/core/run/events.ts';
import { gaussian, generator } from '../../support/random.ts';
import { bandwidthAt, type Sweep, type SyntheticMemory } from './sweeps.ts';

/** `count` times around `seconds` with multiplicative noise. */
export function noisyTimes(seconds: number, noise: number, count: number, seed: number): number[] {
  const random = generator(seed);
  return Array.from({ length: count }, () => seconds * Math.exp(noise * gaussian(random)));
}

/** Six equal times: the fewest with a full interval. */
export function sixOf(seconds: number): number[] {
  return Array.from({ length: 6 }, () => seconds);
}

/** A good GPU sample of one repeat a second's worth; the change says what is different. */
export function sampleOf(measured: Measured, change: Partial<Sample> = {}): Sample {
  return {
    device: 'gpu',
    deviceId: 'gpu-0',
    probe: measured.kind,
    variant: 'plain',
    measured,
    seconds: [1, 1, 1, 1, 1, 1],
    timer: 'timestamp',
    status: 'ok',
    flags: [],
    ...change,
  };
}

/** An f32 sample whose six times give this rate exactly. */
export function computeSample(flopsPerSecond: number, change: Partial<Sample> = {}): Sample {
  return sampleOf({ kind: 'compute', precision: 'f32', flops: flopsPerSecond }, change);
}

/** One sample a working set of a synthetic memory, `speed` times as fast as it. */
export function sweepSamples(
  memory: SyntheticMemory,
  sweep: Sweep,
  { pattern = 'copy', speed = 1, noise = 0, seed = 1, change = {} }: SweepOptions = {},
): Sample[] {
  const samples: Sample[] = [];
  for (let size = sweep.smallest; size <= sweep.largest * 1.001; size *= sweep.ratio) {
    const bytes = 1e8;
    const seconds = bytes / (bandwidthAt(memory, size) * speed);
    samples.push(
      sampleOf(
        { kind: 'bandwidth', pattern, bytes, workingSetSize: size },
        { seconds: noisyTimes(seconds, noise, 6, seed + samples.length), ...change },
      ),
    );
  }
  return samples;
}

interface SweepOptions {
  readonly pattern?: 'read' | 'write' | 'copy' | 'triad';
  readonly speed?: number;
  readonly noise?: number;
  readonly seed?: number;
  readonly change?: Partial<Sample>;
}

/** A good ResNet-8 step on one-channel images, six times of 0.1 s. */
export function stepOf(change: Partial<StepTiming> = {}): StepTiming {
  return {
    device: 'gpu',
    deviceId: 'gpu-0',
    model: 'resnet8',
    inputChannels: 1,
    precision: 'f32',
    parameter: 'batch',
    value: 8,
    batch: 8,
    coldSeconds: 1,
    seconds: [0.1, 0.1, 0.1, 0.1, 0.1, 0.1],
    timer: 'timestamp',
    status: 'ok',
    losses: [2.3, 2.2, 2.1, 2.0, 1.9, 1.8, 1.7],
    ...change,
  };
}
