import { expect, test } from 'vitest';
import { gatherPlace, gatherStride, gatherSum } from '../../../src/core/probes/gather.ts';
import { chaseSum, nextPlace, pageChaseLength } from '../../../src/core/probes/pageChase.ts';

test.each([4096, 2 ** 15, 2 ** 20])(
  'a chase through %d bytes visits every line once, a page at a time, and comes back',
  (size) => {
    const length = pageChaseLength(size);
    const places: number[] = [];
    for (let place = 0, load = 0; load < length; load++) {
      place = nextPlace(place, size / 4096);
      places.push(place);
    }
    expect(new Set(places).size).toBe(length);
    expect(places.at(-1)).toBe(0);
    expect(places.every((place) => place % 32 === 0 && 4 * place < size)).toBe(true);
    const changes = places.filter(
      (place, index) => index > 0 && place >> 10 !== places[index - 1]! >> 10,
    );
    expect(changes).toHaveLength(size / 4096 - (size > 4096 ? 0 : 1));
  },
);

test('its sum after any number of loads is that of the places', () => {
  const size = 2 ** 14;
  let place = 0;
  let sum = 0;
  for (let loads = 1; loads < 3 * pageChaseLength(size); loads++) {
    place = nextPlace(place, size / 4096);
    sum = (sum + place) % 2 ** 32;
    expect(chaseSum(size, loads)).toBe(sum);
  }
});

test('a strided gather takes every word once before any twice, each from a line of its own', () => {
  const shape = { order: 'strided', unroll: 4, lanes: 64, length: 4096 } as const;
  const places = Array.from({ length: 4096 }, (_, index) => gatherPlace(shape, index));
  expect(new Set(places).size).toBe(4096);
  const lines = 4096 / gatherStride;
  expect(new Set(places.slice(0, lines).map((place) => place >> 5)).size).toBe(lines);
});

test('a random gather stays within the source and spreads', () => {
  const shape = { order: 'random', unroll: 4, lanes: 64, length: 4096 } as const;
  const places = Array.from({ length: 4096 }, (_, index) => gatherPlace(shape, index));
  expect(places.every((place) => place >= 0 && place < 4096)).toBe(true);
  // Of so many draws about 1 - 1/e of all places are met.
  expect(new Set(places).size).toBeGreaterThan(2300);
});

test('sums of gathers depend on where they begin and how many there are', () => {
  const shape = { order: 'random', unroll: 4, lanes: 64, length: 4096 } as const;
  const sums = [0, 1, 2].flatMap((first) =>
    [1, 2].map((passes) => gatherSum(shape, 5, { first, passes })),
  );
  expect(new Set(sums).size).toBe(6);
});
