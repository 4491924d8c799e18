import { describe, expect, test } from 'vitest';
import { longer, noWork } from '../../../src/gpu/longestWork.ts';
import { sliced, type TimedPass } from '../../../src/gpu/passes.ts';
import { sizeWorkload, timeWorkload, type Workload } from '../../../src/gpu/probes/workload.ts';
import type { GpuTimer } from '../../../src/gpu/timer.ts';

/** A device on which a unit of work takes so long, and the longest dispatch that it was given. */
class SimulatedDevice {
  readonly source = 'timestamp';
  longestSeconds = 0;
  dispatches = 0;
  /** From its so-manieth dispatch on another program halves its speed, or more. */
  slowed = { after: Infinity, times: 1 };
  readonly #amounts = new WeakMap<TimedPass['record'], number>();
  readonly #unitSeconds: number;

  constructor(unitSeconds: number) {
    this.#unitSeconds = unitSeconds;
  }

  readonly workload: Workload = {
    record: (amount) => {
      const record = () => void amount;
      this.#amounts.set(record, amount);
      return record;
    },
    clear: () => {},
    check: () => Promise.resolve({ kind: 'right', flags: [] }),
  };

  passSeconds(wanted: number): number {
    return wanted;
  }

  roughSeconds(record: TimedPass['record']): Promise<number> {
    return Promise.resolve(this.#run(record));
  }

  measure(passes: readonly TimedPass[]) {
    const seconds = passes.map(({ record }) => this.#run(record));
    return Promise.resolve({ timer: 'timestamp', seconds, runs: passes.map(() => 1) });
  }

  #run(record: TimedPass['record']): number {
    const slower = this.dispatches >= this.slowed.after ? this.slowed.times : 1;
    const seconds = (this.#amounts.get(record) ?? 0) * this.#unitSeconds * slower;
    this.longestSeconds = Math.max(this.longestSeconds, seconds);
    this.dispatches += 1;
    return seconds;
  }
}

async function trialOn(device: SimulatedDevice, seconds: number, first?: number) {
  const timer = device as unknown as GpuTimer;
  const size = await sizeWorkload(timer, device.workload, seconds, first);
  return timeWorkload(timer, device.workload, size, 3);
}

const units = Array.from({ length: 28 }, (_, index) => 1e-9 * 2 ** index);

describe('on devices from fast to slow', () => {
  test.each(units)(
    'with units of %d s no dispatch passes 50 ms but a single unit',
    async (unit) => {
      for (const seconds of [0.002, 0.006, 0.025]) {
        const device = new SimulatedDevice(unit);
        const trial = await trialOn(device, seconds);
        expect(device.longestSeconds).toBeLessThanOrEqual(Math.max(0.05, unit) * 1.0001);
        if (2 * unit > 0.05) {
          expect(trial).toMatchObject({ seconds: [], refusal: { of: 'time' } });
          expect(trial.refusal?.reason).toMatch(/ms may trip a watchdog/);
          expect(device.dispatches).toBe(1);
        } else expect(trial.refusal).toBeUndefined();
      }
    },
  );

  test('where a rate is known, a device eight times slower than that is safe too', async () => {
    const seconds = 0.006;
    const unit = 1e-5;
    const device = new SimulatedDevice(8 * unit);
    const trial = await trialOn(device, seconds, Math.floor((0.25 * seconds) / unit));
    expect(trial.refusal).toBeUndefined();
    expect(device.longestSeconds).toBeLessThanOrEqual(0.05);
  });

  test('that turns out slower than it was sized by, a run past 50 ms is not tried again', async () => {
    const device = new SimulatedDevice(1e-4);
    // Its times double from pair to pair, as if work were skipped: tried three times otherwise.
    const { workload } = device;
    const uneven = { ...workload, linearWithin: 0.9 };
    const timer = device as unknown as GpuTimer;
    const size = await sizeWorkload(timer, workload, 0.02);
    const pairs = 3;
    device.slowed = { after: device.dispatches, times: 2 };
    const sized = device.dispatches;
    const trial = await timeWorkload(timer, uneven, size, pairs);
    expect(trial.refusal?.reason).toMatch(/a dispatch of \d\d ms may trip a watchdog/);
    expect(device.dispatches - sized).toBe(2 * pairs);
  });

  test('work grows at most eightfold from one run to the next', async () => {
    const amounts: number[] = [];
    const timer = {
      roughSeconds: (record: () => number) => Promise.resolve(record() * 1e-7),
    } as unknown as GpuTimer;
    const record = (amount: number) => {
      amounts.push(amount);
      return (() => amount) as unknown as TimedPass['record'];
    };
    const workload = { record } as unknown as Workload;
    await sizeWorkload(timer, workload, 0.006);
    expect(amounts[0]).toBe(1);
    for (const [index, amount] of amounts.slice(1).entries())
      expect(amount / amounts[index]!).toBeLessThanOrEqual(8);
  });
});

const pass = (expectedSeconds: number): TimedPass => ({ record: () => {}, expectedSeconds });

const total = (passes: readonly TimedPass[]) =>
  passes.reduce((sum, { expectedSeconds }) => sum + expectedSeconds, 0);

describe('submits', () => {
  test.each([0.0001, 0.003, 0.024, 0.05])('of passes of %d s stay well under 200 ms', (seconds) => {
    const slices = sliced(Array.from({ length: 200 }, () => pass(seconds)));
    for (const slice of slices) expect(total(slice)).toBeLessThanOrEqual(0.0801);
    expect(slices.flat()).toHaveLength(200);
  });

  test('the longest pass and submit are remembered', () => {
    const passes = [0.05, 0.05, 0.02, 0.02].map(pass);
    const seconds = [0.06, 0.01, 0.02, 0.03];
    // The second to the fourth share no slice with the first: together they are past 80 ms.
    const first = longer(noWork, passes, { seconds });
    expect(first.passSeconds).toBe(0.06);
    expect(first.submitSeconds).toBeCloseTo(0.06);
    const second = longer(first, [pass(0.01), pass(0.01)], { seconds: [0.04, 0.05] });
    expect(second.passSeconds).toBe(0.06);
    expect(second.submitSeconds).toBeCloseTo(0.09);
  });

  test('what was planned stands beside what was timed, by dispatches; guesses do not count', () => {
    const slow = longer(noWork, [0.02, 0.03, 0.01].map(pass), { seconds: [0.15, 0.04, 0.01] });
    expect(slow).toMatchObject({ passSeconds: 0.15, plannedDispatchSeconds: 0.03 });
    expect(slow.plannedSubmitSeconds).toBeCloseTo(0.06);
    const step = { ...pass(0.07), dispatchSeconds: 0.025 };
    const guess = { ...pass(0.9), dispatchSeconds: 0 };
    const trained = longer(slow, [step, guess], { seconds: [0.08, 0.01] });
    expect(trained).toMatchObject({ passSeconds: 0.15, plannedDispatchSeconds: 0.03 });
    expect(trained.plannedSubmitSeconds).toBeCloseTo(0.07);
  });
});
