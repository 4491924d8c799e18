import { expect, test } from 'vitest';
import { planPasses, type CallSlice, type CallWork } from '../../../src/gpu/train/stepPasses.ts';

/** Calls as long and as short as they come, in work of a device that does one unit a second. */
const calls: readonly CallWork[] = [
  { tiles: 100, work: 0.5 },
  { tiles: 1, work: 0.001 },
  { tiles: 7, work: 0.02 },
  { tiles: 3, work: 3 },
  { tiles: 640, work: 0.09 },
];

const slicesOf = (workgroups: number): CallSlice[] =>
  planPasses(calls, 1, workgroups).flatMap(({ slices }) => slices);

test.each([1, 2, 7, 64, Infinity])(
  '%d workgroups: every tile once, calls in order',
  (workgroups) => {
    const walked = slicesOf(workgroups).flatMap(({ call, first, end }) =>
      Array.from({ length: end - first }, (_, tile) => `${call}:${first + tile}`),
    );
    const all = calls.flatMap(({ tiles }, call) =>
      Array.from({ length: tiles }, (_, tile) => `${call}:${tile}`),
    );
    expect(walked).toEqual(all);
  },
);

test('a dispatch stays under 25 ms, or is a single tile; a pass stays under 80 ms', () => {
  for (const { slices, expectedSeconds, dispatchSeconds } of planPasses(calls, 1, Infinity)) {
    const seconds = slices.map(({ call, first, end }) => {
      const { work, tiles } = calls[call]!;
      const dispatch = (work / tiles) * (end - first);
      if (end - first > 1) expect(dispatch).toBeLessThanOrEqual(0.025);
      return dispatch;
    });
    expect(expectedSeconds).toBeCloseTo(seconds.reduce((a, b) => a + b, 0));
    expect(dispatchSeconds).toBeCloseTo(Math.max(...seconds));
    if (slices.length > 1) expect(expectedSeconds).toBeLessThanOrEqual(0.08);
  }
});

test('cuts fall between whole rounds of the workgroups where a round is short enough', () => {
  // 5 ms a tile: five tiles a dispatch at the most.
  const cut = slicesOf(2).filter(({ call }) => call === 0);
  expect(cut[0]).toEqual({ call: 0, first: 0, end: 4 });
  for (const { first, end } of cut.slice(0, -1)) expect((end - first) % 2).toBe(0);
});

test('a fast device gets one pass', () => {
  expect(planPasses(calls, 1e6, Infinity)).toHaveLength(1);
});
