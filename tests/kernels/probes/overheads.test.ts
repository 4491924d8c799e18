import { expect, test } from 'vitest';
import { submitPasses } from '../../../src/gpu/passes.ts';
import { BarrierKernel, DispatchKernel } from '../../../src/gpu/probes/overheadKernels.ts';
import { openQueue } from '../timer/simulated.ts';

test.for([
  ['dispatches', DispatchKernel],
  ['barriers', BarrierKernel],
] as const)('%s are counted by what they leave behind', async ([, kernelOf]) => {
  const queue = await openQueue();
  const kernel = await kernelOf.create(queue);
  const records = [kernel.record(7), kernel.record(30), kernel.record(30)];
  kernel.clear();
  await submitPasses(
    queue,
    records.map((record) => ({ record, expectedSeconds: 0 })),
  );
  const done = [
    { amount: 7, runs: 1 },
    { amount: 30, runs: 2 },
  ];
  expect(await kernel.check(done)).toEqual({ kind: 'right', flags: [] });
  expect(await kernel.check([{ amount: 66, runs: 1 }])).toMatchObject({ kind: 'wrong' });
  kernel.destroy();
  queue.device.destroy();
});
