import type { Runs } from '../../core/probes/chainCheck.ts';
import { thoroughnessOf } from '../../core/run/config.ts';
import type { GpuContext } from '../context.ts';
import type { TimedPass } from '../passes.ts';
import type { GpuQueue } from '../queue.ts';
import { BarrierKernel, DispatchKernel } from './overheadKernels.ts';
import { runTrial, type Entrant } from './trial.ts';

const pairs = { quick: 2, full: 6 } as const;
/** Seconds of wall time that a batch of passes or submits should take. */
const batchSeconds = { quick: 0.02, full: 0.04 } as const;
const runSeconds = 0.005;
/** Passes or submits of a batch. */
const batch = { least: 16, most: 8192 };

/**
 * Measures what work costs besides itself: a dispatch that depends on the one before, a barrier, a
 * pass and a submit, each with next to nothing in it. Every measurement is told as a sample.
 */
export async function overheadProbe(context: GpuContext): Promise<void> {
  const effort = { seconds: runSeconds, pairs: pairs[thoroughnessOf(context.config.profile)] };
  context.progress('launch overheads', 0);
  await runTrial(context, dispatchEntrant(context), effort);
  await runTrial(context, barrierEntrant(context), effort);
  const kernel = await DispatchKernel.create(context.queue);
  try {
    const record = kernel.record(1);
    for (const kind of ['pass', 'submit'] as const) {
      context.progress('launch overheads', kind === 'pass' ? 0.4 : 0.7);
      await timeBatches(context, kind, kernel, record);
    }
  } finally {
    kernel.destroy();
  }
}

/** One dispatch a unit. */
export function dispatchEntrant({ queue }: Pick<GpuContext, 'queue'>): Entrant {
  return {
    probe: 'launch',
    variant: 'dispatches of one lane in a pass, each waiting for the one before',
    measured: (count) => ({ kind: 'overhead', of: 'dispatch', count }),
    create: () => DispatchKernel.create(queue),
  };
}

/** A trip of two barriers a unit. */
export function barrierEntrant({ queue }: Pick<GpuContext, 'queue'>): Entrant {
  return {
    probe: 'launch',
    variant: 'barriers of one workgroup of 64, a store and a load between them',
    // A trip has two.
    measured: (trips) => ({ kind: 'overhead', of: 'barrier', count: 2 * trips }),
    create: () => BarrierKernel.create(queue),
  };
}

/**
 * Times batches of n and 2n passes or submits by the wall clock, since timestamps lie within passes:
 * the difference is the time of n, free of what the wait costs. The counter tells that all ran.
 */
async function timeBatches(
  { queue, config, emit, environment }: GpuContext,
  kind: 'pass' | 'submit',
  kernel: DispatchKernel,
  record: TimedPass['record'],
): Promise<void> {
  const done: Runs[] = [];
  const thoroughness = thoroughnessOf(config.profile);
  const time = async (count: number, expectedSeconds: number): Promise<number> => {
    done.push({ amount: count, runs: 1 });
    const begin = performance.now();
    submitBatch(queue, kind, record, count);
    await queue.done(expectedSeconds);
    return (performance.now() - begin) / 1000;
  };
  kernel.clear();
  let count = batch.least;
  let single = await time(count, 0);
  while (count < batch.most && single < batchSeconds[thoroughness]) {
    count *= 2;
    single = await time(count, 2 * single);
  }
  const seconds: number[] = [];
  for (let pair = 0; pair < 1 + pairs[thoroughness]; pair++) {
    single = await time(count, single);
    seconds.push((await time(2 * count, 2 * single)) - single);
  }
  const verdict = await kernel.check(done);
  const problem =
    verdict.kind === 'wrong'
      ? verdict.reason
      : seconds.some((value) => value <= 0)
        ? 'twice as many took no longer: the wall clock cannot tell'
        : undefined;
  emit({
    kind: 'sample',
    sample: {
      device: 'gpu',
      deviceId: environment.deviceId,
      probe: 'launch',
      variant: kind === 'pass' ? 'passes of one dispatch in a submit' : 'submits of one pass',
      measured: { kind: 'overhead', of: kind, count },
      seconds,
      timer: 'wall-fit',
      status: problem === undefined ? 'ok' : 'failed',
      ...(problem !== undefined && { reason: problem }),
      flags: [],
    },
  });
}

/** Submits so many passes in one command buffer, or in one each. */
function submitBatch(
  queue: GpuQueue,
  kind: 'pass' | 'submit',
  record: TimedPass['record'],
  count: number,
): void {
  let encoder = queue.device.createCommandEncoder();
  for (let index = 0; index < count; index++) {
    const pass = encoder.beginComputePass();
    record(pass);
    pass.end();
    if (kind === 'submit' || index === count - 1) {
      queue.submit(encoder.finish());
      encoder = queue.device.createCommandEncoder();
    }
  }
}
