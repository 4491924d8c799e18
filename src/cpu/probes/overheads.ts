import type { Measured, Sample } from '../../core/roofline/sample.ts';
import type { Team } from '../team.ts';
import { cpuSample, threadsInWords, type ProbeContext } from './context.ts';

/** What costs time besides work, and how it is caused so many times in a row. */
interface Overhead {
  readonly of: Extract<Measured, { kind: 'overhead' }>['of'];
  readonly probe: string;
  readonly variant: string;
  /** Occurrences come in multiples of this. */
  readonly unit: number;
  readonly time: (team: Team, count: number) => Promise<CountedTime>;
}

/** Seconds of so many occurrences, or why they were not what was to be timed. */
export interface CountedTime {
  readonly seconds: number;
  readonly fault?: string;
}

const message: Overhead = {
  of: 'wakeUp',
  probe: 'message',
  variant: 'message to a thread and its answer',
  unit: 1,
  time: (team, count) => team.timeMessages(count),
};

function sharedOverheads(threads: number): Overhead[] {
  return [
    {
      of: 'barrier',
      probe: 'barrier',
      variant: 'all threads meet: spin, then Atomics.wait',
      unit: 1,
      time: (team, count) => team.timeBarriers(count),
    },
    {
      of: 'wakeUp',
      probe: 'wake-up',
      variant: 'Atomics.notify to a thread asleep in Atomics.wait',
      unit: threads,
      time: (team, count) => team.timeWakeUps(count / threads),
    },
  ];
}

/** Until the engine has optimised the code. */
const warmUpMilliseconds = 30;
const firstCount = 16;
const growth = 4;
/** Long enough for the clock, short enough for a cancel. */
const leastSeconds = 2e-3;
const leastClockSteps = 200;
const repeats = 7;
/** On a busy machine a meeting may take a turn of the system's scheduler: then fewer repeats do. */
const mostMilliseconds = 300;
const expectedSeconds = 0.08;

/** One sample a kind of overhead that a team of so many threads has. */
export async function probeOverheads(team: Team, context: ProbeContext): Promise<void> {
  for (const overhead of overheadsFor(team.length, team.sharesMemory)) {
    const stage = `${overhead.probe}, ${threadsInWords(team.length)}`;
    context.progress.advance(stage, 0);
    context.tell(await measureOverhead(team, overhead, context.profile.clockStepSeconds));
    context.progress.advance(stage, expectedSeconds);
  }
}

/** Seconds that `probeOverheads` is expected to take. */
export function expectedOverheadSeconds(threads: number, sharesMemory: boolean): number {
  return overheadsFor(threads, sharesMemory).length * expectedSeconds;
}

/** A message costs one thread as much as it costs each of many. */
function overheadsFor(threads: number, sharesMemory: boolean): Overhead[] {
  if (threads === 1) return [message];
  return sharesMemory ? sharedOverheads(threads) : [];
}

async function measureOverhead(
  team: Team,
  overhead: Overhead,
  clockStepSeconds: number,
): Promise<Sample> {
  const wanted = Math.max(leastSeconds, leastClockSteps * clockStepSeconds) / repeats;
  const count = await countFor(team, overhead, wanted);
  const times: CountedTime[] = [];
  const deadline = performance.now() + mostMilliseconds;
  do {
    times.push(await overhead.time(team, count));
  } while (times.length < repeats && performance.now() < deadline);
  const fault = times.find((each) => each.fault !== undefined)?.fault;
  return {
    ...cpuSample,
    probe: overhead.probe,
    variant: overhead.variant,
    measured: { kind: 'overhead', of: overhead.of, count },
    threads: team.length,
    seconds: times.map(({ seconds }) => seconds),
    ...(fault === undefined ? { status: 'ok' } : { status: 'failed', reason: fault }),
    flags: [],
  };
}

/** How often it must happen to take so long; a disturbance that passes does not count. */
async function countFor(team: Team, overhead: Overhead, wanted: number): Promise<number> {
  const warm = performance.now() + warmUpMilliseconds;
  while (performance.now() < warm) await overhead.time(team, firstCount * overhead.unit);
  for (let count = firstCount * overhead.unit; ; count *= growth) {
    const first = await overhead.time(team, count);
    const second = await overhead.time(team, count);
    if (Math.min(first.seconds, second.seconds) >= wanted) return count;
  }
}
