import { describe, expect, test } from 'vitest';
import {
  blackBoxSearch,
  type SearchedDevice,
  type SearchOutcome,
} from '../../../src/core/sweeps/blackBox.ts';
import type { StepSetting } from '../../../src/core/sweeps/sweep.ts';
import type { SweepParameter } from '../../../src/core/run/config.ts';
import { noisyTimes } from '../roofline/samples.ts';

const limits = { budget: { seconds: 0.8, mostSeconds: 10, visits: 2 }, seed: 1 };
const start = { model: 'resnet8', batch: 8 } as const;
/** More than any search here takes. */
const enough = 1e6;

async function search(
  parameters: readonly SweepParameter[],
  secondsOf: (setting: StepSetting) => number,
  { noise = 0, seed = 1, seconds = enough, cores = 0 } = {},
): Promise<{ outcome: SearchOutcome; visits: number; visited: Set<string> }> {
  let visits = 0;
  let spent = 0;
  const visited = new Set<string>();
  const searched: SearchedDevice = {
    bounds: ({ batch }) =>
      Promise.resolve({
        largestBatch: 64,
        mostTiles: 16 * batch,
        workgroupSizes: [32, 64, 128],
        cores,
      }),
    time({ setting }, parameter) {
      visits += 1;
      visited.add(parameter);
      expect(visits).toBeLessThan(200);
      const times = noisyTimes(secondsOf(setting), noise, 9, 1000 * seed + visits);
      spent += times.reduce((sum, each) => sum + each, 0);
      return Promise.resolve({ status: 'ok', seconds: times });
    },
    remainingSeconds: () => seconds - spent,
  };
  return { outcome: await blackBoxSearch(parameters, start, searched, limits), visits, visited };
}

/** Fastest at batch 64, 64 workgroups and 64 lanes: each halving or doubling away costs a fifth. */
function device({ batch, workgroups = 1024, workgroupSize = 32 }: StepSetting): number {
  const away = Math.abs(Math.log2(workgroups / 64)) + Math.abs(Math.log2(workgroupSize / 64));
  return 1e-3 * (batch + 8) * 1.2 ** away;
}

/** Each replica has its share of four cores unless it is told how many; waits cost a tenth for each. */
function fourCores({ batch, replicas = 1, threads = 4 / replicas }: StepSetting): number {
  return (batch / replicas / threads) * 1.1 ** threads;
}

function slow({ batch }: StepSetting): number {
  return 0.1 * batch;
}

describe('a search without a look inside', () => {
  test('finds the best of a device whose parameters do not hinder each other', async () => {
    const { outcome } = await search(['batch', 'workgroups', 'workgroupSize'], device);
    expect(outcome.best).toEqual({
      model: 'resnet8',
      batch: 64,
      workgroups: 64,
      workgroupSize: 64,
    });
    expect(outcome.steps).toEqual([
      { parameter: 'batch', from: 8, to: 64 },
      { parameter: 'workgroups', from: 1024, to: 64 },
      { parameter: 'workgroupSize', to: 64 },
    ]);
  });

  test('changes nothing where nothing is faster beyond the intervals', async () => {
    let changed = 0;
    for (let seed = 1; seed <= 100; seed += 1) {
      const noisy = { noise: 0.03, seed };
      const { outcome } = await search(['workgroupSize', 'workgroups'], () => 0.05, noisy);
      if (outcome.steps.length > 0) changed += 1;
      else expect(outcome.best).toEqual(start);
    }
    expect(changed).toBeLessThanOrEqual(5);
  });

  test('replicas share the cores, and threads are what the cores leave each of them', async () => {
    const { outcome } = await search(['replicas', 'threads'], fourCores, { cores: 4 });
    expect(outcome.best).toEqual({ model: 'resnet8', batch: 8, replicas: 4 });
  });

  test('the time is shared among the sweeps: one that takes all leaves some to the next', async () => {
    const { visited } = await search(['batch', 'workgroupSize'], slow, { seconds: 40 });
    expect(visited).toEqual(new Set(['batch', 'workgroupSize']));
  });

  test('nothing to sweep, nothing to visit', async () => {
    expect((await search([], device)).visits).toBe(0);
    expect((await search(['threads'], device)).visits).toBe(0);
  });
});
