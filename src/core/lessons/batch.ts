import type { OpKind } from '../nn/plan.ts';
import { formatCount, formatNumber } from '../units.ts';
import type { Answer, Lesson } from './lesson.ts';
import {
  deviceWord,
  goodPoints,
  lessonPlan,
  roofOfData,
  roofSeries,
  stepIntensity,
  sweepOf,
  type LessonData,
} from './lessonData.ts';

const smallBatch = 1;
const largeBatch = 32;
/** The last 3x3 convolution, of the smallest images and the most channels. */
const lastConvolution = 'stage3.block1.conv2';
const lastNorm = 'stage3.block1.bn2';

/** Lesson 3: a batch is reused by the weights alone, and most calls have none to speak of. */
export function batchSize(data: LessonData): Lesson {
  return {
    title: 'The batch',
    misconception: 'A bigger batch always raises the intensity.',
    introduction: [
      'A convolution reads its weights once for a whole batch: the more images share them, the more operations it does for every byte. That is why larger batches are said to be good for machines.',
      `A training step is more than convolutions. Of a ResNet-8 we count operations and bytes of every call, at batch ${smallBatch} and at batch ${largeBatch}.`,
    ],
    formulas: ['convolutionIntensity', 'limitIntensity'],
    question: {
      kind: 'number',
      text: `The batch grows ${largeBatch / smallBatch} times. How many times does the intensity of the whole step grow?`,
      unit: 'times',
      min: 1,
      max: largeBatch / smallBatch,
    },
    answer: batchAnswer(data),
    takeaway:
      'The batch amortises what does not grow with it: weights. Where activations are most of the bytes, intensity hardly moves; what grows is occupancy.',
    worksheet: [
      'Work out the intensity of the convolution at batch 4 from the formula.',
      'To which intensity does the convolution tend as the batch grows? At which batch is it within a tenth of that?',
      'Why does batch-norm gain nothing from the batch? Count its bytes.',
    ],
  };
}

function batchAnswer(data: LessonData): Answer {
  const [small, large] = [lessonPlan(smallBatch), lessonPlan(largeBatch)];
  const before = stepIntensity(small.cost);
  const after = stepIntensity(large.cost);
  const growth = after / before;
  const convolution = opGrowth(lastConvolution, 'conv2d.forward');
  const norm = opGrowth(lastNorm, 'batchNorm.normalize');
  const speed = measuredSpeed(data);
  const roof = roofOfData(data);
  const path = speed?.points.map(({ value, intensity, flopsPerSecond }) => ({
    intensity,
    flopsPerSecond,
    label: `batch ${value}`,
  }));
  return {
    value: growth,
    text: `${formatNumber(growth)} times`,
    rows: [
      { label: 'Whole step', value: range(before, after) },
      { label: 'Last 3x3 convolution, forward', value: range(...convolution) },
      { label: 'Last batch-norm, forward', value: range(...norm) },
      ...(speed ? [{ label: speed.label, value: speed.text }] : []),
    ],
    explanation: [
      `The last 3x3 convolution goes from ${formatNumber(convolution[0])} to ${formatNumber(convolution[1])} FLOP/byte (all taps counted, as the formula does); batch-norm stays at ${formatNumber(norm[1])}, since it has nothing to share between images. The whole step moves from ${formatNumber(before)} to ${formatNumber(after)}.`,
      ...(speed ? [speed.explanation] : []),
    ],
    ...(roof && path && { chart: [roofSeries(data.name, 0, roof, [path])] }),
  };
}

/** The intensities of one call at the small and the large batch. */
function opGrowth(name: string, kind: OpKind): readonly [number, number] {
  const [small, large] = [smallBatch, largeBatch].map((batch) => {
    const { plan, cost } = lessonPlan(batch);
    const index = plan.ops.findIndex((op) => op.name === name && op.kind === kind);
    const op = cost.ops[index];
    if (op === undefined) throw new Error(`the lesson's plan has no ${kind} named ${name}`);
    return op.flops / op.bytes.algorithmic;
  });
  return [small ?? 0, large ?? 0];
}

function measuredSpeed(data: LessonData) {
  const sweep = sweepOf(data, data.device, 'batch');
  const points = sweep ? goodPoints(sweep) : [];
  const [first, ...rest] = points;
  const last = rest.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const gain = last.imagesPerSecond / first.imagesPerSecond;
  const moved = last.intensity / first.intensity;
  return {
    points,
    label: `Measured on the ${deviceWord(data, data.device)}, batch ${first.value} and ${last.value}`,
    text: `${formatCount(first.imagesPerSecond)} and ${formatCount(last.imagesPerSecond)} images/s`,
    explanation: `Measured, ${formatNumber(gain)} times the images a second at batch ${last.value}, while the intensity grew ${formatNumber(moved)} times: what intensity does not explain is overhead amortised and lanes filled.`,
  };
}

function range(from: number, to: number): string {
  return `${formatNumber(from)} to ${formatNumber(to)} FLOP/byte`;
}
