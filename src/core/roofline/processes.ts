import { groupBy } from '../groupBy.ts';
import type { StepTiming } from '../run/events.ts';
import { median } from '../stats/median.ts';
import { formatNumber } from '../units.ts';
import { areTimes } from './rates.ts';

/** The same cores and images a step, in one process and in several. */
export interface ProcessPair {
  readonly model: string;
  readonly batch: number;
  /** Threads that work at once, in either. */
  readonly cores: number;
  /** Medians of a step, in seconds: of one process with `cores` threads, and of the replicas. */
  readonly singleSeconds: number;
  readonly multiSeconds: number;
  readonly replicas: number;
  readonly threadsPerReplica: number;
  /** Shares of a step, medians: of one process at barriers, of the replicas in the all-reduce. */
  readonly barrierShare?: number;
  readonly allReduceShare?: number;
  /** How many times the images a second of one process the replicas train. */
  readonly ratio: number;
}

/**
 * One process with many threads against many processes (Jain et al. 2019), from the steps of a run:
 * a pair for each batch, number of cores and way to split them that was timed in both.
 */
export function processPairs(steps: readonly StepTiming[]): ProcessPair[] {
  const timed = steps.filter(
    ({ device, status, seconds }) => device === 'cpu' && status === 'ok' && areTimes(seconds),
  );
  const singles = timed.filter(({ replicas = 1 }) => replicas === 1);
  const multis = timed.filter(({ replicas = 1, batch }) => replicas > 1 && batch >= replicas);
  const pairs = multis.flatMap((multi) => {
    const { model, batch, replicas = 1, threads: threadsPerReplica = 1 } = multi;
    const cores = replicas * threadsPerReplica;
    const single = singles.find(
      (step) => step.model === model && step.batch === batch && (step.threads ?? 1) === cores,
    );
    if (single === undefined) return [];
    const singleSeconds = median(single.seconds);
    const multiSeconds = median(multi.seconds);
    const barrierShare = shareOf(single.barrierSeconds, single.seconds);
    const allReduceShare = shareOf(multi.allReduceSeconds, multi.seconds);
    return [
      {
        model,
        batch,
        cores,
        singleSeconds,
        multiSeconds,
        replicas,
        threadsPerReplica,
        ...(barrierShare !== undefined && { barrierShare }),
        ...(allReduceShare !== undefined && { allReduceShare }),
        ratio: singleSeconds / multiSeconds,
      },
    ];
  });
  // A strong and a weak sweep may meet at one point: the first one counts.
  return groupBy(pairs, ({ model, batch, replicas, threadsPerReplica }) =>
    JSON.stringify([model, batch, replicas, threadsPerReplica]),
  )
    .map(([first]) => first!)
    .toSorted((a, b) => a.cores - b.cores || a.batch - b.batch);
}

/** Closer than this they are alike. */
const alike = 0.05;

/** In a paragraph which of the two wins with the most cores, and at which batch that changes. */
export function explainProcesses(pairs: readonly ProcessPair[], model: string): string | undefined {
  const own = pairs.filter((pair) => pair.model === model);
  const cores = Math.max(0, ...own.map((pair) => pair.cores));
  const widest = own.filter((pair) => pair.cores === cores);
  if (widest.length === 0) return undefined;
  const sentences = widest.map(
    ({ batch, replicas, ratio }) =>
      `at batch ${batch} ${replicas} replicas train ${formatNumber(ratio)} times the images a second of one process`,
  );
  const winners = [...new Set(widest.map(winnerOf))];
  const verdict =
    winners.length === 1
      ? `${inWords[winners[0]!]} at every batch that was tried.`
      : `Which is faster changes with the batch: ${widest.map((pair) => `${pair.batch}: ${inWords[winnerOf(pair)]}`).join('; ')}.`;
  return `On ${cores} cores ${sentences.join(', ')}. ${verdict}`;
}

type Winner = 'single' | 'neither' | 'multi';

const inWords: Readonly<Record<Winner, string>> = {
  single: 'One process is faster',
  neither: 'Neither is faster by more than 5 %',
  multi: 'The replicas are faster',
};

function winnerOf({ ratio }: ProcessPair): Winner {
  if (Math.abs(Math.log(ratio)) <= Math.log(1 + alike)) return 'neither';
  return ratio > 1 ? 'multi' : 'single';
}

function shareOf(
  part: readonly number[] | undefined,
  seconds: readonly number[],
): number | undefined {
  if (part === undefined || part.length !== seconds.length) return undefined;
  return median(part.map((each, at) => each / seconds[at]!));
}
