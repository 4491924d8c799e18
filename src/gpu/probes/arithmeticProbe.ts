import { chainOperation, type ChainOperationName } from '../../core/probes/chainOperations.ts';
import {
  chainMoves,
  chainOpenings,
  describeChainVariant,
  laterOpenings,
  operationsOf,
  type ChainVariant,
} from '../../core/probes/chainVariant.ts';
import { coordinateDescent } from '../../core/probes/race.ts';
import { doubleUntilSaturated } from '../../core/probes/saturation.ts';
import { thoroughnessOf } from '../../core/run/config.ts';
import type { GpuContext } from '../context.ts';
import { ChainKernel } from './chainKernel.ts';
import { runTrial, type Entrant } from './trial.ts';

/** Pipelines and seconds that a race may take, and seconds for its end. */
interface Budget {
  readonly pipelines: number;
  readonly raceSeconds: number;
  readonly finalSeconds: number;
  readonly finalists: number;
}

/** The first operation finds the shape; the others start from what it found. */
const budgets = {
  quick: {
    first: { pipelines: 16, raceSeconds: 2, finalSeconds: 1.5, finalists: 2 },
    later: { pipelines: 5, raceSeconds: 0.5, finalSeconds: 0.6, finalists: 1 },
  },
  full: {
    first: { pipelines: 48, raceSeconds: 12, finalSeconds: 6, finalists: 3 },
    later: { pipelines: 24, raceSeconds: 4, finalSeconds: 2.5, finalists: 3 },
  },
} as const;

const first: ChainOperationName = 'fmaF32';
const later: readonly ChainOperationName[] = [
  'multiplyAddF32',
  'fmaF16',
  'multiplyAddI32',
  'dotI8',
];

/** Many short runs: some of them fall between the disturbances of other programs. */
const search = { seconds: 0.003, pairs: 3 };
const race = { seconds: 0.003, pairs: 4 };
const final = { seconds: 0.006, pairs: 8 };

/** Lanes to begin with, and the most: their result words fit any device's limits. */
const lanesRange = { least: 512, most: 2 ** 20 };

/**
 * Finds the compute ceilings: for each operation races the shapes of its kernel and measures the
 * best to their confidence intervals. Every trial is told as a sample, refused ones as `failed`;
 * operations that the device has not are told as `unsupported`.
 */
export async function arithmeticProbe(context: GpuContext): Promise<void> {
  const budget = budgets[thoroughnessOf(context.config.profile)];
  const { variant: winner, lanes } = await fastestF32(context, (share) =>
    context.progress('f32 arithmetic', 0.6 * share),
  );
  for (const [index, operation] of later.entries()) {
    const missing = missingFor(context, operation);
    if (missing !== undefined) {
      tellUnsupported(context, operation, missing);
      continue;
    }
    const { precision } = chainOperation(operation);
    const openings = laterOpenings(winner, operation);
    await raceShapes(context, openings, lanes, budget.later, (share) =>
      context.progress(`${precision} arithmetic`, 0.6 + (0.4 * (index + share)) / later.length),
    );
  }
}

/** The fastest f32 shape and the lanes that it takes: the first race, told as samples. */
export async function fastestF32(
  context: GpuContext,
  tell: (share: number) => void,
): Promise<{ readonly variant: ChainVariant; readonly lanes: number }> {
  const openings = chainOpenings(first);
  const lanes = await doubleUntilSaturated(lanesRange, (count) =>
    runTrial(context, entrant(context, openings[0], count), search),
  );
  const budget = budgets[thoroughnessOf(context.config.profile)].first;
  return { variant: await raceShapes(context, openings, lanes, budget, tell), lanes };
}

/** Races shapes from the openings on, and measures the best ones well. Returns the fastest. */
async function raceShapes(
  context: GpuContext,
  openings: readonly ChainVariant[],
  lanes: number,
  budget: Budget,
  tell: (share: number) => void,
): Promise<ChainVariant> {
  const begin = performance.now();
  const spent = () => (performance.now() - begin) / 1000;
  const mostWorkgroupSize = context.environment.limits['maxComputeInvocationsPerWorkgroup'] ?? 64;
  const order = coordinateDescent(openings, chainMoves(mostWorkgroupSize), budget.pipelines);
  let tried = 0;
  let rate = 0;
  let next = order.next();
  while (!next.done) {
    tell(0.7 * Math.min(1, Math.max(tried / budget.pipelines, spent() / budget.raceSeconds)));
    // Out of time: what is left scores nothing, which ends the descent.
    const inTime = tried < openings.length || spent() < budget.raceSeconds;
    const effort = { ...race, rate };
    const score = inTime ? await runTrial(context, entrant(context, next.value, lanes), effort) : 0;
    rate = Math.max(rate, score);
    tried += 1;
    next = order.next(score);
  }
  const finalists = next.value.slice(0, budget.finalists);
  return measureFinalists(context, finalists, { lanes, rate }, budget, tell);
}

/** Measures each finalist where there are several, then the fastest until its interval is narrow. */
async function measureFinalists(
  context: GpuContext,
  finalists: readonly ChainVariant[],
  { lanes, rate }: { readonly lanes: number; readonly rate: number },
  budget: Budget,
  tell: (share: number) => void,
): Promise<ChainVariant> {
  let best = finalists[0];
  if (best === undefined) throw new RangeError('a race without openings');
  const effort = { ...final, rate };
  let most = 0;
  for (const [index, variant] of (finalists.length > 1 ? finalists : []).entries()) {
    tell(0.7 + (0.2 * index) / finalists.length);
    const found = await runTrial(context, entrant(context, variant, lanes), effort);
    if (found > most) [best, most] = [variant, found];
  }
  tell(0.9);
  const settling = { ...effort, settleSeconds: budget.finalSeconds };
  await runTrial(context, entrant(context, best, lanes), settling);
  return best;
}

function entrant({ queue }: GpuContext, variant: ChainVariant, lanes: number): Entrant {
  const { probe, precision } = chainOperation(variant.operation);
  return {
    probe,
    variant: describeChainVariant(variant, lanes),
    measured: (segments) => ({
      kind: 'compute',
      precision,
      flops: operationsOf(variant, lanes, segments),
    }),
    create: () => ChainKernel.create(queue, variant, lanes),
  };
}

/** What the device lacks for an operation, if anything. */
function missingFor({ queue }: GpuContext, operation: ChainOperationName): string | undefined {
  const { precision } = chainOperation(operation);
  if (precision === 'f16' && !queue.device.features.has('shader-f16'))
    return 'the device has no shader-f16';
  const language = 'packed_4x8_integer_dot_product';
  if (precision === 'i8' && !navigator.gpu.wgslLanguageFeatures.has(language))
    return `the browser's WGSL has no ${language}`;
  return undefined;
}

function tellUnsupported(
  { emit, environment, timer }: GpuContext,
  operation: ChainOperationName,
  reason: string,
): void {
  const { probe, precision } = chainOperation(operation);
  emit({
    kind: 'sample',
    sample: {
      device: 'gpu',
      deviceId: environment.deviceId,
      probe,
      variant: 'none',
      measured: { kind: 'compute', precision, flops: 0 },
      seconds: [],
      timer: timer.source,
      status: 'unsupported',
      reason,
      flags: [],
    },
  });
}
