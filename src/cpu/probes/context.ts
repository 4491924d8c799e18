import type { Sample } from '../../core/roofline/sample.ts';
import type { CpuProfile } from '../profile.ts';
import type { Progress } from '../progress.ts';
import type { Check } from './runner.ts';

/** What the probes of a job have in common. */
export interface ProbeContext {
  readonly profile: CpuProfile;
  readonly progress: Progress;
  readonly tell: (sample: Sample) => void;
}

/** Blocks in a repeat: enough that threads' blocks need not end together. */
export const blocksPerRepeat = 8;

/** Seconds that so many repeats are expected to take, with messages, checks and sizing. */
export function expectedSeconds(
  { repeatSeconds }: CpuProfile,
  repeats: number,
  warmUpSeconds: number,
): number {
  const sizingBlocks = 3;
  const messages = 3e-3;
  return warmUpSeconds + repeatSeconds * (repeats + sizingBlocks / blocksPerRepeat) + messages;
}

/** The parts of every CPU sample that are alike. */
export const cpuSample = { device: 'cpu', deviceId: 'cpu', timer: 'clock' } as const;

/** A sample's status, and the reason where it is not `ok`. */
export function verdict(
  seconds: readonly number[],
  check: Check,
  fault?: string,
): Pick<Sample, 'status' | 'reason'> {
  const reason = reasonOf(seconds, check, fault);
  return reason === undefined ? { status: 'ok' } : { status: 'failed', reason };
}

function reasonOf(seconds: readonly number[], check: Check, fault?: string): string | undefined {
  if (check.kind === 'wrong') return check.reason;
  if (seconds.length === 0) return 'the threads were never at work together';
  return fault;
}

/** "1 thread", "4 threads" */
export function threadsInWords(threads: number): string {
  return threads === 1 ? '1 thread' : `${threads} threads`;
}
