import type { Thoroughness } from '../../core/run/config.ts';
import type { PointBudget } from '../../core/sweeps/pointBudget.ts';

/** What the sweeps of a model visit, and what they may cost. */
export interface SweepPlan {
  /** Images a step at the most, also where memory has room for more. */
  readonly largestBatch: number;
  /** Images a step on software adapters while another parameter grows: the processor is busy with them. */
  readonly softwareBatch: number;
  /** The same on others, where no sweep of batches has told which one saturates the device. */
  readonly assumedBatch: number;
  readonly pointBudget: PointBudget;
  /** Powers of two of a sweep of workgroups at the most; where there are more it has powers of four. */
  readonly mostWorkgroupValues: number;
  /** For trying variants of the convolutions of all models before their sweeps; 0 keeps the defaults. */
  readonly tuneSeconds: number;
  /** For all sweeps of a model: after so long the remaining points are skipped. */
  readonly modelSeconds: number;
  /** For those of all models; each has an even share of it, and its own time at the most. */
  readonly allSeconds: number;
  /** For the calls of a step, each timed by itself. */
  readonly callSeconds: number;
  /** The batches whose calls are timed: all that are visited, or the one the other sweeps have. */
  readonly callsAt: 'every batch' | 'working batch';
}

const visited = { largestBatch: 16_384, softwareBatch: 8, assumedBatch: 64 };

export const sweepPlans: Readonly<Record<Thoroughness, SweepPlan>> = {
  quick: {
    ...visited,
    pointBudget: { seconds: 1.5, mostSeconds: 6, visits: 6 },
    mostWorkgroupValues: 9,
    tuneSeconds: 3,
    modelSeconds: 18,
    allSeconds: 26,
    callSeconds: 3,
    callsAt: 'working batch',
  },
  full: {
    ...visited,
    pointBudget: { seconds: 6, mostSeconds: 60, visits: 4 },
    mostWorkgroupValues: Infinity,
    tuneSeconds: 30,
    modelSeconds: 600,
    allSeconds: Infinity,
    callSeconds: 15,
    callsAt: 'every batch',
  },
};
