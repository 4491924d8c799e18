import { expect, test } from 'vitest';
import { Transfers } from '../../../src/gpu/probes/transfers.ts';
import { openQueue } from '../timer/simulated.ts';

test('what does not arrive is noticed, in both directions', async () => {
  const queue = await openQueue();
  const transfers = await Transfers.create(queue, 2 ** 16);
  await transfers.upload(3);
  expect(await transfers.isUploaded()).toBe(true);
  await transfers.prepareDownload(2);
  const copies = await transfers.download(2);
  expect(transfers.areDownloads(copies)).toBe(true);
  new Uint32Array(copies[1]!)[0]! += 1;
  expect(transfers.areDownloads(copies)).toBe(false);
  // A queue that drops writes from here on.
  queue.device.queue.writeBuffer = () => {};
  await transfers.upload(1);
  expect(await transfers.isUploaded()).toBe(false);
  await transfers.prepareDownload(2);
  expect(transfers.areDownloads(await transfers.download(2))).toBe(false);
  queue.device.destroy();
});
