import { describe, expect, it } from 'vitest';
import { lessons } from '../../../src/core/lessons/lessons.ts';
import {
  verdictOf,
  type Answer,
  type Lesson,
  type Question,
} from '../../../src/core/lessons/lesson.ts';
import { lessonPlan, type LessonData } from '../../../src/core/lessons/lessonData.ts';
import { serialShare } from '../../../src/core/lessons/strongScaling.ts';
import type { DeviceKind } from '../../../src/core/run/config.ts';
import type { RunEvent, StepTiming } from '../../../src/core/run/events.ts';
import { summary } from '../../../src/core/run/summary.ts';
import { sampleRecord } from '../../support/sample-record.ts';

function dataOf(
  device: DeviceKind,
  more: readonly RunEvent[] = [],
  keep: (event: RunEvent) => boolean = () => true,
): LessonData {
  const events = [...sampleRecord.events.filter(keep), ...more];
  return { name: 'test', device, events, summary: summary({ ...sampleRecord, events }) };
}

function lesson(number: number, data: LessonData): Lesson {
  return lessons[number - 1]!(data);
}

function answerOf(number: number, data: LessonData): Answer {
  const { answer, missing } = lesson(number, data);
  if (answer === undefined) throw new Error(missing);
  return answer;
}

function valueOf({ rows }: Answer, label: string): string | undefined {
  return rows.find((row) => row.label === label)?.value;
}

/** A CPU step that trained `batch` images on workers of a kind. */
function cpuStep(
  parameter: 'threads' | 'replicas',
  value: number,
  seconds: number,
  waiting = 0,
): RunEvent {
  const times = Array.from({ length: 8 }, () => seconds);
  const waits = times.map((time) => time * waiting);
  const step: StepTiming = {
    device: 'cpu',
    deviceId: 'cpu',
    model: 'resnet8',
    inputChannels: 1,
    precision: 'f32',
    parameter,
    value,
    batch: 32,
    threads: parameter === 'threads' ? value : 1,
    ...(parameter === 'replicas' && {
      replicas: value,
      scaling: 'strong',
      allReduceSeconds: waits,
    }),
    ...(parameter === 'threads' && { barrierSeconds: waits }),
    coldSeconds: seconds,
    seconds: times,
    timer: 'clock',
    status: 'ok',
    losses: [2],
  };
  return { kind: 'step', step };
}

/** A GPU's triad over a working set. */
function triad(workingSetSize: number, bytesPerSecond: number): RunEvent {
  return {
    kind: 'sample',
    sample: {
      device: 'gpu',
      deviceId: 'swiftshader',
      probe: 'triad',
      variant: 'vec4',
      measured: { kind: 'bandwidth', pattern: 'triad', bytes: 1e9, workingSetSize },
      seconds: [1e9 / bytesPerSecond],
      timer: 'timestamp',
      status: 'ok',
      flags: [],
    },
  };
}

/** Seconds of a step on two threads and on two replicas, with what they waited. */
function pair(threads: number, replicas: number): readonly RunEvent[] {
  return [
    cpuStep('threads', 1, 1),
    cpuStep('replicas', 1, 1),
    cpuStep('threads', 2, threads, 0.25),
    cpuStep('replicas', 2, replicas, 0.125),
  ];
}

/** Amdahl's speed-up. */
function amdahl(serial: number, workers: number): number {
  return 1 / (serial + (1 - serial) / workers);
}

describe('every lesson', () => {
  const cpuSteps = [1, 2].flatMap((value) => [
    cpuStep('threads', value, 1 / value),
    cpuStep('replicas', value, 1.2 / value),
  ]);

  it.each(['gpu', 'cpu'] as const)(
    'has an answer within its scale on the numbers of a %s',
    (device) => {
      for (const [index] of lessons.entries()) {
        const { question, answer } = lesson(index + 1, dataOf(device, cpuSteps));
        expect(answer, `lesson ${index + 1}`).toBeDefined();
        const [min, max] =
          question.kind === 'number'
            ? [question.min, question.max]
            : [0, question.options.length - 1];
        expect(answer!.value, `lesson ${index + 1}`).toBeGreaterThanOrEqual(min);
        expect(answer!.value, `lesson ${index + 1}`).toBeLessThanOrEqual(max);
        expect(answer!.rows.length).toBeGreaterThan(1);
        expect(verdictOf(question, answer!.value, answer!)).toBe('right');
      }
    },
  );

  it('says what is missing where nothing was measured, and never makes up a number', () => {
    const empty = dataOf('gpu', [], ({ kind }) => kind === 'environment');
    const made = lessons.map((make) => make(empty));
    // The third is about counts of the plan, which no measurement changes.
    expect(made.map(({ answer }) => answer !== undefined)).toEqual([
      false,
      false,
      true,
      false,
      false,
      false,
    ]);
    for (const { answer, missing } of made)
      expect(missing === undefined).toBe(answer !== undefined);
  });
});

describe('lesson 1, two limits', () => {
  it('takes the measured triad over the largest working sets', () => {
    const data = dataOf('gpu', [triad(4096, 60e9), triad(1e9, 3e9)]);
    const peak = data.summary.rooflines.find(({ device }) => device === 'gpu')!.compute[0]!.value;
    const answer = answerOf(1, data);
    expect(answer.value).toBeCloseTo((100 * 3e9) / 6 / peak, 6);
    expect(valueOf(answer, 'Triad, measured')).toBe('3.00 GB/s, that is 500 MFLOP/s');
  });
});

describe('lesson 2, the ridge point', () => {
  it('finds the side of each ridge, by the GPU and the CPU', () => {
    // Ridges of about 14 and 3: the step, near 11, is right of the second alone.
    const answer = answerOf(2, dataOf('gpu'));
    expect(answer.value).toBe(2);
    expect(answer.chart).toHaveLength(2);
  });

  it('sets one thread against all on the CPU alone', () => {
    const { question } = lesson(2, dataOf('cpu'));
    expect(question.text).toContain('the CPU with 1 thread');
    expect(question.text).toContain('the CPU with 2 threads');
  });
});

describe('lesson 3, the batch', () => {
  it('counts operations and bytes of calls that share unlike much', () => {
    const answer = answerOf(3, dataOf('gpu'));
    expect(valueOf(answer, 'Last 3x3 convolution, forward')).toBe('26.2 to 126 FLOP/byte');
    expect(valueOf(answer, 'Whole step')).toMatch(/^8\.\d\d to 12\.\d FLOP\/byte$/);
    const [before, after] = valueOf(answer, 'Last batch-norm, forward')!.split(' to ');
    expect(Number.parseFloat(after!)).toBeCloseTo(Number.parseFloat(before!), 1);
    expect(answer.rows.at(-1)?.label).toContain('batch 1 and 32');
  });

  it('agrees with the formula of the convolution, worked out by hand', () => {
    const { plan, cost } = lessonPlan(4);
    const index = plan.ops.findIndex(
      ({ name, kind }) => name === 'stage3.block1.conv2' && kind === 'conv2d.forward',
    );
    const flops = 2 * 4 * 8 * 8 * 64 * 64 * 9;
    const bytes = 4 * (4 * 8 * 8 * (64 + 64) + 9 * 64 * 64);
    expect(cost.ops[index]!.flops / cost.ops[index]!.bytes.algorithmic).toBeCloseTo(
      flops / bytes,
      9,
    );
  });
});

describe('lesson 4, strong scaling', () => {
  it('reads speed-up from workgroups on a GPU', () => {
    const answer = answerOf(4, dataOf('gpu'));
    expect(answer.value).toBeCloseTo(2.1, 1);
    expect(answer.rows[0]?.label).toBe('1 workgroup');
  });

  it('falls back on the arithmetic of a CPU that trained nothing', () => {
    const answer = answerOf(4, dataOf('cpu'));
    expect(answer.value).toBeCloseTo(2 ** 0.9, 2);
    expect(answer.explanation[0]).toContain('The arithmetic probe');
  });

  it('prefers training on threads', () => {
    const steps = [1, 2].map((threads) => cpuStep('threads', threads, 1 / threads ** 0.5));
    expect(answerOf(4, dataOf('cpu', steps)).value).toBeCloseTo(Math.SQRT2, 6);
  });

  it('knows the serial share of Amdahl', () => {
    expect(serialShare(amdahl(0.1, 8), 8)).toBeCloseTo(0.1, 12);
    expect(serialShare(8, 8)).toBeCloseTo(0, 12);
  });
});

describe('lesson 5, threads or replicas', () => {
  it.each([
    [0.5, 0.6, 0],
    [0.5, 0.51, 1],
    [0.6, 0.5, 2],
  ])('of %d s and %d s answers %d', (threads, replicas, value) => {
    expect(answerOf(5, dataOf('cpu', pair(threads, replicas))).value).toBe(value);
  });

  it('tells what each waits for', () => {
    const answer = answerOf(5, dataOf('gpu', pair(0.5, 0.6)));
    expect(valueOf(answer, 'Threads waiting for each other')).toBe('25 %');
    expect(valueOf(answer, 'Replicas averaging gradients')).toBe('13 %');
  });

  it('is not about weak scaling, nor about unlike batches', () => {
    const [first, ...rest] = pair(0.5, 0.6).toReversed();
    if (first?.kind !== 'step') throw new Error('a step');
    const weak: RunEvent = { kind: 'step', step: { ...first.step, scaling: 'weak' } };
    expect(lesson(5, dataOf('cpu', [weak, ...rest])).answer).toBeUndefined();
    const other: RunEvent = { kind: 'step', step: { ...first.step, batch: 64 } };
    expect(lesson(5, dataOf('cpu', [other, ...rest])).answer).toBeUndefined();
  });
});

describe('lesson 6, off the roof', () => {
  it('adds up least times call by call, another way', () => {
    const data = dataOf('gpu');
    const roofline = data.summary.rooflines.find(({ device }) => device === 'gpu')!;
    const peak = roofline.compute[0]!.value;
    const { cost } = lessonPlan(8);
    let seconds = 0;
    for (const { executedFlops, bytes } of cost.ops) {
      const level =
        roofline.bandwidth.find(
          ({ capacityBytes }) =>
            capacityBytes !== undefined && bytes.algorithmic < capacityBytes / 2,
        ) ?? roofline.bandwidth.at(-1)!;
      seconds += Math.max(executedFlops / peak, bytes.algorithmic / level.value);
    }
    const intensity = cost.executedFlops / cost.bytes.algorithmic;
    const roof = Math.min(peak, roofline.bandwidth.at(-1)!.value * intensity);
    const answer = answerOf(6, data);
    expect(answer.value).toBeCloseTo((100 * cost.executedFlops) / seconds / roof, 6);
    expect(answer.chart?.[0]?.paths).toHaveLength(2);
  });

  it('shows measured times of calls where a run took them', () => {
    const { plan } = lessonPlan(8);
    const calls = plan.ops.map(({ kind }, index) => ({
      ops: [index],
      variant: 'direct',
      seconds: [kind.startsWith('conv2d') ? 3 : 1],
      timer: 'timestamp' as const,
      flags: [],
    }));
    const convolutions = plan.ops.filter(({ kind }) => kind.startsWith('conv2d')).length;
    const events = sampleRecord.events.map((event): RunEvent =>
      event.kind === 'step' && event.step.batch === 8
        ? { kind: 'step', step: Object.assign(structuredClone(event.step), { calls }) }
        : event,
    );
    const answer = answerOf(6, { ...dataOf('gpu'), events });
    const share = (3 * convolutions) / (2 * convolutions + plan.ops.length);
    expect(valueOf(answer, 'Convolutions')).toContain(
      `${Math.round(100 * share)} % of the measured`,
    );
  });
});

describe('verdict', () => {
  const number: Question = { kind: 'number', text: '', unit: '%', min: 0.1, max: 100 };
  const answer: Answer = { value: 10, text: '', rows: [], explanation: [] };
  it.each([
    [10, 'right'],
    [12.4, 'right'],
    [8.1, 'right'],
    [12.6, 'near'],
    [5.1, 'near'],
    [4.9, 'off'],
    [80, 'off'],
  ] as const)('of %d for 10 is %s', (prediction, verdict) => {
    expect(verdictOf(number, prediction, answer)).toBe(verdict);
  });

  it('of a choice is right or off', () => {
    const choice: Question = { kind: 'choice', text: '', options: ['a', 'b'] };
    expect(verdictOf(choice, 1, { ...answer, value: 1 })).toBe('right');
    expect(verdictOf(choice, 0, { ...answer, value: 1 })).toBe('off');
  });
});
