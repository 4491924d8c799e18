import type { TimerSource } from '../core/roofline/sample.ts';

/** Timers as they are named to people. */
export const timerNames: Record<TimerSource, string> = {
  timestamp: 'GPU timestamps',
  'wall-fit': 'wall clock fit',
  clock: 'clock',
};
