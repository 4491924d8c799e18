import { expect } from '@playwright/test';
import type { CpuEnvironment } from '../../src/core/run/events.ts';
import type { Sample } from '../../src/core/roofline/sample.ts';
import { test, type QuickRun } from './support/quick-run.ts';

/** What the CPU tells, by name. */
interface CpuPart {
  readonly environment: CpuEnvironment;
  readonly samples: readonly Sample[];
  /** One thread, and all. */
  readonly threadCounts: readonly number[];
}

function cpuOf({ record }: QuickRun): CpuPart {
  const environment = record.events
    .flatMap((event) => (event.kind === 'environment' ? [event.environment] : []))
    .find((candidate) => candidate.device === 'cpu');
  if (!environment) throw new Error('the CPU told no environment');
  const samples = record.events.flatMap((event) =>
    event.kind === 'sample' && event.sample.device === 'cpu' ? [event.sample] : [],
  );
  return { environment, samples, threadCounts: [...new Set([1, environment.logicalCores])] };
}

/** Neither right nor refused for its time alone, which a busy machine may do to any sample. */
function isWrong({ status, reason = '' }: Sample): boolean {
  const isOfTime = /^(twice the work took|the clock did not|the threads were never|disturbed)/.test(
    reason,
  );
  return status !== 'ok' && !(status === 'failed' && isOfTime);
}

test('a quick run has the CPU’s threads share memory, and its values are right', ({ quickRun }) => {
  const { environment, samples } = cpuOf(quickRun);
  expect(environment).toMatchObject({
    isolated: true,
    sharedMemory: true,
    module: 'relaxed-simd',
    threads: environment.logicalCores,
  });
  expect(samples.filter(isWrong)).toEqual([]);
  expect(samples.filter(({ status }) => status !== 'ok').length).toBeLessThan(samples.length / 10);
  expect(samples.flatMap(({ seconds }) => seconds).every((time) => time > 0)).toBe(true);
});

test('a quick run measures CPU arithmetic in many shapes and all precisions', ({ quickRun }) => {
  const { samples, threadCounts } = cpuOf(quickRun);
  const compute = samples.flatMap(({ probe, measured, threads }) =>
    measured.kind === 'compute' ? [{ name: `${probe} ${measured.precision}`, threads }] : [],
  );
  for (const count of threadCounts)
    for (const wanted of ['multiply+add f32', 'fma f32']) {
      const shapes = compute.filter(({ name, threads }) => name === wanted && threads === count);
      expect(shapes, `${wanted}, ${count} threads`).toHaveLength(10);
    }
  for (const wanted of [
    'multiply+add f64',
    'fma f64',
    'multiply+add i32',
    'scalar multiply+add f32',
    'dot product i8',
  ])
    expect(compute.map(({ name }) => name)).toContain(wanted);
});

test('a quick run sweeps every CPU pattern to 64 MiB by at most 1.42', ({ quickRun }) => {
  for (const pattern of ['read', 'write', 'copy', 'triad']) {
    const sizes = cpuOf(quickRun).samples.flatMap(({ measured, threads }) =>
      measured.kind === 'bandwidth' && measured.pattern === pattern && threads === 1
        ? [measured.workingSetSize]
        : [],
    );
    const rising = [...new Set(sizes)].toSorted((a, b) => a - b);
    expect(rising[0]).toBeLessThanOrEqual(4096);
    expect(rising.at(-1)).toBeGreaterThan(67_000_000);
    // Arrays are whole iterations of 128 bytes, of three arrays at the most.
    for (const [index, next] of rising.slice(1).entries())
      expect(next - 3 * 128).toBeLessThanOrEqual(1.42 * (rising[index] ?? 0));
  }
});

test('a quick run chases pointers from 4 KiB to 64 MiB, where a load takes longer', ({
  quickRun,
}) => {
  const latencies = cpuOf(quickRun).samples.flatMap(({ measured, threads, seconds }) =>
    measured.kind === 'latency' && threads === 1
      ? [{ size: measured.workingSetSize, seconds: Math.min(...seconds) / measured.loads }]
      : [],
  );
  const [first, last] = [latencies[0], latencies.at(-1)];
  expect(first?.size).toBe(4096);
  expect(last?.size).toBe(2 ** 26);
  expect(last?.seconds).toBeGreaterThan(3 * (first?.seconds ?? Infinity));
});

test('a quick run walks the CPU’s knee on all threads, and times its overheads', ({ quickRun }) => {
  const { samples, threadCounts } = cpuOf(quickRun);
  const most = Math.max(...threadCounts);
  const knee = samples.filter(({ measured }) => measured.kind === 'mixed');
  expect(knee.every(({ threads }) => threads === most)).toBe(true);
  const intensities = knee.flatMap(({ measured }) =>
    measured.kind === 'mixed' ? [measured.flops / measured.bytes] : [],
  );
  expect(intensities.length).toBeGreaterThanOrEqual(14);
  expect(intensities[0]).toBe(1 / 8);
  expect(intensities.at(-1)).toBe(256);
  const overheads = samples.flatMap(({ measured, threads }) =>
    measured.kind === 'overhead' ? [`${measured.of}, ${threads === 1 ? 'one' : 'all'}`] : [],
  );
  const several = threadCounts.length > 1 ? ['barrier, all', 'wakeUp, all'] : [];
  expect(overheads).toEqual(['wakeUp, one', ...several]);
});
