import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { logTicks } from '../../../src/core/chart/axis.ts';
import type { Frame } from '../../../src/core/chart/frame.ts';
import { panned, zoomed } from '../../../src/core/chart/zoom.ts';

const frame: Frame = { x: { min: 0.1, max: 1000 }, y: { min: 1e9, max: 1e12 } };

function decades({ min, max }: Frame['x']): number {
  return Math.log10(max / min);
}

function at({ min, max }: Frame['x'], share: number): number {
  return min * (max / min) ** share;
}

describe('zoomed', () => {
  it('keeps the place it is about where it is', () => {
    const closer = zoomed(frame, 0.5, [0.25, 0.75]);
    expect(at(closer.x, 0.25)).toBeCloseTo(at(frame.x, 0.25), 6);
    expect(at(closer.y, 0.75) / at(frame.y, 0.75)).toBeCloseTo(1, 9);
    expect(decades(closer.x)).toBeCloseTo(2, 9);
  });

  it('returns when zoomed in and out about the same place', () => {
    const back = zoomed(zoomed(frame, 0.5, [0.3, 0.3]), 2, [0.3, 0.3]);
    for (const axis of ['x', 'y'] as const) {
      expect(back[axis].min / frame[axis].min).toBeCloseTo(1, 9);
      expect(back[axis].max / frame[axis].max).toBeCloseTo(1, 9);
    }
  });
});

it('panning moves the frame by its shares and keeps its extent', () => {
  const moved = panned(frame, [0.25, -0.5]);
  expect(moved.x.min).toBeCloseTo(1, 9);
  expect(decades(moved.y)).toBeCloseTo(3, 9);
  expect(moved.y.min / 10 ** 7.5).toBeCloseTo(1, 9);
});

it('any sequence of gestures ends in a frame that can be drawn', () => {
  const gesture = fc.oneof(
    fc.record({
      kind: fc.constant('zoom' as const),
      by: fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
    }),
    fc.record({
      kind: fc.constant('pan' as const),
      by: fc.double({ min: -50, max: 50, noNaN: true }),
    }),
  );
  fc.assert(
    fc.property(fc.array(gesture, { maxLength: 30 }), (gestures) => {
      const end = gestures.reduce(
        (now, { kind, by }) =>
          kind === 'zoom' ? zoomed(now, by, [0.4, 0.6]) : panned(now, [by, -by]),
        frame,
      );
      for (const range of [end.x, end.y]) {
        expect(range.min).toBeGreaterThan(0);
        expect(Number.isFinite(range.max)).toBe(true);
        expect(decades(range)).toBeGreaterThan(0.049);
        expect(logTicks(range).length).toBeLessThan(200);
      }
    }),
  );
});
