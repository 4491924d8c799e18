import { median } from '../stats/median.ts';
import type { StepTiming } from '../run/events.ts';
import type { TrajectoryPoint } from '../roofline/types.ts';
import { wholeSteps } from '../roofline/wholeSteps.ts';
import { formatCount, formatDuration, formatNumber, formatShare } from '../units.ts';
import type { Answer, Lesson } from './lesson.ts';
import { goodPoints, type LessonData } from './lessonData.ts';

const options = [
  'The threads that share a batch, by more than 5 %.',
  'Neither: they are within 5 % of each other.',
  'The replicas with a share of the batch each, by more than 5 %.',
] as const;
const alike = Math.log(1.05);

/** The same number of cores used in both ways. */
interface Pair {
  readonly cores: number;
  readonly threads: TrajectoryPoint;
  readonly replicas: TrajectoryPoint;
}

/** Lesson 5: one team on one batch, or teams with a share each. It is about CPUs. */
export function threadsOrReplicas(data: LessonData): Lesson {
  const pair = largestPair(data);
  const cores = pair?.cores ?? 2;
  return {
    title: 'Threads or replicas',
    misconception: 'Same cores, same work, same time.',
    introduction: [
      'A training step can use the cores of a CPU in two ways. Threads share one batch: every call is cut into tiles, and all threads wait for each other after each call. Replicas are whole copies of the network: each trains on its share of the batch alone, and once a step they average their gradients.',
      'Threads meet often and share every cache. Replicas meet once, move all gradients when they do, and each keep their own activations.',
    ],
    formulas: ['replicaStep'],
    question: {
      kind: 'choice',
      text: `On ${cores} cores, with the same number of images a step: which trains more images a second?`,
      options,
    },
    ...(pair
      ? { answer: pairAnswer(data, pair) }
      : { missing: 'It takes a run whose CPU trained with threads and with replicas.' }),
    takeaway:
      'How work is cut decides what is waited for: barriers after every call, or one exchange of all gradients.',
    worksheet: [
      'List what threads wait for and what replicas wait for in one step.',
      'The batch doubles. Which of the two gains more, and why?',
      'Batch-norm takes its statistics over the images that a worker sees. In which of the two does the network learn something else?',
    ],
  };
}

/** Threads sharing a batch against replicas with shares of it, with the most cores that both had. */
function largestPair({ summary }: LessonData): Pair | undefined {
  const sweeps = wholeSteps(summary.trajectories).filter(({ device }) => device === 'cpu');
  const pairs = sweeps
    .filter(({ parameter }) => parameter === 'replicas')
    .flatMap((replicas) =>
      sweeps
        .filter(
          (threads) =>
            threads.parameter === 'threads' &&
            threads.model === replicas.model &&
            threads.fixed.batch === replicas.fixed.batch &&
            replicas.fixed.scaling !== 'weak',
        )
        .flatMap((threads) =>
          goodPoints(replicas).flatMap((own) => {
            const other = goodPoints(threads).find(({ value }) => value === own.value);
            return other && own.value > 1
              ? [{ cores: own.value, threads: other, replicas: own }]
              : [];
          }),
        ),
    );
  return pairs.toSorted((a, b) => b.cores - a.cores)[0];
}

function pairAnswer(data: LessonData, { cores, threads, replicas }: Pair): Answer {
  const ratio = replicas.imagesPerSecond / threads.imagesPerSecond;
  const difference = Math.log(ratio);
  const value = difference < -alike ? 0 : difference <= alike ? 1 : 2;
  const barriers = waitingShare(data, 'threads', cores, ({ barrierSeconds }) => barrierSeconds);
  const exchange = waitingShare(
    data,
    'replicas',
    cores,
    ({ allReduceSeconds }) => allReduceSeconds,
  );
  return {
    value,
    text: options[value],
    rows: [
      { label: `${cores} threads on one batch`, value: speedText(threads) },
      { label: `${cores} replicas with a share each`, value: speedText(replicas) },
      ...(barriers === undefined
        ? []
        : [{ label: 'Threads waiting for each other', value: formatShare(barriers) }]),
      ...(exchange === undefined
        ? []
        : [{ label: 'Replicas averaging gradients', value: formatShare(exchange) }]),
    ],
    explanation: [
      `Replicas train ${formatNumber(ratio)} times the images a second that threads do.`,
      ...(barriers !== undefined && exchange !== undefined
        ? [
            `Threads spend ${formatShare(barriers)} of a step at barriers; replicas spend ${formatShare(exchange)} on the exchange of gradients. What is left is caches and memory, which copies of a network use more of.`,
          ]
        : []),
    ],
  };
}

function speedText({ seconds, imagesPerSecond }: TrajectoryPoint): string {
  return `${formatDuration(seconds)} a step, ${formatCount(imagesPerSecond)} images/s`;
}

/** The median share of a step that was spent on something; undefined where the record has no times of it. */
function waitingShare(
  { events }: LessonData,
  parameter: StepTiming['parameter'],
  value: number,
  timesOf: (step: StepTiming) => readonly number[] | undefined,
): number | undefined {
  const steps = events.flatMap((event) => (event.kind === 'step' ? [event.step] : []));
  const shares = steps
    .filter(
      (step) =>
        step.device === 'cpu' &&
        step.parameter === parameter &&
        step.value === value &&
        step.scaling !== 'weak' &&
        step.status === 'ok',
    )
    .flatMap((step) =>
      (timesOf(step) ?? []).flatMap((time, index) => {
        const seconds = step.seconds[index];
        return seconds === undefined ? [] : [time / seconds];
      }),
    );
  return shares.length === 0 ? undefined : median(shares);
}
