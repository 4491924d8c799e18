import { describe, expect, test } from 'vitest';
import { arraySize, streamNames, streams } from '../../../src/core/probes/streams.ts';
import { dataOffset, threadState } from '../../../src/cpu/memory.ts';
import { streamRunner } from '../../../src/cpu/probes/streamRunner.ts';
import { instantiate, shareOfAll } from './instances.ts';

const state = threadState(0);
const base = dataOffset(1);

/** xorshift32 (Marsaglia 2003), masked to the sign, exponent and mantissa that the probes want. */
function* randomWords(seed: number): Generator<number, never> {
  let x = seed;
  for (;;) {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    yield (x & 0x807fffff) | 0x3f800000;
  }
}

describe.each([{ shared: false }, { shared: true }])('streams, shared: $shared', ({ shared }) => {
  test('first touch writes every word at random, in [1, 2) but for the sign', async () => {
    const size = 128 * 1024;
    const { kernels } = await instantiate(shared, size);
    const seeds = [0, 1, 2, 3].map((lane) => Math.imul(lane + 1, 0x9e3779b1));
    const share = shareOfAll(kernels, size);
    share.touch(40_000);
    share.touch(size);
    const words = new Int32Array(kernels.memory.buffer, base, size / 4);
    const lanes = seeds.map(randomWords);
    const expected = Int32Array.from(words, (_, i) => lanes[i % 4]!.next().value);
    expect(words).toEqual(expected);
    expect(new Set(words).size).toBeGreaterThan(words.length * 0.99);
    const magnitudes = new Float32Array(kernels.memory.buffer, base, size / 4).map(Math.abs);
    expect(magnitudes.every((magnitude) => magnitude >= 1 && magnitude < 2)).toBe(true);
  });

  test.each(streamNames)('%s does its work at every size', async (name) => {
    const total = 70_000;
    const { kernels } = await instantiate(shared, total);
    const share = shareOfAll(kernels, total);
    for (const workingSet of [4096, 4096 + 128 * 3, 30_000, 65_536]) {
      share.touch(workingSet);
      const size = arraySize(streams[name], workingSet);
      const runner = streamRunner(kernels, state, share, name, size);
      runner.reset();
      expect(runner.check(3).kind, `${name} untouched`).toBe('wrong');
      runner.run(1);
      runner.run(2);
      expect(runner.check(3), `${name} ${size}`).toEqual({ kind: 'right' });
    }
  });

  test.each(streamNames)('%s stays within its arrays', async (name) => {
    const total = 16_384;
    const { kernels } = await instantiate(shared, total + 128);
    const share = shareOfAll(kernels, total + 128);
    share.touch(total + 128);
    const end = new Int32Array(kernels.memory.buffer, base + total, 32);
    const guard = end.slice();
    const before = new Int32Array(kernels.memory.buffer, base - 128, 32).slice();
    const runner = streamRunner(kernels, state, share, name, arraySize(streams[name], total));
    runner.reset();
    runner.run(1);
    expect(end).toEqual(guard);
    expect(new Int32Array(kernels.memory.buffer, base - 128, 32)).toEqual(before);
  });

  test.each(streamNames)('%s refuses memory that was never written', async (name) => {
    const { kernels } = await instantiate(shared, 131_072);
    const share = shareOfAll(kernels, 131_072);
    share.touch(32_768);
    const runner = streamRunner(kernels, state, share, name, arraySize(streams[name], 65_536));
    runner.reset();
    runner.run(1);
    expect(runner.check(1)).toMatchObject({ kind: 'wrong', reason: /never written/ });
  });
});

test('copy and triad compute every element', async () => {
  const { kernels } = await instantiate(false, 30_000);
  const share = shareOfAll(kernels, 30_000);
  share.touch(30_000);
  const floats = new Float32Array(kernels.memory.buffer, base);
  const size = arraySize(streams.triad, 30_000);
  const length = size / 4;
  const triad = streamRunner(kernels, state, share, 'triad', size);
  triad.run(1);
  const scale = Math.fround(Math.SQRT1_2);
  for (let i = 0; i < length; i++) {
    const product = Math.fround(scale * floats[i + 2 * length]!);
    expect(floats[i]).toBe(Math.fround(floats[i + length]! + product));
  }
  for (const name of ['copy', 'copyBulk'] as const) {
    floats.fill(0, 0, length);
    streamRunner(kernels, state, share, name, size).run(1);
    expect(floats.slice(0, length)).toEqual(floats.slice(length, 2 * length));
  }
});

test('a read that skips a vector is seen', async () => {
  const { kernels } = await instantiate(false, 8192);
  const share = shareOfAll(kernels, 8192);
  share.touch(8192);
  const runner = streamRunner(kernels, state, share, 'read', 8192);
  runner.reset();
  kernels.streams.read(base, 8192 - 128, 1, state.sums);
  expect(runner.check(1).kind).toBe('wrong');
});
