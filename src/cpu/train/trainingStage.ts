import type { RunConfig } from '../../core/run/config.ts';
import { rooflines } from '../../core/roofline/rooflines.ts';
import type { Sample } from '../../core/roofline/sample.ts';
import type { StepTiming } from '../../core/run/events.ts';
import type { Pool } from '../pool.ts';
import type { Stage } from '../stages.ts';
import { cachesOf } from './caches.ts';
import { expectedSweepSeconds, trainingSweeps, type SweepContext } from './trainingSweeps.ts';

/** Steps of the clock in a time: it is told to a percent. */
const clockSteps = 100;

/**
 * The part of the job that trains, after the ceilings that its steps are held against; `measured` is
 * filled by then, and tells how large the caches are.
 */
export function trainingStage(
  pool: Pool,
  config: RunConfig,
  cores: number,
  tell: (step: StepTiming) => void,
  measured: readonly Sample[],
): Stage {
  return {
    expectedSeconds: expectedSweepSeconds({ pool, cores, config }),
    async run({ progress }) {
      // The images come first.
      progress.advance('training', 0);
      const clock = await clockOf(pool);
      const alone = measured.filter(({ threads }) => threads === 1);
      await trainingSweeps({
        pool,
        cores,
        config,
        clock,
        caches: cachesOf(rooflines(alone)),
        tell,
        advance: (stage, seconds) => progress.advance(stage, seconds),
      });
    },
  };
}

/** What the threads' clock tells well. */
export async function clockOf(pool: Pool): Promise<SweepContext['clock']> {
  const clockStepSeconds = await pool.clockStep();
  return { clockSpanSeconds: clockSteps * clockStepSeconds, clockStepSeconds };
}
