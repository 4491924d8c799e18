import { defaultConfig, type DeviceKind, type RunConfig } from '../../src/core/run/config.ts';
import type { RunEvent, StepTiming } from '../../src/core/run/events.ts';
import type { RunRecord } from '../../src/core/run/record.ts';
import type { Measured, Sample } from '../../src/core/roofline/sample.ts';

/** Repeats of `seconds` with a small, fixed scatter. */
function repeats(seconds: number, count = 8): readonly number[] {
  return Array.from({ length: count }, (_, index) => seconds * (1 + 0.008 * Math.sin(index * 2.3)));
}

function sample(
  device: DeviceKind,
  variant: string,
  measured: Measured,
  seconds: number,
  threads?: number,
): RunEvent {
  const value: Sample = {
    device,
    deviceId: device === 'gpu' ? 'swiftshader' : 'cpu',
    probe: measured.kind === 'compute' ? 'fma' : 'copy',
    variant,
    measured,
    ...(threads === undefined ? {} : { threads }),
    seconds: repeats(seconds),
    timer: device === 'gpu' ? 'timestamp' : 'clock',
    status: 'ok',
    flags: [],
  };
  return { kind: 'sample', sample: value };
}

function compute(device: DeviceKind, flopsPerSecond: number, threads?: number): RunEvent {
  const flops = 1e9;
  const measured: Measured = { kind: 'compute', precision: 'f32', flops };
  return sample(device, 'affine, 8 chains, vec4', measured, flops / flopsPerSecond, threads);
}

/** A copy sweep; `levels` are [capacity in bytes, byte/s], innermost first. */
function sweep(
  device: DeviceKind,
  levels: readonly (readonly [number, number])[],
  threads?: number,
): readonly RunEvent[] {
  return Array.from({ length: 15 }, (_, index) => {
    const workingSetSize = 4096 * 2 ** (1.2 * index);
    const [, rate = 1] = levels.find(([capacity]) => workingSetSize <= capacity) ?? [];
    const measured: Measured = {
      kind: 'bandwidth',
      pattern: 'copy',
      bytes: 2 * workingSetSize,
      workingSetSize,
    };
    return sample(device, 'copy, vec4', measured, (2 * workingSetSize) / rate, threads);
  });
}

function step(
  parameter: StepTiming['parameter'],
  value: number,
  batch: number,
  seconds: number,
): RunEvent {
  return {
    kind: 'step',
    step: {
      device: 'gpu',
      deviceId: 'swiftshader',
      model: 'resnet8',
      inputChannels: 1,
      precision: 'f32',
      parameter,
      value,
      batch,
      ...(parameter === 'workgroups' ? { workgroups: value } : {}),
      coldSeconds: seconds * 3,
      seconds: repeats(seconds),
      timer: 'timestamp',
      status: 'ok',
      losses: [2.4, 2.3],
    },
  };
}

/** A step of R replicas of T threads. */
function cpuStep(
  parameter: StepTiming['parameter'],
  batch: number,
  use: { readonly threads: number; readonly replicas?: number },
  seconds: number,
): RunEvent {
  const { threads, replicas } = use;
  const times = repeats(seconds);
  return {
    kind: 'step',
    step: {
      device: 'cpu',
      deviceId: 'cpu',
      model: 'resnet8',
      inputChannels: 1,
      precision: 'f32',
      parameter,
      value: parameter === 'batch' ? batch : (replicas ?? threads),
      batch,
      ...use,
      ...(replicas !== undefined && { scaling: 'strong' }),
      coldSeconds: seconds * 2,
      seconds: times,
      ...(replicas === undefined
        ? { barrierSeconds: times.map((time) => 0.1 * time) }
        : { allReduceSeconds: times.map((time) => 0.02 * time) }),
      timer: 'clock',
      status: 'ok',
      losses: [2.4, 2.3],
    },
  };
}

/** Training of the same machine's CPU: at batch 8 in one process and in two, and at batch 32. */
export const cpuTraining: readonly RunEvent[] = [
  cpuStep('threads', 8, { threads: 1 }, 0.01),
  cpuStep('threads', 8, { threads: 2 }, 0.006),
  cpuStep('replicas', 8, { threads: 1, replicas: 2 }, 0.005),
  cpuStep('batch', 32, { threads: 2 }, 0.022),
];

function cpuSamples(threads: number): readonly RunEvent[] {
  return [
    compute('cpu', 41e9 * threads ** 0.9, threads),
    ...sweep(
      'cpu',
      [
        [65536, 180e9 * threads],
        [1572864, 74e9 * threads],
        [Infinity, 21e9 * threads ** 0.3],
      ],
      threads,
    ),
  ];
}

const events: readonly RunEvent[] = [
  {
    kind: 'environment',
    environment: {
      device: 'gpu',
      deviceId: 'swiftshader',
      vendor: 'google',
      architecture: 'swiftshader',
      description: 'SwiftShader Device (Subzero)',
      software: true,
      features: ['timestamp-query'],
      limits: { maxBufferSize: 268435456 },
      timer: 'timestamp',
      timestampGridSeconds: 1e-9,
    },
  },
  compute('gpu', 57e9),
  ...sweep('gpu', [
    [262144, 11e9],
    [Infinity, 4.1e9],
  ]),
  ...[1, 2, 4, 8, 16, 32].map((batch) => step('batch', batch, batch, 0.011 * batch ** 0.86)),
  ...[1, 2, 4, 8, 16, 64, 256, 1024].map((count) =>
    step('workgroups', count, 8, 0.0655 * Math.max(1, 2.1 / Math.min(count, 2.1))),
  ),
  { kind: 'done', device: 'gpu', cancelled: false },
  {
    kind: 'environment',
    environment: {
      device: 'cpu',
      deviceId: 'cpu',
      logicalCores: 2,
      isolated: true,
      threads: 2,
      module: 'relaxed-simd',
      sharedMemory: true,
    },
  },
  ...cpuSamples(1),
  ...cpuSamples(2),
  { kind: 'done', device: 'cpu', cancelled: false },
];

const quick: RunConfig = { ...defaultConfig, profile: 'quick' };

/** A made-up run of a two-core machine with a software GPU, for tests of what shows records. */
export const sampleRecord: RunRecord = {
  schema: 'rooftrace/1',
  app: { version: '0.0.0', commit: 'test' },
  startedAt: '2026-01-31T12:00:00.000Z',
  config: quick,
  environment: {
    userAgent: 'test',
    platform: 'test',
    logicalCores: 2,
    secureContext: true,
    isolated: true,
  },
  events,
};
