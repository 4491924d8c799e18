import type { Ceiling, Roofline, Trajectory, TrajectoryPoint } from '../roofline/types.ts';
import { wholeSteps } from '../roofline/wholeSteps.ts';
import { configToQuery } from './config.ts';
import type { DeviceEnvironment } from './events.ts';
import type { LinkDigits } from './linkDigits.ts';
import { countRow, measuredRow, type WrittenWire } from './linkWire.ts';
import type { SummarizedRun } from './record.ts';

/** The two sizes of link: everything that fits in an address, or what fits in a QR code. */
export type LinkForm = 'full' | 'card';

/** Of what no figure is shown: times of the clocks. */
const clockDigits = 4;
/** Flops and bytes are counted: where there is room they are kept to the last one. */
const allDigits = 17;

/** A run as a link holds it, at so many digits; texts are cut to what the schema takes. */
export function writeWire(run: SummarizedRun, form: LinkForm, digits: LinkDigits): WrittenWire {
  const { environment, rooflines, trajectories } = run.summary;
  return [
    1,
    form,
    [short(run.app.version), short(run.app.commit)],
    run.startedAt,
    short(run.label ?? ''),
    long(configToQuery(run.config)),
    [
      long(environment.userAgent),
      short(environment.platform),
      environment.logicalCores,
      truth(environment.secureContext),
      truth(environment.isolated),
    ],
    environment.devices.slice(0, 8).map(device),
    rooflines.slice(0, 32).map((of, index) => roofline(of, digits.rooflines[index]!)),
    // Of whole steps alone: those of kinds of calls are in the file.
    wholeSteps(trajectories)
      .slice(0, 32)
      .map((of, index) => trajectory(of, form, digits.points[index]!)),
  ];
}

type Written<Index extends number> = WrittenWire[Index] extends readonly (infer Item)[]
  ? Item
  : never;

function device(environment: DeviceEnvironment): Written<7> {
  switch (environment.device) {
    case 'gpu':
      return [
        'gpu',
        short(environment.deviceId),
        short(environment.vendor),
        short(environment.architecture),
        short(environment.description),
        truth(environment.software),
        long(environment.softwareEvidence ?? ''),
        environment.timer,
        measuredRow(clockDigits, environment.timestampGridSeconds),
        environment.features.slice(0, 64).map(short),
      ];
    case 'cpu':
      return [
        'cpu',
        short(environment.deviceId),
        environment.logicalCores,
        environment.threads,
        truth(environment.isolated),
        truth(environment.sharedMemory),
        environment.module,
        measuredRow(clockDigits, environment.clockStepSeconds),
      ];
  }
}

function roofline(
  { device: kind, deviceId, threads, compute, bandwidth }: Roofline,
  digits: number,
): Written<8> {
  return [
    kind,
    short(deviceId),
    threads ?? 0,
    compute.slice(0, 16).map((of) => ceiling(of, digits)),
    bandwidth.slice(0, 16).map((of) => ceiling(of, digits)),
  ];
}

function ceiling(of: Ceiling, digits: number): Written<8>[3][number] {
  const { id, label, precision, level, samples, value, ciLow, ciHigh } = of;
  const row = [
    countRow(samples),
    measuredRow(digits, value, ciLow, ciHigh, of.capacityBytes, of.workgroupCapacityBytes),
    measuredRow(digits, of.capacityLowBytes, of.capacityHighBytes),
  ];
  return [
    short(id),
    short(label),
    short(precision ?? level ?? ''),
    withoutTail(row.join(' ')),
    long(of.variant),
    of.timer,
    of.flags.slice(0, 8).map(short),
  ];
}

function trajectory(
  { fixed, ...of }: Trajectory,
  form: LinkForm,
  digits: readonly number[],
): Written<9> {
  return [
    of.device,
    short(of.deviceId),
    short(of.model),
    of.parameter,
    countRow(fixed.batch, fixed.workgroups, fixed.workgroupSize, fixed.threads, fixed.replicas),
    fixed.scaling ?? '',
    of.points.slice(0, 64).map((one, index) => point(one, form, digits[index]!)),
  ];
}

function point(of: TrajectoryPoint, form: LinkForm, digits: number): Written<9>[6][number] {
  if (of.status !== 'ok') return [of.value, of.status, long(of.reason ?? '')];
  const batch = Math.round(of.imagesPerSecond * of.seconds);
  const { flops, executedFlops, bytes } = of;
  const workDigits = form === 'full' ? allDigits : digits;
  const row = [
    countRow(of.value, batch, of.samples),
    measuredRow(workDigits, flops, executedFlops, bytes.algorithmic),
    measuredRow(digits, of.seconds, of.ciLow, of.ciHigh, of.coldSeconds),
    measuredRow(workDigits, bytes.issued),
    measuredRow(digits, of.roofFraction, of.bound?.memory),
    measuredRow(digits, of.loadFraction, of.threadsRoofFraction),
  ];
  return [withoutTail(row.join(' ')), of.flags.slice(0, 8).map(short)];
}

/** A row whose last two numbers, which few rows have, are left out where they are absent. */
function withoutTail(row: string): string {
  return row.replace(/ - -$/, '');
}

function short(text: string): string {
  return text.slice(0, 80);
}

function long(text: string): string {
  return text.slice(0, 400);
}

function truth(value: boolean): 0 | 1 {
  return value ? 1 : 0;
}
