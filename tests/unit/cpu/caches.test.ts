import { expect, test } from 'vitest';
import type { Ceiling, Roofline } from '../../../src/core/roofline/types.ts';
import { cachedRows, cachesOf, tilePixels, usualCaches } from '../../../src/cpu/train/caches.ts';

const withL2 = (l2: number) => ({ ...usualCaches, l2 });

function roofline(threads: number, level: string, capacityBytes: number): Roofline {
  const ceiling = { level, capacityBytes } as Ceiling;
  return { device: 'cpu', deviceId: 'cpu', threads, compute: [], bandwidth: [ceiling], ridge: [] };
}

test("a core's caches are those of the roofline of one thread", () => {
  const found = [roofline(2, 'L2', 2 ** 21), roofline(1, 'L2', 2 ** 18)];
  expect(cachesOf(found)).toEqual({ ...usualCaches, l2: 2 ** 18 });
  expect(cachesOf([roofline(1, 'L1', 2 ** 16)])).toEqual({ ...usualCaches, l1: 2 ** 16 });
  expect(cachesOf([])).toEqual(usualCaches);
});

test('half of the L1 is for rows of 8 weights', () => {
  expect(cachedRows({ l1: 2 ** 15, l2: 2 ** 20 })).toBe(512);
});

test('a tile fits half the cache beside a panel, within bounds', () => {
  const pixelSize = 2048;
  const panelSize = 16_384;
  expect(tilePixels(withL2(2 ** 19), pixelSize, panelSize)).toBe((2 ** 18 - panelSize) / pixelSize);
  expect(tilePixels(withL2(2 ** 30), pixelSize, panelSize)).toBe(256);
  expect(tilePixels(withL2(2 ** 14), pixelSize, panelSize)).toBe(48);
});
