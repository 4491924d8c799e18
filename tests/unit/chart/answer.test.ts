import { describe, expect, it } from 'vitest';
import { trainingAnswers } from '../../../src/core/chart/answer.ts';
import type { Trajectory, TrajectoryPoint } from '../../../src/core/roofline/types.ts';
import { summary } from '../../../src/core/run/summary.ts';
import { sampleRecord } from '../../support/sample-record.ts';

const whole = summary(sampleRecord);

/** The sentence of the GPU's batch sweep with other roofs' shares at every point. */
function sentenceOf(
  change: Partial<TrajectoryPoint>,
  rest: Partial<Trajectory> = {},
): string | undefined {
  const trajectories = whole.trajectories.map((trajectory) => ({
    ...trajectory,
    points: trajectory.points.map((point) => ({ ...point, ...change })),
    ...rest,
  }));
  return trainingAnswers({ ...whole, trajectories }, 'gpu')[0]?.sentence;
}

describe('what holds training back', () => {
  it('is told in one sentence, with the shares that it rests on', () => {
    const [answer, ...more] = trainingAnswers(whole, 'gpu');
    expect(more).toEqual([]);
    expect(answer?.sentence).toMatch(/^Training ResNet-8 on the software GPU .*saturate/);
    const { compute, memory, rest } = answer!.shares;
    expect(compute + memory + rest).toBeCloseTo(1, 12);
    const trajectory = whole.trajectories.find(({ parameter }) => parameter === 'batch');
    const best = trajectory?.points.find(({ value }) => value === trajectory.optimum?.value);
    // A second way to the rest: what is past the least possible time.
    expect(rest).toBeCloseTo(1 - best!.roofFraction!, 12);
  });

  it.each([
    [0.9, { compute: 1, memory: 0 }, 'is bound by arithmetic and saturates'],
    [0.9, { compute: 0.1, memory: 0.9 }, 'is bound by memory and saturates'],
    [0.9, { compute: 0.45, memory: 0.55 }, 'is bound by arithmetic and memory alike'],
    [0.2, { compute: 1, memory: 0 }, 'is bound by neither arithmetic nor memory yet'],
  ])('names the largest share: %d of the roof, %o', (roofFraction, bound, words) => {
    expect(sentenceOf({ roofFraction, bound }, { saturation })).toContain(words);
  });

  it('names the batch where growth ends, or says that it did not', () => {
    expect(sentenceOf({}, { saturation })).toContain('saturates at batch 4.');
    expect(sentenceOf({}, { saturation: undefined } as unknown as Partial<Trajectory>)).toContain(
      'has not saturated at batch 32, the largest measured',
    );
  });

  it('is not told without a roof', () => {
    expect(
      sentenceOf({ roofFraction: undefined } as unknown as Partial<TrajectoryPoint>),
    ).toBeUndefined();
  });
});

const saturation = { value: 4, earliest: 2, latest: 8 };
