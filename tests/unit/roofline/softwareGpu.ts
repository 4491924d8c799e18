import { planCost, type OpCost } from '../../../src/core/nn/cost.ts';
import { trainingPlan } from '../../../src/core/nn/trainingPlan.ts';
import type { Ceiling, Roofline } from '../../../src/core/roofline/types.ts';

export function ceiling(id: string, value: number, change: Partial<Ceiling> = {}): Ceiling {
  return {
    id,
    label: id.slice(id.indexOf('.') + 1),
    value,
    unit: id.startsWith('compute') ? 'flop/s' : 'byte/s',
    ciLow: value,
    ciHigh: value,
    variant: 'plain',
    timer: 'timestamp',
    samples: 9,
    flags: [],
    ...change,
  };
}

export function rooflineOf(flopsPerSecond: number, bandwidth: readonly Ceiling[]): Roofline {
  return {
    device: 'gpu',
    deviceId: 'gpu-0',
    compute: [ceiling('compute.f32', flopsPerSecond, { precision: 'f32' })],
    bandwidth,
    ridge: [],
  };
}

/** A software GPU's: 57 GFLOP/s and 4.2 GB/s, ridge 13.6 flop/byte. */
export const softwareGpu = rooflineOf(57e9, [ceiling('bandwidth.memory', 4.2e9)]);

export function resnet8Cost(batch: number) {
  return planCost(trainingPlan('resnet8', batch, { height: 32, width: 32, channels: 1 }));
}

export function call(executedFlops: number, algorithmic: number): OpCost {
  return { flops: executedFlops, executedFlops, bytes: { algorithmic } };
}
