import { spanSeconds } from '../core/probes/timestamps.ts';
import { createBuffer } from './buffers.ts';
import { mostPasses, type Measurement, type PassClock, type RoughSeconds } from './clocks.ts';
import { submitPasses, type TimedPass } from './passes.ts';
import type { GpuQueue } from './queue.ts';

/**
 * Times passes by timestamps. A pass's time is from the end of the pass before it (the first: from
 * its own begin) to its end, so the times add up to first-to-last and gaps are not lost.
 */
export class TimestampClock implements PassClock {
  readonly #queue: GpuQueue;
  readonly #poll: number;
  readonly #queries: GPUQuerySet;
  readonly #resolved: GPUBuffer;
  readonly #mapped: GPUBuffer;

  private constructor(queue: GpuQueue, poll: number, resolved: GPUBuffer, mapped: GPUBuffer) {
    this.#queue = queue;
    this.#poll = poll;
    this.#queries = queue.device.createQuerySet({ type: 'timestamp', count: 2 * mostPasses });
    this.#resolved = resolved;
    this.#mapped = mapped;
  }

  /** `poll`: seconds by which a wait notices the end of work too late. */
  static async create(queue: GpuQueue, poll: number): Promise<TimestampClock> {
    const { QUERY_RESOLVE, COPY_SRC, MAP_READ, COPY_DST } = GPUBufferUsage;
    const label = 'timestamps';
    const size = 2 * mostPasses * BigUint64Array.BYTES_PER_ELEMENT;
    const resolved = await createBuffer(queue, { label, size, usage: QUERY_RESOLVE | COPY_SRC });
    const mapped = await createBuffer(queue, { label, size, usage: MAP_READ | COPY_DST });
    return new TimestampClock(queue, poll, resolved, mapped);
  }

  async measure(passes: readonly TimedPass[]): Promise<Measurement> {
    const begin = performance.now();
    const timestamps = await this.timestamps(passes);
    const wall = (performance.now() - begin) / 1000;
    const seconds = passes.map((_, index) => {
      const before = timestamps[Math.max(0, 2 * index - 1)] ?? 0;
      return ((timestamps[2 * index + 1] ?? 0) - before) * 1e-9;
    });
    const problem = this.#problem(seconds, spanSeconds(timestamps), wall);
    return {
      timer: 'timestamp',
      seconds,
      runs: passes.map(() => 1),
      ...(problem !== undefined && { problem }),
    };
  }

  async roughSeconds(pass: TimedPass): Promise<RoughSeconds> {
    // Twice: the first run may compile the pipeline, and other work on the machine may slow either.
    const [begin = 0, end = 0, next = 0, last = 0] = await this.timestamps([pass, pass]);
    const first = Math.max(0, end - begin) * 1e-9;
    const second = Math.max(0, last - next) * 1e-9;
    return { seconds: Math.min(first, second), firstSeconds: first };
  }

  /** Runs the passes once; begin and end of each, in nanoseconds from the first. */
  async timestamps(passes: readonly TimedPass[]): Promise<number[]> {
    if (passes.length > mostPasses) throw new RangeError(`more than ${mostPasses} passes`);
    const count = 2 * passes.length;
    const size = count * BigUint64Array.BYTES_PER_ELEMENT;
    await submitPasses(this.#queue, passes, {
      timestampWrites: (index) => ({
        querySet: this.#queries,
        beginningOfPassWriteIndex: 2 * index,
        endOfPassWriteIndex: 2 * index + 1,
      }),
      finish: (encoder) => {
        encoder.resolveQuerySet(this.#queries, 0, count, this.#resolved, 0);
        encoder.copyBufferToBuffer(this.#resolved, 0, this.#mapped, 0, size);
      },
    });
    // Mapped when it is written: where that was asked for earlier Firefox was seen to hang.
    const read = await this.#queue.readMappable(this.#mapped, size);
    const raw = new BigInt64Array(read);
    const origin = raw[0] ?? 0n;
    return Array.from(raw, (value) => Number(value - origin));
  }

  #problem(seconds: readonly number[], span: number, wall: number): string | undefined {
    if (!seconds.every((value) => value > 0)) return 'timestamps do not advance over a pass';
    // The work lies within the wait, which is longer by submits and polls only.
    if (span > 1.1 * wall || span < 0.5 * (wall - 10 * this.#poll))
      return `timestamps span ${span.toFixed(3)} s of a wall time of ${wall.toFixed(3)} s`;
    return undefined;
  }
}
