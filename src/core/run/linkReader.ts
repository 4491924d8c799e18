import { ridgePoints } from '../roofline/attainable.ts';
import { operationOf } from '../roofline/compute.ts';
import { absentPoint } from '../roofline/point.ts';
import type { Precision } from '../roofline/sample.ts';
import { trajectoryOf } from '../roofline/trajectories.ts';
import type { Ceiling, Roofline, Trajectory, TrajectoryPoint } from '../roofline/types.ts';
import { configFromQuery, defaultConfig, type RunConfig } from './config.ts';
import type { DeviceEnvironment } from './events.ts';
import type { ReadWire } from './linkWire.ts';
import type { SummarizedRun } from './record.ts';

type Item<Index extends number> = ReadWire[Index] extends readonly (infer Of)[] ? Of : never;
type Row = readonly (number | undefined)[];

/** The run of a link. Rates, ridge points, segments, saturation are derived anew. */
export function readWire(wire: ReadWire): SummarizedRun {
  const [, , [version, commit], startedAt, label, query, host, devices, rooflines, trajectories] =
    wire;
  const [userAgent, platform, logicalCores, secureContext, isolated] = host;
  return {
    app: { version, commit },
    startedAt,
    ...(label !== '' && { label }),
    config: configOf(query),
    summary: {
      schema: 'rooftrace-summary/1',
      environment: {
        userAgent,
        platform,
        logicalCores,
        secureContext: secureContext === 1,
        isolated: isolated === 1,
        devices: devices.map(deviceOf),
      },
      rooflines: rooflines.map(rooflineOf),
      trajectories: trajectories.map(trajectoryFrom),
      tuning: [],
      failures: [],
    },
  };
}

function configOf(query: string): RunConfig {
  const entries = query.split('&').map((pair) => pair.split('='));
  const parsed = configFromQuery({
    getAll: (key) => entries.flatMap(([name, value]) => (name === key && value ? [value] : [])),
  });
  return parsed.kind === 'ok' ? parsed.value : defaultConfig;
}

function deviceOf(device: Item<7>): DeviceEnvironment {
  if (device[0] === 'cpu') {
    const [kind, deviceId, logicalCores, threads, isolated, sharedMemory, module, [step]] = device;
    return {
      device: kind,
      deviceId,
      logicalCores,
      isolated: isolated === 1,
      threads,
      module,
      sharedMemory: sharedMemory === 1,
      ...(step !== undefined && { clockStepSeconds: step }),
    };
  }
  const [kind, deviceId, vendor, architecture, description, software, evidence, timer, [grid]] =
    device;
  return {
    device: kind,
    deviceId,
    vendor,
    architecture,
    description,
    software: software === 1,
    ...(evidence !== '' && { softwareEvidence: evidence }),
    features: device[9],
    limits: {},
    timer,
    ...(grid !== undefined && { timestampGridSeconds: grid }),
  };
}

function rooflineOf([device, deviceId, threads, arithmetic, memory]: Item<8>): Roofline {
  const compute = arithmetic.map((ceiling) => computeCeiling(ceiling, threads));
  const bandwidth = memory.map((ceiling) => bandwidthCeiling(ceiling, threads));
  return {
    device,
    deviceId,
    ...(threads > 0 && { threads }),
    compute,
    bandwidth,
    ridge: ridgePoints(compute, bandwidth),
  };
}

type WireCeiling = Item<8>[3][number];

function computeCeiling(ceiling: WireCeiling, threads: number): Ceiling {
  const precision = ceiling[2] as Precision;
  return { ...measuredCeiling(ceiling, threads), precision, unit: `${operationOf(precision)}/s` };
}

function bandwidthCeiling(ceiling: WireCeiling, threads: number): Ceiling {
  const level = ceiling[2];
  const [, , , , capacity, workgroupCapacity, low, high] = ceiling[3];
  return {
    ...measuredCeiling(ceiling, threads),
    unit: 'byte/s',
    ...(level !== '' && { level }),
    ...(capacity !== undefined && { capacityBytes: capacity }),
    ...(low !== undefined && { capacityLowBytes: low }),
    ...(high !== undefined && { capacityHighBytes: high }),
    ...(workgroupCapacity !== undefined && { workgroupCapacityBytes: workgroupCapacity }),
  };
}

function measuredCeiling(ceiling: WireCeiling, threads: number): Omit<Ceiling, 'unit'> {
  const [id, label, , [samples = 0, value = 0, ciLow = 0, ciHigh = 0], variant, timer, flags] =
    ceiling;
  return {
    id,
    label,
    value,
    ciLow,
    ciHigh,
    variant,
    timer,
    samples,
    ...(threads > 0 && { threads }),
    flags,
  };
}

function trajectoryFrom(wire: Item<9>): Trajectory {
  const [device, deviceId, model, parameter, fixed, scaling, points] = wire;
  const [batch, workgroups, workgroupSize, threads, replicas] = fixed;
  return trajectoryOf(
    {
      device,
      deviceId,
      model,
      scope: 'step',
      precision: 'f32',
      parameter,
      fixed: {
        ...(batch !== undefined && { batch }),
        ...(workgroups !== undefined && { workgroups }),
        ...(workgroupSize !== undefined && { workgroupSize }),
        ...(threads !== undefined && { threads }),
        ...(replicas !== undefined && { replicas }),
        ...(scaling !== '' && { scaling }),
      },
    },
    points.map(pointOf).toSorted((a, b) => a.value - b.value),
  );
}

function pointOf(wire: Item<9>[6][number]): TrajectoryPoint {
  if (wire.length === 3) {
    const [value, status, reason] = wire;
    return absentPoint(value, status, reason, undefined);
  }
  const [[value = 0, batch = 0, samples = 0, ...measured], flags] = wire;
  return { value, status: 'ok', samples, ...workAndTime(measured, batch), flags };
}

type WorkAndTime = Omit<TrajectoryPoint, 'value' | 'status' | 'samples' | 'flags'>;

function workAndTime(measured: Row, batch: number): WorkAndTime {
  const [flops = 0, executedFlops = 0, algorithmic = 0, seconds = 0] = measured;
  const [, , , , ciLow = 0, ciHigh = 0, cold, issued, roofFraction, memory] = measured;
  const [loadFraction, threadsRoofFraction] = measured.slice(10);
  return {
    flops,
    executedFlops,
    bytes: { algorithmic, ...(issued !== undefined && { issued }) },
    seconds,
    ciLow,
    ciHigh,
    ...(cold !== undefined && { coldSeconds: cold }),
    flopsPerSecond: executedFlops / seconds,
    intensity: executedFlops / algorithmic,
    imagesPerSecond: batch / seconds,
    ...(roofFraction !== undefined && { roofFraction }),
    ...(memory !== undefined && { bound: { compute: 1 - memory, memory } }),
    ...(loadFraction !== undefined && { loadFraction }),
    ...(threadsRoofFraction !== undefined && { threadsRoofFraction }),
  };
}
