import { batchedSeconds } from '../../core/probes/batchFit.ts';
import { thoroughnessOf } from '../../core/run/config.ts';
import type { Measured } from '../../core/roofline/sample.ts';
import type { GpuContext } from '../context.ts';
import { Transfers } from './transfers.ts';

const profiles = {
  quick: { sizes: [2 ** 23], pairs: 6, seconds: 0.01 },
  full: { sizes: [2 ** 20, 2 ** 22, 2 ** 24, 2 ** 26], pairs: 6, seconds: 0.04 },
} as const;

/** Bytes of a batch at the most: the copies of a download exist at the same time. */
const mostBatch = 2 ** 27;

/**
 * Measures how fast bytes come from the page to the GPU (`writeBuffer`) and back (a copy that is
 * mapped and read), by wall clock, from batches of n and 2n transfers. What arrives is compared with what was sent, apart from the timing.
 */
export async function transferProbe(context: GpuContext): Promise<void> {
  const { sizes } = profiles[thoroughnessOf(context.config.profile)];
  for (const [index, size] of sizes.entries()) {
    context.progress('transfers', index / sizes.length);
    const transfers = await Transfers.create(context.queue, size);
    try {
      await measureUpload(context, transfers, size);
      await measureDownload(context, transfers, size);
    } finally {
      transfers.destroy();
    }
  }
}

/** Does so many transfers and says how long they took. */
type TimeBatch = (count: number) => Promise<number>;

async function measureUpload(
  context: GpuContext,
  transfers: Transfers,
  size: number,
): Promise<void> {
  const times = await timedBatches(context, size, async (count) => {
    const begin = performance.now();
    await transfers.upload(count);
    return (performance.now() - begin) / 1000;
  });
  tell(context, 'upload', size, times, await transfers.isUploaded());
}

async function measureDownload(
  context: GpuContext,
  transfers: Transfers,
  size: number,
): Promise<void> {
  let isRight = true;
  const times = await timedBatches(context, size, async (count) => {
    await transfers.prepareDownload(count);
    const begin = performance.now();
    const copies = await transfers.download(count);
    const seconds = (performance.now() - begin) / 1000;
    isRight &&= transfers.areDownloads(copies);
    return seconds;
  });
  tell(context, 'download', size, times, isRight);
}

/** Seconds of a transfer, once a batch; undefined where the clock cannot tell. */
async function timedBatches(
  { config }: GpuContext,
  size: number,
  time: TimeBatch,
): Promise<readonly number[] | undefined> {
  const { pairs, seconds: wanted } = profiles[thoroughnessOf(config.profile)];
  // The first may wait for memory.
  await time(1);
  let count = 1;
  while (4 * count * size <= mostBatch && (await time(count)) < wanted) count *= 2;
  const single: number[] = [];
  const double: number[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    single.push(await time(count));
    double.push(await time(2 * count));
  }
  return batchedSeconds(single, double, count);
}

function tell(
  { emit, environment }: GpuContext,
  direction: Extract<Measured, { kind: 'transfer' }>['direction'],
  size: number,
  seconds: readonly number[] | undefined,
  isRight: boolean,
): void {
  const problem = !isRight
    ? 'what arrived is not what was sent'
    : seconds === undefined
      ? 'twice as many took no longer: the wall clock cannot tell'
      : undefined;
  emit({
    kind: 'sample',
    sample: {
      device: 'gpu',
      deviceId: environment.deviceId,
      probe: 'transfer',
      variant: direction === 'upload' ? 'writeBuffer' : 'copy, mapAsync, read',
      measured: { kind: 'transfer', direction, bytes: size },
      seconds: seconds ?? [],
      timer: 'wall-fit',
      status: problem === undefined ? 'ok' : 'failed',
      ...(problem !== undefined && { reason: problem }),
      flags: [],
    },
  });
}
