import type { CallTiming } from '../../core/run/events.ts';
import type { TimedPass } from '../passes.ts';
import type { GpuTimer } from '../timer.ts';
import type { PlanCalls, PlannedCall } from './planCalls.ts';
import { planPasses } from './stepPasses.ts';

const samplesWanted = 3;
/** Repeats in a pass: a call that takes next to nothing stays so. */
const mostRepeats = 1000;

/**
 * Times each kernel call of a plan by itself, in order: passes of its own, and where it is too short
 * for the timer's grid several runs a pass, whose data then come from the cache. `workPerSecond` is
 * the device's rate, by which long calls are cut. Calls must be idempotent.
 */
export async function timeCalls(
  timer: GpuTimer,
  { calls }: PlanCalls,
  workPerSecond: number,
): Promise<CallTiming[]> {
  const timings: CallTiming[] = [];
  for (const call of calls) timings.push(await timeCall(timer, call, workPerSecond));
  return timings;
}

async function timeCall(
  timer: GpuTimer,
  planned: PlannedCall,
  workPerSecond: number,
): Promise<CallTiming> {
  const passes = callPasses(planned, workPerSecond);
  const expected = passes.reduce((sum, { expectedSeconds }) => sum + expectedSeconds, 0);
  const short = passes.length === 1 && expected < timer.passSeconds(0);
  const rough = short ? await timer.roughSeconds(passes[0]!.record) : expected;
  const wanted = timer.passSeconds(0) / Math.max(rough, timer.passSeconds(0) / mostRepeats);
  const repeats = short ? Math.max(1, Math.ceil(wanted)) : 1;
  const seconds: number[] = [];
  const flags = new Set<string>(repeats > 1 ? ['warm cache'] : []);
  for (let sample = 0; sample < samplesWanted; sample += 1) {
    const measured = await timer.measure(repeats > 1 ? [repeated(passes[0]!, repeats)] : passes);
    seconds.push(measured.seconds.reduce((sum, pass) => sum + pass, 0) / repeats);
    if (measured.problem !== undefined) flags.add(measured.problem);
  }
  const { op, variant } = planned;
  return { ops: [op], variant, seconds, timer: timer.source, flags: [...flags] };
}

/** One run of a call, as passes that stay short. */
function callPasses(planned: PlannedCall, workPerSecond: number): TimedPass[] {
  return planPasses([planned], workPerSecond, Infinity).map(({ slices, expectedSeconds }) => ({
    expectedSeconds,
    record: (pass) => {
      for (const slice of slices) planned.call.record(pass, slice, Infinity);
    },
  }));
}

function repeated({ record, expectedSeconds }: TimedPass, repeats: number): TimedPass {
  return {
    expectedSeconds: repeats * expectedSeconds,
    record: (pass) => {
      for (let run = 0; run < repeats; run += 1) record(pass);
    },
  };
}
