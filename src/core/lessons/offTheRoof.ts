import { wholeRoofline } from '../compare/comparedRun.ts';
import type { CallTiming } from '../run/events.ts';
import { areTimes } from '../roofline/rates.ts';
import { median } from '../stats/median.ts';
import { leastTime } from '../roofline/bound.ts';
import { attainable } from '../roofline/attainable.ts';
import { formatShare } from '../units.ts';
import type { Answer, Lesson, LessonRow } from './lesson.ts';
import {
  deviceWord,
  goodPoints,
  lessonModel,
  lessonPlan,
  roofOfData,
  roofSeries,
  stepIntensity,
  sweepOf,
  type LessonData,
  type LessonPlan,
} from './lessonData.ts';

const batch = 8;

/** Lesson 6: what a dot far from the roof, or above a line, does and does not say. */
export function offTheRoof(data: LessonData): Lesson {
  const word = deviceWord(data, data.device);
  const answer = offTheRoofAnswer(data);
  return {
    title: 'Off the roof',
    misconception: 'A low dot is bad code, and a point above a line is broken.',
    introduction: [
      `One training step on ${batch} images is one dot on the chart, though it is a sequence of calls of very unlike intensity. Suppose that a perfect programmer made every single call run exactly on the ${word}'s roof.`,
      'The least time of the step is the sum of the least times of its calls. The dot of the perfect step has the same intensity as yours, and a rate that follows from that time.',
    ],
    formulas: ['leastTime', 'roofShare'],
    question: {
      kind: 'number',
      text: 'What share of the roof above it would the dot of the perfect step reach?',
      unit: '%',
      min: 1,
      max: 200,
    },
    ...(answer
      ? { answer }
      : { missing: 'It takes a run that measured both ceilings of this device.' }),
    takeaway:
      'Judge calls, not steps, and time, not FLOP/s: a dot below the roof may be perfect, and a dot above a line may be served by a cache.',
    worksheet: [
      'Two calls take equal time on the roof, one left and one right of the ridge. Where is the dot of both together?',
      'Which call of your own step would you speed up first? Give its share of the time, not its FLOP/s.',
      'A point lies above the memory line. Name two reasons, one harmless and one not, and a test that tells them apart.',
    ],
  };
}

function offTheRoofAnswer(data: LessonData): Answer | undefined {
  const roofline = wholeRoofline(data.summary, data.device);
  const roof = roofOfData(data);
  const step = lessonPlan(batch);
  const intensity = stepIntensity(step.cost);
  const least = roofline && leastTime(step.cost.ops, roofline, 'f32');
  const above = roofline && attainable(roofline, intensity);
  if (!roof || !least || above === undefined) return undefined;
  const perfect = step.cost.executedFlops / least.seconds;
  const share = perfect / above;
  const measured = measuredRate(data);
  const more = step.cost.flops / step.cost.executedFlops - 1;
  return {
    value: share * 100,
    text: formatShare(share),
    rows: [
      { label: 'The perfect step, of the roof above it', value: formatShare(share) },
      ...(measured === undefined
        ? []
        : [
            { label: 'Your step, of the roof above it', value: formatShare(measured / above) },
            { label: 'Your step, of the perfect one', value: formatShare(measured / perfect) },
          ]),
      { label: 'Least time spent on memory', value: formatShare(least.bound.memory) },
      {
        label: 'Calls small enough for a cache',
        value: least.servedBy.length === 0 ? 'none' : `served by ${least.servedBy.join(', ')}`,
      },
      ...timeView(data, step),
    ],
    explanation: [
      `Perfect code would be at ${formatShare(share)} of the roof, because calls left of the ridge wait for memory while calls right of it wait for arithmetic, and the one dot averages both.`,
      least.servedBy.length === 0
        ? 'No call of this step is small enough for an inner memory level here; one that is may lie above the memory line, since its bytes never come from memory.'
        : `Calls whose bytes fit in ${least.servedBy[0]} are served by it: they may lie above the memory line, and nothing is wrong with them.`,
      `More FLOP/s is not less time: kernels that multiply the zeros of the padding too would report ${formatShare(more)} more operations for the same result. At the same FLOP/s they would take ${formatShare(more)} longer.`,
    ],
    chart: [
      roofSeries(data.name, 0, roof, [
        [{ intensity, flopsPerSecond: perfect, label: 'the perfect step' }],
        ...(measured === undefined
          ? []
          : [[{ intensity, flopsPerSecond: measured, label: `measured, batch ${batch}` }]]),
      ]),
    ],
  };
}

/** flop/s of the measured step at the lesson's batch. */
function measuredRate(data: LessonData): number | undefined {
  const sweep = sweepOf(data, data.device, 'batch');
  return sweep && goodPoints(sweep).find(({ value }) => value === batch)?.flopsPerSecond;
}

const families: readonly { readonly label: string; readonly prefix: string }[] = [
  { label: 'Convolutions', prefix: 'conv2d.' },
  { label: 'Batch-norm', prefix: 'batchNorm.' },
  { label: 'Update of the weights', prefix: 'momentum.' },
];

/** What kinds of calls do, and what they take: calls that hardly compute still cost time. */
function timeView(data: LessonData, step: LessonPlan): readonly LessonRow[] {
  const roofline = wholeRoofline(data.summary, data.device);
  const total = roofline && leastTime(step.cost.ops, roofline, 'f32')?.seconds;
  if (roofline === undefined || total === undefined) return [];
  const calls = measuredCalls(data);
  const measuredTotal = calls.reduce((sum, { seconds }) => sum + median(seconds), 0);
  return families.map(({ label, prefix }) => {
    const belongs = (index: number): boolean =>
      step.plan.ops[index]?.kind.startsWith(prefix) ?? false;
    const ops = step.cost.ops.filter((_, index) => belongs(index));
    const flops = ops.reduce((sum, { executedFlops }) => sum + executedFlops, 0);
    const least = leastTime(ops, roofline, 'f32')?.seconds ?? 0;
    // A fused call counts for what it begins with.
    const own = calls.filter((call) => belongs(call.ops[0] ?? -1));
    const seconds = own.reduce((sum, call) => sum + median(call.seconds), 0);
    const shares = [
      `${formatShare(flops / step.cost.executedFlops)} of the operations`,
      `${formatShare(least / total)} of the least time`,
      ...(calls.length === 0 ? [] : [`${formatShare(seconds / measuredTotal)} of the measured`]),
    ];
    return { label, value: shares.join(', ') };
  });
}

/** The calls of a step at the lesson's batch, each timed by itself; none where none were. */
function measuredCalls({ events, device }: LessonData): readonly CallTiming[] {
  for (const event of events) {
    if (event.kind !== 'step') continue;
    const { step } = event;
    const isLessons = step.device === device && step.model === lessonModel && step.batch === batch;
    if (isLessons && step.status === 'ok' && step.calls !== undefined)
      return step.calls.filter(({ seconds }) => areTimes(seconds));
  }
  return [];
}
