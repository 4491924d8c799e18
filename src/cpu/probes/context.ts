import type { Sample } from '../../core/roofline/sample.ts';
import type { CpuProfile } from '../profile.ts';
import type { Progress } from '../progress.ts';

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

/** "1 thread", "4 threads" */
export function threadsInWords(threads: number): string {
  return threads === 1 ? '1 thread' : `${threads} threads`;
}
