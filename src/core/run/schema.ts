import * as v from 'valibot';
import { modelNames } from '../nn/zoo.ts';
import { areTimes, isEvidence } from '../roofline/rates.ts';
import type { Sample } from '../roofline/sample.ts';
import { deviceChoices, profiles, sweepParameters } from './config.ts';
import type { StepTiming } from './events.ts';

/**
 * The shape of a record that comes from outside. A test holds these schemas and the types of
 * events.ts, sample.ts and record.ts to each other, both ways. Fields that are not listed here are
 * tolerated: a later version may have added them.
 */

const finite = v.pipe(v.number(), v.finite('a finite number'));
const notNegative = v.pipe(finite, v.minValue(0, 'a number of at least 0'));
const count = v.pipe(v.number(), v.safeInteger('a whole number'), v.minValue(1, 'at least 1'));
/** A raw reading, kept whatever it is: a diverged loss is NaN. */
const reading = v.union([v.number(), v.nan()], 'a number');

function list<const S extends v.GenericSchema>(item: S) {
  return v.pipe(v.array(item), v.readonly());
}

const text = v.string();
const texts = list(text);
const deviceKind = v.picklist(['gpu', 'cpu']);
const gpuTimers = ['timestamp', 'wall-fit'] as const;
const timer = v.picklist([...gpuTimers, 'clock']);

const config = v.object({
  profile: v.picklist(profiles),
  device: v.picklist(deviceChoices),
  models: v.pipe(list(v.picklist(modelNames)), v.minLength(1, 'at least one model')),
  sweeps: list(v.picklist(sweepParameters)),
});

const environment = v.variant('device', [
  v.object({
    device: v.literal('gpu'),
    deviceId: text,
    vendor: text,
    architecture: text,
    description: text,
    software: v.boolean(),
    softwareEvidence: v.exactOptional(text),
    features: texts,
    limits: v.pipe(v.record(text, finite), v.readonly()),
    timer: v.picklist(gpuTimers),
    timestampGridSeconds: v.exactOptional(notNegative),
  }),
  v.object({
    device: v.literal('cpu'),
    deviceId: text,
    logicalCores: count,
    isolated: v.boolean(),
    threads: count,
    module: v.picklist(['simd', 'relaxed-simd']),
    sharedMemory: v.boolean(),
    clockStepSeconds: v.exactOptional(notNegative),
  }),
]);

const precision = v.picklist(['f32', 'f16', 'f64', 'i32', 'i8']);

const measured = v.variant('kind', [
  v.object({ kind: v.literal('compute'), precision, flops: notNegative }),
  v.object({
    kind: v.literal('bandwidth'),
    pattern: v.picklist(['read', 'write', 'copy', 'triad']),
    bytes: notNegative,
    workingSetSize: notNegative,
    sweep: v.exactOptional(v.picklist(['shared', 'private'])),
    addresses: v.exactOptional(v.picklist(['distinct', 'broadcast'])),
    space: v.exactOptional(v.literal('workgroup')),
  }),
  v.object({
    kind: v.literal('latency'),
    loads: notNegative,
    workingSetSize: notNegative,
  }),
  v.object({
    kind: v.literal('overhead'),
    of: v.picklist(['submit', 'pass', 'dispatch', 'barrier', 'wakeUp']),
    count: notNegative,
  }),
  v.object({
    kind: v.literal('mixed'),
    precision: v.literal('f32'),
    flops: notNegative,
    bytes: notNegative,
    workingSetSize: notNegative,
  }),
  v.object({ kind: v.literal('sustained'), precision, flops: notNegative }),
  v.object({
    kind: v.literal('transfer'),
    direction: v.picklist(['upload', 'download']),
    bytes: notNegative,
  }),
  v.object({
    kind: v.literal('extra'),
    of: v.picklist(['gatherStrided', 'gatherRandom', 'atomics']),
    amount: notNegative,
    unit: v.picklist(['byte', 'op']),
    workingSetSize: v.exactOptional(notNegative),
  }),
]);

const sample = v.pipe(
  v.object({
    device: deviceKind,
    deviceId: text,
    probe: text,
    variant: text,
    measured,
    threads: v.exactOptional(count),
    seconds: list(reading),
    timer,
    status: v.picklist(['ok', 'failed', 'unsupported', 'skipped']),
    reason: v.exactOptional(text),
    flags: texts,
  }),
  v.check(
    (value: Sample) => value.status !== 'ok' || isEvidence(value),
    'times and work above 0 in an ok sample',
  ),
);

/** An index in a plan's list of ops. */
const opIndex = v.pipe(v.number(), v.safeInteger('a whole number'), v.minValue(0, 'at least 0'));

const call = v.object({
  ops: list(opIndex),
  variant: text,
  seconds: list(reading),
  timer,
  issuedBytes: v.exactOptional(notNegative),
  executedFlops: v.exactOptional(notNegative),
  flags: texts,
});

const stepConfiguration = v.object({
  batch: count,
  workgroups: v.exactOptional(count),
  workgroupSize: v.exactOptional(count),
  threads: v.exactOptional(count),
  replicas: v.exactOptional(count),
});

const tuning = v.object({
  device: deviceKind,
  deviceId: text,
  model: text,
  scope: v.exactOptional(v.picklist(['kernels', 'configuration', 'together'])),
  batch: count,
  tuned: v.exactOptional(stepConfiguration),
  defaultSeconds: list(reading),
  tunedSeconds: list(reading),
  timer,
  choices: list(
    v.object({
      key: text,
      defaultVariant: text,
      variant: text,
      defaultSeconds: reading,
      seconds: reading,
      foundAt: v.exactOptional(text),
    }),
  ),
});

const step = v.pipe(
  v.object({
    device: deviceKind,
    deviceId: text,
    model: text,
    inputChannels: count,
    precision: v.literal('f32'),
    parameter: v.picklist(sweepParameters),
    value: count,
    ...stepConfiguration.entries,
    scaling: v.exactOptional(v.picklist(['strong', 'weak'])),
    compileSeconds: v.exactOptional(notNegative),
    coldSeconds: reading,
    seconds: list(reading),
    allReduceSeconds: v.exactOptional(list(reading)),
    barrierSeconds: v.exactOptional(list(reading)),
    issuedBytes: v.exactOptional(notNegative),
    calls: v.exactOptional(list(call)),
    timer,
    status: v.picklist(['ok', 'failed', 'skipped']),
    reason: v.exactOptional(text),
    losses: list(reading),
  }),
  v.check(
    ({ status, seconds }: StepTiming) => status !== 'ok' || areTimes(seconds),
    'times above 0 in an ok step',
  ),
);

const failure = v.object({
  kind: v.picklist([
    'unsupported',
    'adapter-null',
    'device-refused',
    'device-lost',
    'out-of-memory',
    'validation',
    'data',
    'worker',
    'bug',
  ]),
  device: deviceKind,
  stage: text,
  cause: text,
  advice: text,
  detail: text,
});

const event = v.variant('kind', [
  v.object({ kind: v.literal('environment'), environment }),
  v.object({
    kind: v.literal('progress'),
    device: deviceKind,
    stage: text,
    fraction: reading,
    remainingSeconds: reading,
  }),
  v.object({ kind: v.literal('sample'), sample }),
  v.object({ kind: v.literal('step'), step }),
  v.object({ kind: v.literal('tuning'), tuning }),
  v.object({ kind: v.literal('failure'), failure }),
  v.object({
    kind: v.literal('longest'),
    device: v.literal('gpu'),
    longest: v.object({
      passSeconds: notNegative,
      submitSeconds: notNegative,
      plannedDispatchSeconds: v.exactOptional(notNegative),
      plannedSubmitSeconds: v.exactOptional(notNegative),
      firstRunSeconds: v.exactOptional(notNegative),
    }),
  }),
  v.object({ kind: v.literal('done'), device: deviceKind, cancelled: v.boolean() }),
]);

export const recordSchema = v.object({
  schema: v.literal(
    'rooftrace/1',
    '"rooftrace/1": the file is of another version; open it with that version, or measure again',
  ),
  app: v.object({ version: text, commit: text }),
  startedAt: v.pipe(text, v.isoTimestamp('a time such as 2026-01-31T12:00:00.000Z')),
  label: v.exactOptional(text),
  config,
  environment: v.object({
    userAgent: text,
    platform: text,
    logicalCores: count,
    secureContext: v.boolean(),
    isolated: v.boolean(),
  }),
  events: list(event),
});
