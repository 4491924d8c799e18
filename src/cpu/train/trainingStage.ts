import type { RunConfig } from '../../core/run/config.ts';
import type { StepTiming } from '../../core/run/events.ts';
import type { Pool } from '../pool.ts';
import type { Stage } from '../stages.ts';
import { expectedSweepSeconds, trainingSweeps } from './trainingSweeps.ts';

/** Steps of the clock in a time: it is told to a percent. */
const clockSteps = 100;

/** The part of the job that trains, after the ceilings that its steps are held against. */
export function trainingStage(
  pool: Pool,
  config: RunConfig,
  cores: number,
  tell: (step: StepTiming) => void,
): Stage {
  return {
    expectedSeconds: expectedSweepSeconds({ pool, cores, config }),
    async run({ progress }) {
      const clockStepSeconds = await pool.clockStep();
      await trainingSweeps({
        pool,
        cores,
        config,
        clock: { clockSpanSeconds: clockSteps * clockStepSeconds, clockStepSeconds },
        tell,
        advance: (stage, seconds) => progress.advance(stage, seconds),
      });
    },
  };
}
