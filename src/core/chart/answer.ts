import { flags } from '../roofline/flags.ts';
import type { Trajectory, TrajectoryPoint } from '../roofline/types.ts';
import { wholeSteps } from '../roofline/wholeSteps.ts';
import type { DeviceKind } from '../run/config.ts';
import type { RunSummary } from '../run/record.ts';
import { formatShare } from '../units.ts';

/** What holds a network's training back on a device, in a sentence, and what the sentence rests on. */
export interface TrainingAnswer {
  readonly model: string;
  readonly sentence: string;
  readonly details: string;
  /** Whether the batch grew until that gained little. */
  readonly saturated: boolean;
  /** Of the time of a step: what each limit accounts for, and the rest; they sum to 1. */
  readonly shares: { readonly compute: number; readonly memory: number; readonly rest: number };
}

/** Of the fastest step of every network whose batch was grown on the device; none without roofs. */
export function trainingAnswers(
  { trajectories, environment }: Pick<RunSummary, 'trajectories' | 'environment'>,
  device: DeviceKind,
): readonly TrainingAnswer[] {
  const measured = environment.devices.find((one) => one.device === device);
  const software = measured?.device === 'gpu' && measured.software;
  const place = `the ${software ? 'software ' : ''}${device.toUpperCase()}`;
  return wholeSteps(trajectories)
    .filter((trajectory) => trajectory.device === device && trajectory.parameter === 'batch')
    .flatMap((trajectory) => answerOf(trajectory, place) ?? []);
}

function answerOf(trajectory: Trajectory, place: string): TrainingAnswer | undefined {
  const { points, optimum } = trajectory;
  const best = points.find(({ value, status }) => status === 'ok' && value === optimum?.value);
  const shares = best && sharesOf(best);
  if (!best || !shares) return undefined;
  const model = modelTitle(trajectory.model);
  return {
    model,
    shares,
    saturated: trajectory.saturation !== undefined,
    sentence: `Training ${model} on ${place} ${limitWords(shares)} and ${saturationWords(trajectory)}.`,
    details: `${shareWords(best, shares)}${intervalWords(trajectory)}`,
  };
}

/** The least possible time, split by what limits it, and the rest, of the measured time. */
function sharesOf({ roofFraction, bound }: TrajectoryPoint): TrainingAnswer['shares'] | undefined {
  if (roofFraction === undefined || bound === undefined) return undefined;
  // Above its roof a step has no rest; the point is flagged.
  const reached = Math.min(1, roofFraction);
  return { compute: reached * bound.compute, memory: reached * bound.memory, rest: 1 - reached };
}

/** Two limits whose shares differ by less than this factor hold a program back alike. */
const alike = 1.5;

/** The largest of the three shares names the limit. */
function limitWords({ compute, memory, rest }: TrainingAnswer['shares']): string {
  if (rest > Math.max(compute, memory)) return 'is bound by neither arithmetic nor memory yet';
  if (compute >= alike * memory) return 'is bound by arithmetic';
  if (memory >= alike * compute) return 'is bound by memory';
  return 'is bound by arithmetic and memory alike';
}

function saturationWords({ saturation, points }: Trajectory): string {
  if (saturation !== undefined) return `saturates at batch ${saturation.value}`;
  const last = points.findLast(({ status }) => status === 'ok');
  return `has not saturated at batch ${last?.value}, the largest measured`;
}

function shareWords(
  { value, flags: own }: TrajectoryPoint,
  { compute, memory, rest }: TrainingAnswer['shares'],
): string {
  if (own.includes(flags.aboveRoof))
    return `The step of batch ${value} is faster than its roof: one of the two measurements is wrong, so measure again.`;
  const limits = `At batch ${value} arithmetic at full speed would take ${formatShare(compute)} of a step's time and memory ${formatShare(memory)}`;
  return `${limits}; launches, latency and kernels short of full speed take the other ${formatShare(rest)}.`;
}

function intervalWords({ saturation }: Trajectory): string {
  if (saturation === undefined) return '';
  const { value, earliest, latest } = saturation;
  const range = earliest === latest ? '' : ` (${earliest} to ${latest} by the intervals)`;
  return ` From batch ${value}${range} on, a larger one gains 5 % at most.`;
}

/** `ResNet-8` for `resnet8`; others by their name in the zoo. */
export function modelTitle(model: string): string {
  return model.replace(/^resnet(?=\d)/, 'ResNet-');
}
