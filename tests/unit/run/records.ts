import * as fc from 'fast-check';
import type { RunEvent } from '../../../src/core/run/events.ts';
import type { RunRecord } from '../../../src/core/run/record.ts';
import { computeSample, stepOf, sweepSamples } from '../roofline/samples.ts';

const mebi = 2 ** 20;

/** A short run with every kind of event. */
export function recordOf(change: Partial<RunRecord> = {}): RunRecord {
  const sweep = sweepSamples(
    { bandwidths: [80e9, 20e9], capacities: [2 * mebi], transitionOctaves: 0.5, overheadSize: 0 },
    { smallest: 2 ** 14, largest: 128 * mebi, ratio: 2 },
  );
  return {
    schema: 'rooftrace/1',
    app: { version: '0.1.0', commit: 'abc1234' },
    startedAt: '2026-01-31T12:00:00.000Z',
    config: { profile: 'quick', device: 'both', models: ['resnet8'], sweeps: ['batch'] },
    environment: {
      userAgent: 'test',
      platform: 'Linux',
      logicalCores: 2,
      secureContext: true,
      isolated: true,
    },
    events: [
      {
        kind: 'environment',
        environment: {
          device: 'gpu',
          deviceId: 'gpu-0',
          vendor: 'google',
          architecture: 'swiftshader',
          description: '',
          software: true,
          features: ['timestamp-query'],
          limits: { maxBufferSize: 2 ** 28 },
          timer: 'timestamp',
          timestampGridSeconds: 1e-9,
        },
      },
      { kind: 'progress', device: 'gpu', stage: 'f32', fraction: 0.1, remainingSeconds: 9 },
      { kind: 'sample', sample: computeSample(60e9) },
      { kind: 'sample', sample: computeSample(1e15, { status: 'failed', reason: 'not linear' }) },
      ...sweep.map((sample): RunEvent => ({ kind: 'sample', sample })),
      { kind: 'step', step: stepOf({ value: 4, batch: 4, seconds: [0.05] }) },
      { kind: 'step', step: stepOf() },
      {
        kind: 'failure',
        failure: {
          kind: 'device-lost',
          device: 'gpu',
          stage: 'training',
          cause: 'The GPU went away.',
          advice: 'Reload the page.',
          detail: 'reason: unknown',
        },
      },
      { kind: 'longest', device: 'gpu', longest: { passSeconds: 0.02, submitSeconds: 0.08 } },
      { kind: 'done', device: 'gpu', cancelled: false },
    ],
    ...change,
  };
}

const text = fc.string({ unit: 'binary' });
const texts = fc.array(text, { maxLength: 3 });
const amount = fc
  .double({ min: 0, noNaN: true, noDefaultInfinity: true })
  .map((value) => value + 0);
const work = fc.double({ min: 1e-100, max: 1e100, noNaN: true });
/** Flops and bytes whose ratio some kernel may have. */
const mixedWork = fc.double({ min: 1, max: 1e8, noNaN: true });
const count = fc.integer({ min: 1 });
const times = fc.array(fc.double({ min: 1e-12, max: 1e12, noNaN: true }), {
  minLength: 1,
  maxLength: 8,
});
/** Any double at all: NaN, the infinities and -0 too. */
const readings = fc.array(fc.double(), { maxLength: 8 });
const deviceKind = fc.constantFrom('gpu' as const, 'cpu' as const);
const timer = fc.constantFrom('timestamp' as const, 'wall-fit' as const, 'clock' as const);

const measured = fc.oneof(
  fc.record({
    kind: fc.constant('compute' as const),
    precision: fc.constantFrom('f32' as const, 'f16' as const, 'f64' as const, 'i32' as const),
    flops: work,
  }),
  fc.record(
    {
      kind: fc.constant('bandwidth' as const),
      pattern: fc.constantFrom(
        'read' as const,
        'write' as const,
        'copy' as const,
        'triad' as const,
      ),
      bytes: work,
      workingSetSize: work,
      sweep: fc.constantFrom('shared' as const, 'private' as const),
      addresses: fc.constantFrom('distinct' as const, 'broadcast' as const),
      space: fc.constant('workgroup' as const),
    },
    { requiredKeys: ['kind', 'pattern', 'bytes', 'workingSetSize'] },
  ),
  fc.record({ kind: fc.constant('latency' as const), loads: work, workingSetSize: work }),
  fc.record({
    kind: fc.constant('overhead' as const),
    of: fc.constantFrom(
      'submit' as const,
      'pass' as const,
      'dispatch' as const,
      'barrier' as const,
      'wakeUp' as const,
    ),
    count: work,
  }),
  fc.record({
    kind: fc.constant('mixed' as const),
    precision: fc.constant('f32' as const),
    flops: mixedWork,
    bytes: mixedWork,
    workingSetSize: work,
  }),
  fc.record({
    kind: fc.constant('sustained' as const),
    precision: fc.constantFrom('f32' as const, 'i8' as const),
    flops: work,
  }),
  fc.record({
    kind: fc.constant('transfer' as const),
    direction: fc.constantFrom('upload' as const, 'download' as const),
    bytes: work,
  }),
  fc.record({
    kind: fc.constant('extra' as const),
    of: fc.constantFrom('gatherStrided' as const, 'gatherRandom' as const, 'atomics' as const),
    amount: work,
    unit: fc.constantFrom('byte' as const, 'op' as const),
  }),
);

const sampleFields = { device: deviceKind, deviceId: text, probe: text, variant: text, measured };
const optionalFields = { threads: count, reason: text };

const sample = fc.oneof(
  fc.record(
    {
      ...sampleFields,
      ...optionalFields,
      timer,
      seconds: times,
      status: fc.constant('ok' as const),
      flags: texts,
    },
    { requiredKeys: [...requiredOf(sampleFields), 'timer', 'seconds', 'status', 'flags'] },
  ),
  fc.record(
    {
      ...sampleFields,
      ...optionalFields,
      timer,
      seconds: readings,
      status: fc.constantFrom('failed' as const, 'unsupported' as const, 'skipped' as const),
      flags: texts,
    },
    { requiredKeys: [...requiredOf(sampleFields), 'timer', 'seconds', 'status', 'flags'] },
  ),
);

function requiredOf<T extends object>(fields: T): (keyof T)[] {
  return Object.keys(fields) as (keyof T)[];
}

const step = fc.record({
  device: deviceKind,
  deviceId: text,
  model: text,
  inputChannels: count,
  precision: fc.constant('f32' as const),
  parameter: fc.constantFrom('batch' as const, 'workgroups' as const),
  value: count,
  batch: count,
  coldSeconds: fc.double(),
  seconds: times,
  timer,
  status: fc.constantFrom('ok' as const, 'failed' as const, 'skipped' as const),
  losses: readings,
});

const environment = fc.oneof(
  fc.record({
    device: fc.constant('gpu' as const),
    deviceId: text,
    vendor: text,
    architecture: text,
    description: text,
    software: fc.boolean(),
    features: texts,
    limits: fc.dictionary(
      text.filter((name) => name !== '__proto__'),
      amount,
    ),
    timer: fc.constantFrom('timestamp' as const, 'wall-fit' as const),
  }),
  fc.record({
    device: fc.constant('cpu' as const),
    deviceId: text,
    logicalCores: count,
    isolated: fc.boolean(),
    threads: count,
    module: fc.constantFrom('simd' as const, 'relaxed-simd' as const),
    sharedMemory: fc.boolean(),
  }),
);

const failure = fc.record({
  kind: fc.constantFrom('unsupported' as const, 'adapter-null' as const, 'bug' as const),
  device: deviceKind,
  stage: text,
  cause: text,
  advice: text,
  detail: text,
});

const event: fc.Arbitrary<RunEvent> = fc.oneof(
  fc.record({ kind: fc.constant('environment' as const), environment }),
  fc.record({
    kind: fc.constant('progress' as const),
    device: deviceKind,
    stage: text,
    fraction: fc.double(),
    remainingSeconds: fc.double(),
  }),
  fc.record({ kind: fc.constant('sample' as const), sample }),
  fc.record({ kind: fc.constant('step' as const), step }),
  fc.record({ kind: fc.constant('failure' as const), failure }),
  fc.record({
    kind: fc.constant('longest' as const),
    device: fc.constant('gpu' as const),
    longest: fc.record(
      {
        passSeconds: amount,
        submitSeconds: amount,
        plannedDispatchSeconds: amount,
        plannedSubmitSeconds: amount,
        firstRunSeconds: amount,
      },
      { requiredKeys: ['passSeconds', 'submitSeconds'] },
    ),
  }),
  fc.record({ kind: fc.constant('done' as const), device: deviceKind, cancelled: fc.boolean() }),
);

/** Any record that a run could leave, and many that none would. */
export const anyRecord: fc.Arbitrary<RunRecord> = fc
  .record({
    events: fc.array(event, { maxLength: 20 }),
    label: fc.option(text, { nil: undefined }),
  })
  // Cloned: fast-check also makes objects without a prototype, which no JSON is.
  .map(({ events, label }) =>
    structuredClone(recordOf(label === undefined ? { events } : { events, label })),
  );
