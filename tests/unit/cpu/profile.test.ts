import { describe, expect, test } from 'vitest';
import { cpuProfiles, fitToClock, racersOf, teamLengths } from '../../../src/cpu/profile.ts';

describe('teamLengths', () => {
  test('quick: one thread and all', () => {
    expect(teamLengths(1, cpuProfiles.quick)).toEqual([1]);
    expect(teamLengths(2, cpuProfiles.quick)).toEqual([1, 2]);
    expect(teamLengths(12, cpuProfiles.quick)).toEqual([1, 12]);
  });

  test('full: powers of two, and the odd count at the end', () => {
    expect(teamLengths(1, cpuProfiles.full)).toEqual([1]);
    expect(teamLengths(8, cpuProfiles.full)).toEqual([1, 2, 4, 8]);
    expect(teamLengths(12, cpuProfiles.full)).toEqual([1, 2, 4, 8, 12]);
  });
});

describe('fitToClock', () => {
  test('keeps the settings on a fine clock', () => {
    const profile = fitToClock(cpuProfiles.quick, 5e-6);
    expect(profile).toMatchObject(cpuProfiles.quick);
    expect(profile.streams).toHaveLength(6);
  });

  test.each([5e-6, 2e-5, 1e-4, 1e-3])('a repeat spans 30 steps of %d s', (step) => {
    for (const settings of Object.values(cpuProfiles)) {
      const { repeatSeconds } = fitToClock(settings, step);
      expect(repeatSeconds / step).toBeGreaterThan(29.9);
    }
  });

  test('the coarsest clocks get fewer points and shapes, never none', () => {
    const profile = fitToClock(cpuProfiles.quick, 1e-3);
    expect(profile).toMatchObject({
      ratio: 2,
      pointRepeats: 1,
      streams: ['read', 'copy', 'triad'],
    });
    expect(racersOf('fmaF32', profile)).toHaveLength(6);
    expect(racersOf('fmaF64', profile)).toEqual([]);
  });
});

test('the f32 SIMD kernels race in every shape, the others in fewer when quick', () => {
  const quick = fitToClock(cpuProfiles.quick, 5e-6);
  const full = fitToClock(cpuProfiles.full, 5e-6);
  expect(racersOf('fmaF32', quick)).toHaveLength(10);
  expect(racersOf('fmaF64', quick)).toHaveLength(4);
  expect(racersOf('fmaF64', full)).toHaveLength(10);
  expect(racersOf('dotI8', full)).toHaveLength(5);
});
