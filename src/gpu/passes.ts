import type { GpuQueue } from './queue.ts';

/** A compute pass that can be recorded any number of times. */
export interface TimedPass {
  /** Sets pipeline and bindings and dispatches. */
  readonly record: (pass: GPUComputePassEncoder) => void;
  /** Roughly how long it takes; it sizes submits and is no result. */
  readonly expectedSeconds: number;
  /** The same of its longest dispatch: absent where it is one, 0 where nothing is known of the device yet. */
  readonly dispatchSeconds?: number;
}

export interface RecordOptions {
  /** The timestamps of the pass with this index. */
  readonly timestampWrites?: (index: number) => GPUComputePassTimestampWrites;
  /** Records what follows the last pass. */
  readonly finish?: (encoder: GPUCommandEncoder) => void;
}

/** Submits stay near this, so that a watchdog's 200 ms is far and a cancel is quick. */
const submitSeconds = 0.08;
/**
 * Submits in flight. Firefox tells of finished ones late, often only when the last has ended (seen
 * over llvmpipe): a short queue runs dry again and again, which made wall times 6 to 8 % too long.
 */
const submitsInFlight = 8;

/**
 * Submits the passes in order, over as many submits as their expected times ask for, and waits until
 * they are done.
 */
export async function submitPasses(
  queue: GpuQueue,
  passes: readonly TimedPass[],
  { timestampWrites, finish }: RecordOptions = {},
): Promise<void> {
  const slices = sliced(passes);
  const running: Promise<void>[] = [];
  let index = 0;
  for (const [number, slice] of slices.entries()) {
    const encoder = queue.device.createCommandEncoder();
    for (const { record } of slice) {
      const writes = timestampWrites?.(index);
      const pass = encoder.beginComputePass(writes && { timestampWrites: writes });
      record(pass);
      pass.end();
      index += 1;
    }
    if (number === slices.length - 1) finish?.(encoder);
    const oldest = running.length === submitsInFlight ? running.shift() : undefined;
    if (oldest !== undefined) await queue.reached(oldest);
    queue.submit(encoder.finish());
    running.push(queue.mark());
  }
  await queue.done();
}

/** Cuts a list of passes into runs of about `submitSeconds`, at least one pass each. */
export function sliced(passes: readonly TimedPass[]): TimedPass[][] {
  const slices: TimedPass[][] = [];
  let seconds = Infinity;
  for (const pass of passes) {
    seconds += pass.expectedSeconds;
    if (seconds > submitSeconds) {
      slices.push([]);
      seconds = pass.expectedSeconds;
    }
    slices.at(-1)?.push(pass);
  }
  return slices;
}
