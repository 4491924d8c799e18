import { expect, test, vi } from 'vitest';
import { nextPlace } from '../../../src/core/probes/pageChase.ts';
import type { Sample } from '../../../src/core/roofline/sample.ts';
import { workOf } from '../../../src/core/roofline/rates.ts';
import type { GpuContext } from '../../../src/gpu/context.ts';
import { createChasePipelines } from '../../../src/gpu/probes/accessKernels.ts';
import {
  atomicsEntrant,
  chaseEntrant,
  gatherEntrant,
} from '../../../src/gpu/probes/accessProbe.ts';
import { createStreamBuffers } from '../../../src/gpu/probes/streamBuffers.ts';
import { StreamTrials } from '../../../src/gpu/probes/streamTrials.ts';
import { Transfers } from '../../../src/gpu/probes/transfers.ts';
import { runTrial, type Entrant } from '../../../src/gpu/probes/trial.ts';
import { openQueue } from '../timer/simulated.ts';
import { openContext } from './context.ts';

const mebi = 2 ** 20;
const size = 64 * mebi;
const effort = { seconds: 0.004, pairs: 3 };

/** Work a second of an entrant by its fastest run: other work on the machine only adds time. */
async function rateOf(
  { context, samples }: { readonly context: GpuContext; readonly samples: readonly Sample[] },
  entrant: Entrant,
): Promise<number> {
  await runTrial(context, entrant, effort);
  const { measured, seconds, reason } = samples.at(-1)!;
  // Times that another program disturbed are refused, and fast enough here all the same.
  expect(reason ?? '').not.toMatch(/result/);
  return workOf(measured) / Math.min(...seconds);
}

/** Seconds of the shortest of a few runs. */
function fastestSeconds(run: () => void): number {
  const times = Array.from({ length: 5 }, () => {
    const begin = performance.now();
    run();
    return performance.now() - begin;
  });
  return Math.min(...times) / 1000;
}

/** Loads a second of the probe's own chase, followed by this script. */
function scriptedChase(setSize: number): number {
  const pages = setSize / 4096;
  const pointers = new Uint32Array(setSize / 4);
  for (let place = 0; place < pointers.length; place += 32)
    pointers[place] = nextPlace(place, pages);
  const loads = 400_000;
  let at = 0;
  return (
    loads /
    fastestSeconds(() => {
      for (let load = 0; load < loads; load++) at = pointers[at]!;
    })
  );
}

/** Atomic additions a second of this script's thread to one counter. */
function scriptedAdditions(): number {
  const counter = new Int32Array(1);
  const additions = 1_000_000;
  return (
    additions /
    fastestSeconds(() => {
      for (let addition = 0; addition < additions; addition++) Atomics.add(counter, 0, 1);
    })
  );
}

test('loads that wait or lie apart are slower than a stream, and far ones slower than near ones', async () => {
  const queue = await openQueue();
  const opened = await openContext(queue);
  const buffers = await createStreamBuffers(queue, size);
  const pipelines = await createChasePipelines(queue);
  const chase = (set: number) => rateOf(opened, chaseEntrant(queue, set, pointers, pipelines));
  const pointers = queue.device.createBuffer({ size, usage: GPUBufferUsage.STORAGE });
  const copy = { pattern: 'copy', element: 'mat4x4<f32>', unroll: 1, workgroupSize: 64 } as const;
  const stream = () =>
    rateOf(opened, new StreamTrials(queue, buffers).trial(copy, 16 * mebi, 64).entrant);
  // By the fastest of several runs each, and tried anew where a whole measurement was disturbed.
  await vi.waitFor(
    async () => {
      const bytesPerSecond = await stream();
      const far = await chase(size);
      expect(far).toBeLessThan((await chase(4096)) / 1.3);
      // A software adapter's far loads are those of the machine, which a script can time as well.
      const scripted = scriptedChase(size);
      expect(far / scripted).toBeGreaterThan(1 / 3);
      expect(far / scripted).toBeLessThan(2);
      const gathered = await rateOf(opened, gatherEntrant(queue, buffers.source, 'random', 2048));
      expect(gathered).toBeLessThan(bytesPerSecond);
      const added = await rateOf(opened, atomicsEntrant(queue, 4096, 1));
      expect(8 * added).toBeLessThan(bytesPerSecond);
      expect(added).toBeLessThan(2 * navigator.hardwareConcurrency * scriptedAdditions());
    },
    { timeout: 40_000 },
  );
  queue.device.destroy();
});

test('twice as many transfers take about twice as long, in both directions', async () => {
  const queue = await openQueue();
  const transfers = await Transfers.create(queue, 8 * mebi);
  const bytes = new Uint32Array(2 * mebi).fill(0x12345678);
  const target = new Uint32Array(2 * mebi);
  await transfers.prepareDownload(8);
  for (const direction of ['upload', 'download'] as const) {
    const fastest = async (count: number): Promise<number> => {
      const times: number[] = [];
      for (let run = 0; run < 4; run++) {
        const begin = performance.now();
        await transfers[direction](count);
        times.push(performance.now() - begin);
      }
      return Math.min(...times);
    };
    await transfers[direction](8);
    await vi.waitFor(
      async () => {
        const seconds = (await fastest(8)) / 1000;
        const ratio = seconds / ((await fastest(4)) / 1000);
        expect(ratio).toBeGreaterThan(1.4);
        expect(ratio).toBeLessThan(2.8);
        // A transfer copies its bytes at least once on this thread, and a copy is all that this is.
        const copying = fastestSeconds(() => target.set(bytes));
        expect(seconds / 8).toBeGreaterThan(copying / 2);
      },
      { timeout: 20_000 },
    );
  }
  queue.device.destroy();
});
