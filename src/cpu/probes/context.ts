import type { Sample } from '../../core/roofline/sample.ts';
import type { CpuProfile } from '../profile.ts';
import type { Progress } from '../progress.ts';

/** What the probes of a job have in common. */
export interface ProbeContext {
  readonly profile: CpuProfile;
  readonly progress: Progress;
  readonly tell: (sample: Sample) => void;
}

/** Messages to the threads and back, checks, sizing: seconds on top of each measurement. */
export const overheadSeconds = 4e-3;

/** The parts of every CPU sample that are alike. */
export const cpuSample = { device: 'cpu', deviceId: 'cpu', timer: 'clock' } as const;

/** "1 thread", "4 threads" */
export function threadsInWords(threads: number): string {
  return threads === 1 ? '1 thread' : `${threads} threads`;
}
