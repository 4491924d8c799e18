import type { Thoroughness } from '../../core/run/config.ts';
import { sweepPlans, type SweepPlan } from './sweepPlan.ts';

/** What tuning the step of a model tries, and what it may cost. */
export interface TunePlan extends Pick<
  SweepPlan,
  'largestBatch' | 'softwareBatch' | 'assumedBatch' | 'pointBudget'
> {
  /** For the search of a configuration. */
  readonly searchSeconds: number;
  /** For trying variants of the convolutions in one configuration. */
  readonly variantSeconds: number;
}

export const tunePlans: Readonly<Record<Thoroughness, TunePlan>> = {
  quick: {
    ...sweepPlans.quick,
    pointBudget: { seconds: 1.2, mostSeconds: 6, visits: 2 },
    searchSeconds: 15,
    variantSeconds: 3,
  },
  full: {
    ...sweepPlans.full,
    pointBudget: { seconds: 10, mostSeconds: 60, visits: 2 },
    searchSeconds: 240,
    variantSeconds: 30,
  },
};
