import { byVariant, isEvidence, pooledRates, samplesOf } from '../roofline/rates.ts';
import { formatNumber, formatRate, formatShare } from '../units.ts';
import type { Answer, Lesson } from './lesson.ts';
import { deviceWord, roofOfData, roofSeries, type LessonData } from './lessonData.ts';

/** a = b + s c: a multiplication and an addition for two loads and a store of four bytes. */
const triadIntensity = 2 / 12;

/** Lesson 1: there are two limits, and most programs never meet the advertised one. */
export function twoLimits(data: LessonData): Lesson {
  const word = deviceWord(data, data.device);
  const answer = twoLimitsAnswer(data, word);
  return {
    title: 'Two limits',
    misconception: 'The TFLOP/s of a data sheet say how fast my program will be.',
    introduction: [
      `A ${word} has two limits: how many operations it can do in a second, and how many bytes it can move to and from memory. A program cannot be faster than either allows.`,
      'The first limit is what data sheets print. It is measured with multiply-adds on numbers that never leave the registers. The triad a = b + s c, the inner loop of much scientific code, does two operations on every element and moves twelve bytes for them.',
    ],
    formulas: ['roof', 'triad'],
    question: {
      kind: 'number',
      text: `What share of this ${word}'s best rate of multiply-adds does the triad reach on large arrays?`,
      unit: '%',
      min: 0.1,
      max: 100,
    },
    ...(answer === undefined
      ? { missing: 'It takes a run that measured both ceilings of this device.' }
      : { answer }),
    takeaway:
      'Before you ask how fast a machine computes, count the bytes that your program moves for each operation.',
    worksheet: [
      'Write down both measured limits with their units.',
      'How many operations would the triad have to do on every element to reach the other limit?',
      'Name a program of yours that is nearer to the triad than to multiply-adds in registers. How do you know?',
    ],
  };
}

function twoLimitsAnswer(data: LessonData, word: string): Answer | undefined {
  const roof = roofOfData(data);
  if (roof === undefined) return undefined;
  const measured = triadBandwidth(data);
  const bandwidth = measured ?? roof.memory.value;
  const flopsPerSecond = bandwidth * triadIntensity;
  const share = flopsPerSecond / roof.compute.value;
  const mark = { intensity: triadIntensity, flopsPerSecond, label: 'triad' };
  return {
    value: share * 100,
    text: formatShare(share),
    rows: [
      { label: 'Best rate of multiply-adds', value: formatRate(roof.compute.value, 'flop/s') },
      { label: 'Memory bandwidth', value: formatRate(roof.memory.value, 'byte/s') },
      {
        label: measured === undefined ? 'Triad, at the memory bandwidth' : 'Triad, measured',
        value: `${formatRate(bandwidth, 'byte/s')}, that is ${formatRate(flopsPerSecond, 'flop/s')}`,
      },
      { label: 'Triad, as a share of the multiply-adds', value: formatShare(share) },
    ],
    explanation: [
      `The triad's intensity is 2 FLOP / 12 byte = ${formatNumber(triadIntensity)} FLOP/byte. Memory feeds it ${formatRate(bandwidth, 'byte/s')}, so it cannot do more than ${formatRate(flopsPerSecond, 'flop/s')}.`,
      `The other ${formatShare(1 - share)} of the ${word}'s arithmetic waits, and no better code for the same loop would use it.`,
    ],
    chart: [roofSeries(data.name, 0, roof, [[mark]])],
  };
}

/**
 * The measured triad where no cache holds it, in byte/s: the best variant over the working sets from
 * half of the largest on.
 */
function triadBandwidth({ events, device }: LessonData): number | undefined {
  const samples = events.flatMap((event) =>
    event.kind === 'sample' && event.sample.device === device && isEvidence(event.sample)
      ? [event.sample]
      : [],
  );
  const triads = samplesOf(samples, 'bandwidth').filter(
    ({ measured }) => measured.pattern === 'triad' && measured.space === undefined,
  );
  const mostThreads = Math.max(0, ...triads.map(({ threads }) => threads ?? 0));
  const whole = triads.filter(({ threads }) => (threads ?? 0) === mostThreads);
  const largest = Math.max(0, ...whole.map(({ measured }) => measured.workingSetSize));
  const rates = byVariant(
    whole.filter(({ measured }) => measured.workingSetSize >= largest / 2),
  ).map((variant) => pooledRates(variant).interval.median);
  return rates.length === 0 ? undefined : Math.max(...rates);
}
