import { streams, type StreamName } from '../../core/probes/streams.ts';
import type { Kernels } from '../kernels.ts';
import type { ThreadState } from '../memory.ts';
import type { Share } from './share.ts';
import type { Check, Runner } from './runner.ts';

/** Words of each array that a check looks at. */
const sampledWords = 64;
/** Any scale with a full mantissa that keeps the sums near the terms. */
const triadScale = Math.fround(Math.SQRT1_2);

function wrong(reason: string): Check {
  return { kind: 'wrong', reason };
}

interface StreamCode {
  reset(): void;
  run(passes: number): void;
  isRight(passes: number): boolean;
}

/**
 * A stream over the first bytes of a thread's share; repetitions are passes. Refuses memory that the
 * thread has not written: pages that nobody wrote are all one page of zeros, which lies in a cache.
 */
export function streamRunner(
  kernels: Kernels,
  state: ThreadState,
  share: Share,
  name: StreamName,
  arraySize: number,
): Runner {
  const written = arraySize * streams[name].arrays <= share.touchedSize;
  const code = streamCode(kernels, state, share, name, arraySize);
  return {
    unit: 1,
    reset: () => {
      if (written) code.reset();
    },
    run: (passes) => code.run(passes),
    check: (passes) => {
      if (!written) return wrong('the memory was never written, so it need not exist');
      return code.isRight(passes) ? { kind: 'right' } : wrong('the memory holds wrong values');
    },
  };
}

function streamCode(
  kernels: Kernels,
  state: ThreadState,
  share: Share,
  name: StreamName,
  size: number,
): StreamCode {
  const { streams: code, memory } = kernels;
  const { base } = share;
  const words = new Int32Array(memory.buffer);
  const floats = new Float32Array(memory.buffer);
  const length = size / 4;
  const sampled = Array.from(
    { length: sampledWords },
    (_, i) => base / 4 + Math.floor((i * (length - 1)) / (sampledWords - 1)),
  );
  /** Makes the sampled words of the target differ from what they must become. */
  const spoil = () => {
    for (const at of sampled) words[at] = ~words[at + length]!;
  };
  switch (name) {
    case 'read': {
      const sums = words.subarray(state.sums / 4, state.sums / 4 + 4);
      const expected = share.sumsOf(size);
      return {
        reset: () => sums.fill(0),
        run: (passes) => code.read(base, size, passes, state.sums),
        isRight: (passes) =>
          expected?.every((sum, lane) => Math.imul(sum, passes) === sums[lane]) ?? false,
      };
    }
    case 'write': {
      const value = words.subarray(state.value / 4, state.value / 4 + 4);
      const first = [0x3fa5c917, 0x3fd2b843, 0x3f8e7a61, 0x3fb91d35];
      return {
        reset: () => value.set(first),
        run: (passes) => code.write(base, size, passes, state.value),
        isRight: (passes) => sampled.every((at) => words[at] === first[at % 4]! + passes),
      };
    }
    case 'writeBulk': {
      let byte = 0;
      return {
        reset: () => {
          byte = words[sampled[0]!] === 0x3e3e3e3e ? 0x3f : 0x3e;
        },
        run: (passes) => code.writeBulk(base, size, passes, byte),
        isRight: () => sampled.every((at) => words[at] === byte * 0x01010101),
      };
    }
    case 'copy':
    case 'copyBulk':
      return {
        reset: spoil,
        run: (passes) => code[name](base, size, passes),
        isRight: () => sampled.every((at) => words[at] === words[at + length]),
      };
    case 'triad':
      return {
        reset: spoil,
        run: (passes) => code.triad(base, size, passes, triadScale),
        isRight: () =>
          sampled.every((at) => {
            const product = Math.fround(triadScale * floats[at + 2 * length]!);
            return floats[at] === Math.fround(floats[at + length]! + product);
          }),
      };
  }
}
