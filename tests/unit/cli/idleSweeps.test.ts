import { expect, test } from 'vitest';
import { idleSweeps } from '../../../src/cli/idleSweeps.ts';
import { sweepParameters, sweepsOf } from '../../../src/core/run/config.ts';
import { sweepPoints } from '../../../src/cpu/train/sweepPoints.ts';

test('a sweep that no device of the run has is told, or refused where none is left', () => {
  expect(idleSweeps({ device: 'cpu', sweeps: ['batch', 'workgroups'] })).toBe(
    '--sweep: workgroups cannot grow on the cpu, which has batch, threads, replicas',
  );
  expect(() => idleSweeps({ device: 'cpu', sweeps: ['workgroups', 'workgroupSize'] })).toThrow(
    /^--sweep: workgroups, workgroupSize cannot grow on the cpu/,
  );
  expect(() => idleSweeps({ device: 'gpu', sweeps: ['threads'] })).toThrow(/on the gpu/);
  expect(idleSweeps({ device: 'both', sweeps: sweepParameters })).toBeUndefined();
  expect(idleSweeps({ device: 'cpu', sweeps: [] })).toBeUndefined();
});

test('the parameters that a CPU is said to have are those that it sweeps', () => {
  for (const parameter of sweepParameters)
    expect(sweepPoints(parameter, 4, true, true).length > 0, parameter).toBe(
      sweepsOf.cpu.includes(parameter),
    );
});
