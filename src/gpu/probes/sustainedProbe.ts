import { chainOperation } from '../../core/probes/chainOperations.ts';
import {
  describeChainVariant,
  operationsOf,
  type ChainVariant,
} from '../../core/probes/chainVariant.ts';
import type { Sample } from '../../core/roofline/sample.ts';
import type { GpuContext } from '../context.ts';
import { measureWallSeconds } from '../wallClock.ts';
import { fastestF32 } from './arithmeticProbe.ts';
import { ChainKernel } from './chainKernel.ts';
import { sizeWorkload, type Size, type Workload } from './workload.ts';

/** How long the kernel runs, in parts that are told as they end, and how long each of its runs is. */
export interface SustainedPlan {
  readonly seconds: number;
  readonly partSeconds: number;
  readonly runSeconds: number;
}

const minute: SustainedPlan = { seconds: 60, partSeconds: 2.5, runSeconds: 0.02 };

/** Share of the stage that the race before takes. */
const raceShare = 0.1;

/**
 * Finds the fastest f32 kernel in a short race and runs it for a minute without a pause, to see what is
 * left of its rate as the device warms.
 */
export async function sustainedProbe(context: GpuContext): Promise<void> {
  const winner = await fastestF32(context, (share) =>
    context.progress('f32 arithmetic', raceShare * share),
  );
  const kernel = await ChainKernel.create(context.queue, winner.variant, winner.lanes);
  try {
    await runSustained(context, kernel, winner, minute);
  } finally {
    kernel.destroy();
  }
}

/** Runs a kernel for as long as planned; each part is checked, and told as a sample of its own. */
export async function runSustained(
  context: GpuContext,
  kernel: Workload,
  { variant, lanes }: { readonly variant: ChainVariant; readonly lanes: number },
  plan: SustainedPlan,
): Promise<void> {
  const { timer, emit, environment } = context;
  const { probe, precision } = chainOperation(variant.operation);
  const size = await sizeWorkload(timer, kernel, timer.passSeconds(plan.runSeconds));
  const flops = operationsOf(variant, lanes, size.amount);
  for (let spent = 0; spent < plan.seconds;) {
    context.progress('sustained', raceShare + ((1 - raceShare) * spent) / plan.seconds);
    const part = await runPart(context, kernel, size, plan);
    emit({
      kind: 'sample',
      sample: {
        device: 'gpu',
        deviceId: environment.deviceId,
        probe: `sustained ${probe}`,
        variant: describeChainVariant(variant, lanes),
        measured: { kind: 'sustained', precision, flops: flops * part.runsPerRepeat },
        ...part.sample,
      },
    });
    spent += part.seconds;
  }
}

interface Part {
  /** Wall time of all of it. */
  readonly seconds: number;
  readonly runsPerRepeat: number;
  readonly sample: Pick<Sample, 'seconds' | 'timer' | 'status' | 'reason' | 'flags'>;
}

type Measured = Pick<Sample, 'seconds' | 'timer'> & { readonly problem?: string };

/** Runs a part of the minute, queued ahead so that the device never idles, and checks its results. */
async function runPart(
  { queue, timer }: GpuContext,
  kernel: Workload,
  { amount, seconds }: Size,
  { partSeconds }: SustainedPlan,
): Promise<Part> {
  const runs = Math.max(1, Math.round(partSeconds / seconds));
  const record = kernel.record(amount);
  const passes = Array.from({ length: runs }, () => ({ record, expectedSeconds: seconds }));
  kernel.clear();
  const begin = performance.now();
  // A fit would take three times as long: what a wait costs is little of so long a part.
  const measured: Measured =
    timer.source === 'timestamp'
      ? await timer.measure(passes)
      : { timer: 'clock', seconds: [await measureWallSeconds(queue, passes)] };
  const wall = (performance.now() - begin) / 1000;
  const verdict = await kernel.check([{ amount, runs }]);
  const reason = verdict.kind === 'wrong' ? verdict.reason : measured.problem;
  return {
    seconds: wall,
    runsPerRepeat: runs / measured.seconds.length,
    sample: {
      seconds: measured.seconds,
      timer: measured.timer,
      status: reason === undefined ? 'ok' : 'failed',
      ...(reason !== undefined && { reason }),
      flags: verdict.kind === 'right' ? verdict.flags : [],
    },
  };
}
