import type { Ceiling, Roofline, Trajectory, TrajectoryPoint } from '../roofline/types.ts';
import { wholeSteps } from '../roofline/wholeSteps.ts';
import { configToQuery } from './config.ts';
import type { DeviceEnvironment } from './events.ts';
import { countRow, measuredRow, type WrittenWire } from './linkWire.ts';
import type { SummarizedRun } from './record.ts';

/** The two sizes of link: everything that fits in an address, or what fits in a QR code. */
export type LinkForm = 'full' | 'card';

/** A run as a link holds it; texts are cut to what the schema takes. */
export function writeWire(run: SummarizedRun, form: LinkForm): WrittenWire {
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
    rooflines.slice(0, 32).map(roofline),
    // Of whole steps alone: those of kinds of calls are in the file.
    wholeSteps(trajectories).slice(0, 32).map(trajectory),
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
        measuredRow(environment.timestampGridSeconds),
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
        measuredRow(environment.clockStepSeconds),
      ];
  }
}

function roofline({ device: kind, deviceId, threads, compute, bandwidth }: Roofline): Written<8> {
  return [
    kind,
    short(deviceId),
    threads ?? 0,
    compute.slice(0, 16).map(ceiling),
    bandwidth.slice(0, 16).map(ceiling),
  ];
}

function ceiling(of: Ceiling): Written<8>[3][number] {
  const { id, label, precision, level, samples, value, ciLow, ciHigh } = of;
  const measured = measuredRow(value, ciLow, ciHigh, of.capacityBytes, of.workgroupCapacityBytes);
  return [
    short(id),
    short(label),
    short(precision ?? level ?? ''),
    `${countRow(samples)} ${measured}`,
    long(of.variant),
    of.timer,
    of.flags.slice(0, 8).map(short),
  ];
}

function trajectory({ fixed, ...of }: Trajectory): Written<9> {
  return [
    of.device,
    short(of.deviceId),
    short(of.model),
    of.parameter,
    countRow(fixed.batch, fixed.workgroups, fixed.workgroupSize, fixed.threads, fixed.replicas),
    fixed.scaling ?? '',
    of.points.slice(0, 64).map(point),
  ];
}

function point(of: TrajectoryPoint): Written<9>[6][number] {
  if (of.status !== 'ok') return [of.value, of.status, long(of.reason ?? '')];
  const batch = Math.round(of.imagesPerSecond * of.seconds);
  const measured = measuredRow(
    of.flops,
    of.executedFlops,
    of.bytes.algorithmic,
    of.seconds,
    of.ciLow,
    of.ciHigh,
    of.coldSeconds,
    of.bytes.issued,
    of.roofFraction,
    of.bound?.memory,
  );
  return [`${countRow(of.value, batch, of.samples)} ${measured}`, of.flags.slice(0, 8).map(short)];
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
