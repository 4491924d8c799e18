import { roofOf, type Roof } from '../compare/comparedRun.ts';
import { memoryRoof, computeRoof } from '../roofline/attainable.ts';
import { formatNumber, formatShare } from '../units.ts';
import type { Answer, Lesson } from './lesson.ts';
import {
  deviceWord,
  lessonPlan,
  roofSeries,
  stepIntensity,
  type LessonData,
  type LessonPlan,
} from './lessonData.ts';

const batch = 8;
const options = [
  'Memory holds it back on both.',
  'Arithmetic holds it back on both.',
  'Memory on the first, arithmetic on the second.',
  'Arithmetic on the first, memory on the second.',
] as const;

interface NamedRoof {
  readonly name: string;
  readonly roof: Roof;
}

/** Lesson 2: the same program waits for different things on different machines. */
export function ridgePoint(data: LessonData): Lesson {
  const step = lessonPlan(batch);
  const intensity = stepIntensity(step.cost);
  const machines = twoMachines(data);
  const [first, second] = machines ?? [];
  return {
    title: 'The ridge point',
    misconception: 'Compute-bound is a property of my program.',
    introduction: [
      'A program brings its intensity: the operations that it does for every byte it moves. A machine brings its ridge point: the intensity at which its two limits meet. Left of the ridge, memory holds a program back; right of it, arithmetic does.',
      `One training step of a ResNet-8 on ${batch} images does ${formatNumber(intensity)} FLOP for every byte, wherever it runs.`,
    ],
    formulas: ['ridge'],
    question: {
      kind: 'choice',
      text: `What holds this step back: first on ${first?.name ?? 'the GPU'}, second on ${second?.name ?? 'the CPU'}?`,
      options,
    },
    ...(first && second
      ? { answer: ridgeAnswer(first, second, step) }
      : {
          missing:
            'It takes a run with two rooflines: a GPU and a CPU, or a CPU with one thread and with many.',
        }),
    takeaway: 'Bound by what? Only the pair of a program and a machine has an answer.',
    worksheet: [
      'Draw both roofs on one log-log sheet and mark the step on each.',
      'At which intensity would the two machines swap their answers?',
      'A new GPU doubles the arithmetic and keeps its memory. Where does its ridge go, and what happens to this step?',
    ],
  };
}

/** GPU and CPU, or the CPU with one thread and with all. */
function twoMachines(data: LessonData): readonly [NamedRoof, NamedRoof] | undefined {
  const gpu = roofOf(data.summary, 'gpu');
  const cpu = roofOf(data.summary, 'cpu');
  if (data.device === 'gpu' && gpu && cpu)
    return [
      { name: `the ${deviceWord(data, 'gpu')}`, roof: gpu },
      { name: 'the CPU', roof: cpu },
    ];
  const rooflines = data.summary.rooflines
    .filter(({ device }) => device === 'cpu')
    .toSorted((a, b) => (a.threads ?? 0) - (b.threads ?? 0))
    .flatMap((roofline): readonly NamedRoof[] => {
      const compute = computeRoof(roofline, 'f32');
      const memory = memoryRoof(roofline);
      if (!compute || !memory) return [];
      const { threads = 1 } = roofline;
      const roof = { compute, memory, ridge: compute.value / memory.value };
      return [{ name: `the CPU with ${threads} ${threads === 1 ? 'thread' : 'threads'}`, roof }];
    });
  const [one, ...more] = rooflines;
  const all = more.at(-1);
  return one && all ? [one, all] : undefined;
}

function ridgeAnswer(first: NamedRoof, second: NamedRoof, step: LessonPlan): Answer {
  const intensity = stepIntensity(step.cost);
  const isMemoryBound = [first, second].map(({ roof }) => intensity < roof.ridge);
  const value = isMemoryBound[0] ? (isMemoryBound[1] ? 0 : 2) : isMemoryBound[1] ? 3 : 1;
  const [low, high] = [first.roof.ridge, second.roof.ridge].toSorted((a, b) => a - b) as [
    number,
    number,
  ];
  const between = shareOfFlops(step, (own) => own >= low && own < high);
  return {
    value,
    text: options[value],
    rows: [
      { label: 'The step', value: `${formatNumber(intensity)} FLOP/byte` },
      ...[first, second].map(({ name, roof }) => ({
        label: `Ridge point of ${name}`,
        value: `${formatNumber(roof.ridge)} FLOP/byte`,
      })),
      ...[first, second].map(({ name, roof }) => ({
        label: `Operations in calls right of the ridge of ${name}`,
        value: formatShare(shareOfFlops(step, (own) => own >= roof.ridge)),
      })),
    ],
    explanation: [
      `The step has one intensity and the machines have two ridge points: ${formatNumber(first.roof.ridge)} and ${formatNumber(second.roof.ridge)} FLOP/byte. A program of ${formatNumber(low)} to ${formatNumber(high)} FLOP/byte is bound by arithmetic on one and by memory on the other.`,
      `A step is many calls of unlike intensity: calls that do ${formatShare(between)} of its operations lie between the two ridge points and change sides with the machine.`,
    ],
    chart: [first, second].map(({ name, roof }, style) =>
      roofSeries(name, style, roof, [
        [
          {
            intensity,
            flopsPerSecond: Math.min(roof.compute.value, roof.memory.value * intensity),
            label: `the step's roof on ${name}`,
          },
        ],
      ]),
    ),
  };
}

/** The share of a step's operations in calls whose intensity passes the test. */
function shareOfFlops({ cost }: LessonPlan, test: (intensity: number) => boolean): number {
  const kept = cost.ops.filter(({ executedFlops, bytes }) =>
    test(executedFlops / bytes.algorithmic),
  );
  return kept.reduce((sum, { executedFlops }) => sum + executedFlops, 0) / cost.executedFlops;
}
