import type { GpuContext } from '../context.ts';
import { workgroupsOf, type Contender } from './streamRace.ts';
import type { SweepEnd } from './streamSweep.ts';
import type { StreamTrials } from './streamTrials.ts';
import { runTrial } from './trial.ts';

const runSeconds = 0.002;
const pairs = 4;
/** Patterns whose two best shapes take part, and shapes that do so once more. */
const mostPatterns = 2;
const mostShapes = 2;

/**
 * Measures the roof of the last level at the largest set, until it is well known: the two best shapes of
 * the two fastest patterns, and then the two fastest of those again. In turns, since what else uses the
 * memory of the machine comes and goes within a second. Takes about `seconds`.
 */
export async function measureLast(
  context: GpuContext,
  trials: StreamTrials,
  { set, ranked }: SweepEnd,
  seconds: number,
): Promise<void> {
  const finalists = ranked
    .slice(0, mostPatterns)
    .flatMap(({ race, rate }) =>
      race.filter((contender) => contender !== undefined).map((contender) => ({ contender, rate })),
    );
  const settleSeconds = seconds / (finalists.length + mostShapes);
  const measure = async (contender: Contender, rate: number): Promise<number> => {
    const { entrant } = trials.trial(contender.variant, set, workgroupsOf(contender));
    return runTrial(context, entrant, { seconds: runSeconds, pairs, rate, settleSeconds });
  };
  const found: { readonly contender: Contender; readonly rate: number }[] = [];
  for (const { contender, rate } of finalists)
    found.push({ contender, rate: await measure(contender, rate) });
  const fastest = found.toSorted((a, b) => b.rate - a.rate).slice(0, mostShapes);
  for (const { contender, rate } of fastest) await measure(contender, rate);
}
