import { computeRoof, memoryRoof } from '../roofline/attainable.ts';
import type { Ceiling, Roofline, Trajectory } from '../roofline/types.ts';
import { wholeSteps } from '../roofline/wholeSteps.ts';
import { browserName } from '../run/browserName.ts';
import type { DeviceKind } from '../run/config.ts';
import type { GpuEnvironment } from '../run/events.ts';
import type { RunSummary, SummarizedRun } from '../run/record.ts';
import { formatNumber, formatRate } from '../units.ts';

/** Runs that one chart overlays, and one table compares, at the most. */
export const mostCompared = 6;

/** Where a run in a comparison came from; each is told to the reader. */
export type RunSource = 'page' | 'history' | 'file' | 'link' | 'reference';

/** A run in a comparison. */
export interface ComparedRun {
  /** Unique within the comparison. */
  readonly id: string;
  readonly source: RunSource;
  /** What the user, the file or the machine calls it. */
  readonly name: string;
  readonly run: SummarizedRun;
}

/** The roofline of a whole device: on a CPU the one of most threads. */
export function wholeRoofline(
  { rooflines }: Pick<RunSummary, 'rooflines'>,
  device: DeviceKind,
): Roofline | undefined {
  return rooflines
    .filter((roofline) => roofline.device === device)
    .toSorted((a, b) => (b.threads ?? 0) - (a.threads ?? 0))[0];
}

/** The two ceilings that make a device's roof, and where they meet. */
export interface Roof {
  readonly compute: Ceiling;
  readonly memory: Ceiling;
  /** flop/byte */
  readonly ridge: number;
}

/** Undefined before both ceilings are measured. */
export function roofOf(
  summary: Pick<RunSummary, 'rooflines'>,
  device: DeviceKind,
): Roof | undefined {
  const roofline = wholeRoofline(summary, device);
  const compute = roofline && computeRoof(roofline, 'f32');
  const memory = roofline && memoryRoof(roofline);
  if (compute === undefined || memory === undefined) return undefined;
  return { compute, memory, ridge: compute.value / memory.value };
}

/** A GPU that the CPU emulates: its roofline is not a GPU's. */
export function hasSoftwareGpu({ summary }: Pick<SummarizedRun, 'summary'>): boolean {
  return summary.environment.devices.some((found) => found.device === 'gpu' && found.software);
}

/** `SwiftShader Device (Subzero)`, `2 threads`: a run's device as far as it is named. */
export function deviceName({ summary }: SummarizedRun, device: DeviceKind): string {
  const environment = summary.environment.devices.find((found) => found.device === device);
  switch (environment?.device) {
    case 'gpu':
      return `${environment.software ? 'software GPU, ' : ''}${gpuName(environment)}`;
    case 'cpu':
      return `CPU, ${environment.threads} ${environment.threads === 1 ? 'thread' : 'threads'}`;
    case undefined:
      return `${device.toUpperCase()} not measured`;
  }
}

function gpuName({ description, vendor, architecture }: GpuEnvironment): string {
  const name = description || [vendor, architecture].filter((part) => part !== '').join(' ');
  return name || 'not named by the browser';
}

/** What a run is called where nobody named it: its browser and its GPU. */
export function runName(run: SummarizedRun): string {
  if (run.label !== undefined && run.label !== '') return run.label;
  const browser = browserName(run.summary.environment.userAgent);
  const hasGpu = run.summary.environment.devices.some(({ device }) => device === 'gpu');
  return hasGpu ? `${browser}, ${deviceName(run, 'gpu')}` : browser;
}

/** The roof in a line: `57.0 GFLOP/s, 4.10 GB/s, ridge 13.9 FLOP/byte`. */
export function roofText({ compute, memory, ridge }: Roof): string {
  const rates = [formatRate(compute.value, compute.unit), formatRate(memory.value, memory.unit)];
  return `${rates.join(', ')}, ridge ${formatNumber(ridge)} FLOP/byte`;
}

/** The whole steps' trajectories of one device with at least one good point. */
export function trajectoriesOf(
  { trajectories }: Pick<RunSummary, 'trajectories'>,
  device: DeviceKind,
): readonly Trajectory[] {
  return wholeSteps(trajectories).filter(
    (trajectory) =>
      trajectory.device === device && trajectory.points.some(({ status }) => status === 'ok'),
  );
}
