import { expect, test } from 'vitest';
import { tuningSummaries } from '../../../src/core/roofline/tuning.ts';
import type { TuningChoice } from '../../../src/core/run/events.ts';
import { tuneStep, type TunedDevice, type TunedSide } from '../../../src/core/sweeps/tune.ts';

const start = { model: 'resnet8', batch: 8 } as const;
const limits = { budget: { seconds: 0.8, mostSeconds: 10, visits: 2 }, seed: 1 };
const choice: TuningChoice = {
  key: 'a',
  defaultVariant: 'x',
  variant: 'y',
  defaultSeconds: 2,
  seconds: 1,
};

/** Each image costs 1 ms, a step 8 ms more; the chosen kernel halves what images cost. */
function stepSeconds({ setting, choices }: TunedSide): number {
  const isChosen = choices.some(({ variant }) => variant === 'y');
  return 1e-3 * (setting.batch * (isChosen ? 0.5 : 1) + 8);
}

function deviceOf(change: Partial<TunedDevice>): { device: TunedDevice; order: TunedSide[] } {
  const order: TunedSide[] = [];
  const device: TunedDevice = {
    parameters: ['batch'],
    bounds: () => Promise.resolve({ largestBatch: 64 }),
    time: ({ setting }) =>
      Promise.resolve({
        status: 'ok',
        seconds: Array<number>(6).fill(stepSeconds({ setting, choices: [] })),
      }),
    remainingSeconds: () => 1e6,
    chooseKernels: () => Promise.resolve([choice]),
    timeSide(side) {
      order.push(side);
      return Promise.resolve(Array<number>(3).fill(stepSeconds(side)));
    },
    ...change,
  };
  return { device, order };
}

/** As a worker tells them. */
async function gains(device: TunedDevice): Promise<readonly (readonly [string, number])[]> {
  const results = await tuneStep(start, device, limits);
  const subject = {
    device: 'gpu',
    deviceId: 'gpu-0',
    model: 'resnet8',
    timer: 'timestamp',
  } as const;
  const tunings = results.map((result) => Object.assign({ batch: start.batch }, subject, result));
  return tuningSummaries(tunings).map(({ scope, gain }) => [scope, gain.ratio]);
}

function rate(batch: number, imageMilliseconds: number): number {
  return batch / (batch * imageMilliseconds + 8);
}

test('kernels, configuration and both together are told apart, in images a second', async () => {
  const { device, order } = deviceOf({});
  const found = new Map(await gains(device));
  expect(found.get('kernels')).toBeCloseTo(rate(8, 0.5) / rate(8, 1), 9);
  expect(found.get('configuration')).toBeCloseTo(rate(64, 1) / rate(8, 1), 9);
  expect(found.get('together')).toBeCloseTo(rate(64, 0.5) / rate(8, 1), 9);
  // All four in turn, three times.
  expect(order).toHaveLength(12);
  expect(order.slice(0, 4)).toEqual(order.slice(4, 8));
});

test('what changes nothing is not timed apart, and gains nothing', async () => {
  const { device, order } = deviceOf({
    parameters: [],
    chooseKernels: () => Promise.resolve([{ ...choice, variant: 'x' }]),
  });
  expect(await gains(device)).toEqual([
    ['kernels', 1],
    ['configuration', 1],
    ['together', 1],
  ]);
  expect(order).toHaveLength(3);
});

test('a device with one kernel of each kind has a configuration to tune', async () => {
  const { parameters, ...rest } = deviceOf({}).device;
  const device = Object.assign(rest, { parameters });
  delete device.chooseKernels;
  expect((await gains(device)).map(([scope]) => scope)).toEqual(['configuration']);
});
