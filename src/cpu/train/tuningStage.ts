import type { RunConfig } from '../../core/run/config.ts';
import type { RunEvent } from '../../core/run/events.ts';
import type { Pool } from '../pool.ts';
import type { Stage } from '../stages.ts';
import { clockOf } from './trainingStage.ts';
import { expectedTuneSeconds, tuneSteps } from './tuneSteps.ts';

/** All of a job that is to find how networks train fastest. */
export function tuningStage(
  pool: Pool,
  config: RunConfig,
  cores: number,
  emit: (event: RunEvent) => void,
): Stage {
  return {
    expectedSeconds: expectedTuneSeconds({ config }),
    async run({ progress }) {
      progress.advance('tuning', 0);
      const clock = await clockOf(pool);
      const advance = progress.advance.bind(progress);
      await tuneSteps({ pool, cores, config, clock, advance }, emit);
    },
  };
}
