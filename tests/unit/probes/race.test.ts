import { expect, test } from 'vitest';
import { alongValues, coordinateDescent } from '../../../src/core/probes/race.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}
const axis = [0, 1, 2, 3, 4, 5, 6, 7];
const moves = [
  ...alongValues<Point, 'x'>('x', axis),
  ...alongValues<Point, 'y'>('y', axis, ({ x, y }) => x + y < 12),
];

/** Runs a race over a function and keeps the order of measurement. */
function run(openings: Point[], limit: number, score: (point: Point) => number) {
  const measured: Point[] = [];
  const race = coordinateDescent(openings, moves, limit);
  let step = race.next();
  while (!step.done) {
    measured.push(step.value);
    step = race.next(score(step.value));
  }
  return { measured, ranked: step.value };
}

/** One hill whose ridge runs along the diagonal, best at (6, 5). */
const hill = ({ x, y }: Point) => 100 - (x - 6) ** 2 - (y - 5) ** 2 - 0.5 * (x - y - 1) ** 2;

test('the descent climbs to the top and measures nothing twice', () => {
  const { measured, ranked } = run([{ x: 0, y: 0 }], 100, hill);
  expect(ranked[0]).toEqual({ x: 6, y: 5 });
  expect(new Set(measured.map((point) => JSON.stringify(point))).size).toBe(measured.length);
  expect(measured.length).toBeLessThan(axis.length ** 2 / 2);
});

test('all openings are measured, and the climb starts from the best', () => {
  const openings = [
    { x: 0, y: 7 },
    { x: 5, y: 5 },
    { x: 7, y: 0 },
  ];
  const { measured } = run(openings, 100, hill);
  expect(measured.slice(0, 3)).toEqual(openings);
  expect(measured[3]).toEqual({ x: 6, y: 5 });
});

test('no more variants are measured than the limit, and no forbidden one', () => {
  const { measured, ranked } = run([{ x: 0, y: 0 }], 7, ({ x, y }) => x + y);
  expect(measured).toHaveLength(7);
  expect(ranked).toHaveLength(7);
  const free = run([{ x: 6, y: 4 }], 100, ({ x, y }) => 1 + x + y);
  expect(free.measured.every(({ x, y }) => x + y < 12 || y === 4)).toBe(true);
});

test('a variant that failed is last, and a race of failures ends', () => {
  const { ranked } = run(
    [
      { x: 3, y: 3 },
      { x: 4, y: 4 },
    ],
    100,
    ({ x }) => (x === 4 ? 5 : 0),
  );
  expect(ranked[0]).toEqual({ x: 4, y: 4 });
  expect(run([{ x: 3, y: 3 }], 100, () => 0).measured).toHaveLength(5);
});
