import { describe, expect, it } from 'vitest';
import {
  arrowheads,
  nearest,
  overlaps,
  placeLabels,
  type Box,
} from '../../../src/core/chart/geometry.ts';

function box(x: number, y: number, width: number, height: number, angle = 0): Box {
  return { x, y, width, height, angle };
}

describe('overlaps', () => {
  it('tells touching boxes from free ones', () => {
    expect(overlaps(box(0, 0, 10, 10), box(8, 0, 10, 10))).toBe(true);
    expect(overlaps(box(0, 0, 10, 10), box(12, 0, 10, 10))).toBe(false);
  });

  it('sees that a turned box leaves its bounding box free', () => {
    const diagonal = box(50, 50, 100, 4, Math.PI / 4);
    expect(overlaps(diagonal, box(80, 25, 10, 10))).toBe(false);
    expect(overlaps(diagonal, box(70, 70, 10, 10))).toBe(true);
  });
});

describe('placeLabels', () => {
  const candidates = [box(20, 20, 30, 10), box(20, 40, 30, 10)];

  it('gives each label its first free place, earlier ones first', () => {
    expect(placeLabels([{ candidates }, { candidates }], [], [], 100, 100)).toEqual(candidates);
  });

  it('leaves a label out rather than let it collide or leave the plot', () => {
    const outside = { candidates: [box(2, 2, 30, 10)] };
    const requests = [{ candidates }, { candidates }, { candidates }, outside];
    expect(placeLabels(requests, [], [], 100, 100).slice(2)).toEqual([undefined, undefined]);
  });

  it('keeps off marks', () => {
    const marks = [box(20, 20, 4, 4)];
    expect(placeLabels([{ candidates }], marks, [], 100, 100)).toEqual([candidates[1]]);
  });

  it('crosses a line only where every other place is taken', () => {
    const line = box(20, 20, 60, 1);
    expect(placeLabels([{ candidates }], [], [line], 100, 100)).toEqual([candidates[1]]);
    const marks = [box(20, 40, 4, 4)];
    expect(placeLabels([{ candidates }], marks, [line], 100, 100)).toEqual([candidates[0]]);
  });
});

describe('arrowheads', () => {
  it('points along each long segment', () => {
    const path = [
      { x: 0, y: 0 },
      { x: 0, y: -40 },
      { x: 3, y: -40 },
    ];
    expect(arrowheads(path, 20)).toEqual([{ x: 0, y: -20, angle: -Math.PI / 2 }]);
  });

  it('still shows the direction of a path of short segments', () => {
    const path = [
      { x: 0, y: 0 },
      { x: 2, y: 0 },
      { x: 7, y: 0 },
    ];
    expect(arrowheads(path, 20)).toEqual([{ x: 4.5, y: 0, angle: 0 }]);
  });

  it('has no direction without movement', () => {
    expect(arrowheads([{ x: 1, y: 1 }], 20)).toEqual([]);
    expect(
      arrowheads(
        [
          { x: 1, y: 1 },
          { x: 1, y: 1 },
        ],
        20,
      ),
    ).toEqual([]);
  });
});

describe('nearest', () => {
  const points = [
    { x: 0, y: 0 },
    { x: 10, y: 0 },
  ];

  it('finds the nearest point within the radius', () => {
    expect(nearest(points, { x: 7, y: 1 }, 5)).toBe(1);
    expect(nearest(points, { x: 5, y: 20 }, 5)).toBeUndefined();
  });
});
