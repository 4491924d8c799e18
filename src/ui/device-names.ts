import type { CpuEnvironment, DeviceEnvironment, GpuEnvironment } from '../core/run/events.ts';
import { formatDuration } from '../core/units.ts';

/** Browsers may withhold every string that names the adapter. */
export function isNamed({ description, vendor, architecture }: GpuEnvironment): boolean {
  return `${description}${vendor}${architecture}` !== '';
}

/** The adapter as far as the browser names it. */
export function adapterName({ description, vendor, architecture }: GpuEnvironment): string {
  const short = [vendor, architecture].filter((part) => part !== '').join(' ');
  if (description === '') return short === '' ? 'not named by the browser' : short;
  return short === '' ? description : `${description} (${short})`;
}

export function timerName({ timer, timestampGridSeconds }: GpuEnvironment): string {
  switch (timer) {
    case 'timestamp':
      return timestampGridSeconds === undefined
        ? 'GPU timestamps'
        : `GPU timestamps in steps of ${formatDuration(timestampGridSeconds)}`;
    case 'wall-fit':
      return 'wall clock, fitted over batches of work';
  }
}

/** `4 threads, relaxed SIMD WebAssembly`. */
export function threadsName({ threads, module }: CpuEnvironment): string {
  const simd = module === 'relaxed-simd' ? 'relaxed SIMD' : 'SIMD';
  return `${threads} ${threads === 1 ? 'thread' : 'threads'}, ${simd} WebAssembly`;
}

/** What stands under a chart's heading; a software GPU is never shown without the word. */
export function panelSubtitle(environment: DeviceEnvironment | undefined, failed: boolean): string {
  switch (environment?.device) {
    case 'gpu':
      return `${environment.software ? 'software GPU: ' : ''}${adapterName(environment)}`;
    case 'cpu':
      return threadsName(environment);
    case undefined:
      return failed ? 'could not be measured' : 'not measured yet';
  }
}
