import { workOf } from '../../core/roofline/rates.ts';
import type { Measured, Sample } from '../../core/roofline/sample.ts';
import { medianInterval, relativeHalfWidth } from '../../core/stats/interval.ts';
import { median } from '../../core/stats/median.ts';
import type { GpuContext } from '../context.ts';
import { GpuFault } from '../faults.ts';
import type { GpuTimer } from '../timer.ts';
import { sizeWorkload, timeWorkload, type Size, type Trial, type Workload } from './workload.ts';

/** A kernel in one shape, ready to be built and measured. */
export interface Entrant {
  readonly probe: string;
  /** The shape in words. */
  readonly variant: string;
  /** What a run of so many units does. */
  readonly measured: (amount: number) => Measured;
  readonly create: () => Promise<Workload & { destroy(): void }>;
  /** Flags that the sample gets besides those of its check. */
  readonly flags?: readonly string[];
}

export interface Effort {
  /** Seconds that a run of n units aims at; n, 2n, n, 2n ... are timed. */
  readonly seconds: number;
  /** Pairs of n and 2n. */
  readonly pairs: number;
  /** Work (flops or bytes) a second that kernels like it do here: sizing then begins near its end. */
  readonly rate?: number;
  /** Go on until the interval is within 3 % or so many seconds have passed. */
  readonly settleSeconds?: number;
}

const wantedHalfWidth = 0.03;
/** Where the rate is known sizing begins at this share of a run, which a slower shape survives. */
const firstShare = 0.25;

/**
 * Builds, sizes, times and checks one entrant and tells it as a sample. Returns its rate in work
 * (flops or bytes) a second, 0 where it was refused: by its check, the clock or the browser.
 */
export async function runTrial(
  context: GpuContext,
  entrant: Entrant,
  effort: Effort,
): Promise<number> {
  const { emit, environment } = context;
  const tell = (rest: Omit<Sample, 'device' | 'deviceId' | 'probe' | 'variant'>) =>
    emit({
      kind: 'sample',
      sample: {
        device: 'gpu',
        deviceId: environment.deviceId,
        probe: entrant.probe,
        variant: entrant.variant,
        ...rest,
      },
    });
  try {
    const { amount, seconds, timer, flags, refusal } = await measured(context, entrant, effort);
    const work = entrant.measured(amount);
    tell({
      measured: work,
      seconds,
      timer,
      status: refusal === undefined ? 'ok' : 'failed',
      ...(refusal !== undefined && { reason: refusal.reason }),
      flags: [...flags, ...(entrant.flags ?? [])],
    });
    return refusal === undefined ? rateOf(work, seconds, timer) : 0;
  } catch (error) {
    // A shape that this browser cannot compile or hold is out of the race, not the end of it.
    if (!(error instanceof GpuFault) || error.fault.kind === 'device-lost') throw error;
    const { cause, detail } = error.fault;
    tell({
      measured: entrant.measured(1),
      seconds: [],
      timer: context.timer.source,
      status: 'failed',
      reason: `${cause} ${detail}`,
      flags: [],
    });
    return 0;
  }
}

async function measured(context: GpuContext, entrant: Entrant, effort: Effort): Promise<Trial> {
  const workload = await entrant.create();
  try {
    const seconds = context.timer.passSeconds(effort.seconds);
    const known = (effort.rate ?? 0) * seconds * firstShare;
    const first = Math.max(1, Math.floor(known / workOf(entrant.measured(1))));
    const size = await sizeWorkload(context.timer, workload, seconds, first);
    return await timedWorkload(context.timer, workload, size, effort);
  } finally {
    workload.destroy();
  }
}

async function timedWorkload(
  timer: GpuTimer,
  workload: Workload,
  sized: Size,
  effort: Effort,
): Promise<Trial> {
  const pairs = timer.pairs(effort.pairs);
  const begin = performance.now();
  let size = sized;
  let trial = await timeWorkload(timer, workload, size, pairs);
  const fastest = Math.min(...trial.seconds);
  if (trial.refusal?.of === 'time' && fastest < size.seconds / 1.5) {
    // Sized while another program slowed it down.
    size = { ...size, amount: Math.round((size.amount * size.seconds) / fastest) };
    trial = await timeWorkload(timer, workload, size, pairs);
  }
  const isOpen = () =>
    effort.settleSeconds !== undefined &&
    trial.refusal === undefined &&
    relativeHalfWidth(medianInterval(trial.seconds)) > wantedHalfWidth &&
    performance.now() - begin < 1000 * effort.settleSeconds;
  while (isOpen()) {
    // What was timed is known better than what it was sized by.
    size = { ...size, seconds: Math.min(...trial.seconds) };
    const more = await timeWorkload(timer, workload, size, pairs);
    // Times that another program disturbed spoil no others; wrong results do.
    if (more.refusal?.of !== 'time')
      trial = { ...more, seconds: [...trial.seconds, ...more.seconds] };
  }
  return trial;
}

/**
 * The rate that shapes are compared by. A disturbance only adds to a timestamp's span, so there the
 * fastest run is the truest; a fit can err both ways, so there it is the median.
 */
function rateOf(work: Measured, seconds: readonly number[], timer: string): number {
  const time = timer === 'timestamp' ? Math.min(...seconds) : median(seconds);
  return workOf(work) / time;
}
