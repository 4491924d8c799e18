import { computeRoof } from '../roofline/attainable.ts';
import { parameterLabel } from '../roofline/parameterWords.ts';
import type { SweepParameter } from '../run/config.ts';
import {
  formatCount,
  formatDuration,
  formatInteger,
  formatNumber,
  formatRate,
  formatShare,
} from '../units.ts';
import type { Answer, Lesson } from './lesson.ts';
import { deviceWord, goodPoints, sweepOf, type LessonData } from './lessonData.ts';

/** A speed at a number of workers. */
interface ScalingPoint {
  readonly workers: number;
  /** Relative to the first point's. */
  readonly speedup: number;
  readonly measured: string;
}

interface Scaling {
  readonly parameter: SweepParameter;
  readonly what: string;
  readonly points: readonly ScalingPoint[];
}

/** Lesson 4: workers beyond the work there is wait. */
export function strongScaling(data: LessonData): Lesson {
  const scaling = scalingOf(data);
  const workers = data.device === 'gpu' ? 'workgroups' : 'threads';
  const last = scaling?.points.at(-1);
  return {
    title: 'Strong scaling',
    misconception: 'Twice the workers, twice the speed.',
    introduction: [
      data.device === 'gpu'
        ? 'A workgroup is a team of GPU threads. A cap on their number says how many teams may work at once; the same training step is done, only by more teams.'
        : 'The same work is done by more and more threads of this CPU.',
      'If nothing stood in the way, twice the workers would take half the time. Speed-up is the time of one worker over the time of many; efficiency is speed-up over workers.',
    ],
    formulas: ['speedup', 'karpFlatt'],
    question: {
      kind: 'number',
      text: last
        ? `${scaling?.what ?? 'The step'} goes from one to ${formatInteger(last.workers)} ${workers}. How many times as fast does it get?`
        : `How many times as fast does the step get from one to many ${workers}?`,
      unit: 'times',
      min: 1,
      max: Math.max(2, last?.workers ?? 2),
    },
    ...(scaling
      ? { answer: scalingAnswer(data, scaling) }
      : { missing: `It takes a run with a sweep over ${workers}.` }),
    takeaway:
      'Speed-up ends where the tiles, the cores or the memory end. What looks like serial work is often only waiting.',
    worksheet: [
      'Plot speed-up over workers on log-log paper, with the line of ideal speed-up.',
      'Where does the curve leave the line? What ran out there: tiles, cores or bandwidth?',
      'Work out the serial share at two numbers of workers. Amdahl says it is a constant: is it?',
    ],
  };
}

/** Training over workers; on a CPU whose run trained nothing, its arithmetic over threads. */
function scalingOf(data: LessonData): Scaling | undefined {
  const parameter = data.device === 'gpu' ? 'workgroups' : 'threads';
  const sweep = sweepOf(data, data.device, parameter);
  const points = sweep ? goodPoints(sweep) : [];
  const [first] = points;
  if (first)
    return {
      parameter,
      what: 'The same training step',
      points: points.map(({ value, seconds }) => ({
        workers: value,
        speedup: first.seconds / seconds,
        measured: formatDuration(seconds),
      })),
    };
  if (data.device === 'gpu') return undefined;
  const peaks = data.summary.rooflines
    .filter(({ device }) => device === 'cpu')
    .flatMap((roofline) => {
      const peak = computeRoof(roofline, 'f32');
      return peak ? [{ workers: roofline.threads ?? 1, rate: peak.value }] : [];
    })
    .toSorted((a, b) => a.workers - b.workers);
  const base = peaks[0];
  if (base === undefined || peaks.length < 2) return undefined;
  return {
    parameter,
    what: 'The arithmetic probe',
    points: peaks.map(({ workers, rate }) => ({
      workers,
      speedup: rate / base.rate,
      measured: formatRate(rate, 'flop/s'),
    })),
  };
}

function scalingAnswer(data: LessonData, { parameter, what, points }: Scaling): Answer {
  const last = points.at(-1)!;
  const start = points[0]!.workers;
  const best = points.reduce((a, b) => (b.speedup > a.speedup ? b : a));
  const growth = last.workers / start;
  const serial = serialShare(last.speedup, growth);
  const halfway = points.findLast(({ workers, speedup }) => speedup >= 0.5 * (workers / start));
  return {
    value: last.speedup,
    text: `${formatNumber(last.speedup)} times`,
    rows: points.map(({ workers, speedup, measured }) => ({
      label: parameterLabel(parameter, workers),
      value: `${measured}, speed-up ${formatNumber(speedup)}, efficiency ${formatShare(speedup / (workers / start))}`,
    })),
    explanation: [
      `${what} got ${formatNumber(last.speedup)} times as fast on the ${deviceWord(data, data.device)} with ${formatCount(growth)} times the workers; the best was ${formatNumber(best.speedup)} times, with ${parameterLabel(parameter, best.workers)}.`,
      `Half of the ideal speed-up was still had with ${parameterLabel(parameter, halfway?.workers ?? start)}. If the rest were serial work, it would be ${formatShare(serial)} of the whole (Karp and Flatt).`,
    ],
  };
}

/**
 * The share of serial work that would explain a speed-up over `workers` times the workers:
 * (1 / speedup - 1 / workers) / (1 - 1 / workers). Source: Karp and Flatt, Measuring parallel
 * processor performance, CACM 33(5), 1990.
 */
export function serialShare(speedup: number, workers: number): number {
  return (1 / speedup - 1 / workers) / (1 - 1 / workers);
}
