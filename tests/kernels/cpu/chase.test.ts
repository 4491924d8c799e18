import { describe, expect, test } from 'vitest';
import { dataOffset, threadState } from '../../../src/cpu/memory.ts';
import { PointerChase } from '../../../src/cpu/probes/chaseRunner.ts';
import { instantiate } from './instances.ts';

const state = threadState(0);
const base = dataOffset(1);

/** Addresses in the order in which a chase over `size` bytes visits them, until it is back. */
async function visited(size: number): Promise<number[]> {
  const { kernels } = await instantiate(false, size + 4096);
  new Int32Array(kernels.memory.buffer)[state.generator / 4] = 0x2545f491;
  new PointerChase(kernels, state, base).runner(size);
  const words = new Int32Array(kernels.memory.buffer);
  const addresses: number[] = [];
  let at = base;
  do {
    addresses.push(at);
    at = words[at / 4]!;
  } while (at !== base && addresses.length <= size / 64);
  return addresses;
}

describe('pointer chase', () => {
  test.each([4096, 8192, 5 * 4096, 256 * 4096])(
    '%i bytes: one cycle over all lines',
    async (size) => {
      const addresses = await visited(size);
      expect(addresses).toHaveLength(size / 64);
      expect(new Set(addresses).size).toBe(size / 64);
      expect(Math.min(...addresses)).toBe(base);
      expect(Math.max(...addresses)).toBe(base + size - 64);
    },
  );

  test('finishes a page before the next, in an order that no prefetcher follows', async () => {
    const addresses = await visited(64 * 4096);
    const pages = addresses.map((address) => Math.floor(address / 4096));
    expect(pages.filter((page, i) => page !== pages[i - 1])).toHaveLength(64);
    const steps = addresses.slice(1).map((address, i) => address - addresses[i]!);
    expect(new Set(steps).size).toBeGreaterThan(100);
    expect(steps.filter((step) => step === 64).length).toBeLessThan(addresses.length / 20);
  });

  test('a chase that skips a load is seen', async () => {
    const { kernels } = await instantiate(true, 16_384);
    new Int32Array(kernels.memory.buffer)[state.generator / 4] = 1;
    const runner = new PointerChase(kernels, state, base).runner(16_384);
    runner.reset();
    runner.run(64);
    runner.run(640);
    expect(runner.check(704)).toEqual({ kind: 'right' });
    expect(runner.check(708).kind).toBe('wrong');
  });
});
