import type { Trajectory } from './types.ts';

/** The trajectories of whole steps, without those of kinds of calls. */
export function wholeSteps(trajectories: readonly Trajectory[]): Trajectory[] {
  return trajectories.filter(({ scope }) => scope === 'step');
}
