import * as v from 'valibot';
import type { InputError, Parsed } from '../run/config.ts';
import type { Failure } from '../run/events.ts';
import {
  decodeFashionImages,
  decodeFashionLabels,
  fashionFiles,
  issuesAsErrors,
  type FashionBytes,
} from './fashionMnist.ts';
import type { StepRates, TrainingPlan } from './plan.ts';
import { linearCongruential } from './random.ts';
import { layersPlan } from './trainingPlan.ts';
import { cifarResNet, residualNetwork } from './zoo.ts';

const classes = 10;

const count = (max: number) => v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(max));
const finite = v.pipe(v.number(), v.finite());

const goldenSchema = v.object({
  case: v.string(),
  /** Blocks a stage: the depth is 6n + 2. */
  n: count(100),
  batch: count(8192),
  cin: count(4096),
  hw: count(4096),
  seed: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2 ** 32 - 1)),
  lr: finite,
  momentum: finite,
  weightDecay: finite,
  steps: count(10_000),
  input: v.picklist(['lcg', 'fashion']),
  /** Mean loss before each update. */
  losses: v.array(finite),
  /** [batch, classes], row by row. */
  logitsFirstStep: v.array(finite),
  gradL2: v.record(v.string(), finite),
  gradFirst4: v.record(v.string(), v.array(finite)),
  /** Shapes, in drawing order. */
  parameters: v.record(v.string(), v.array(count(2 ** 31))),
});

/** A recorded training run (tests/golden/README.md). */
export type GoldenCase = v.InferOutput<typeof goldenSchema>;

/** What an executor made of a case, in the shape of the file. */
export type GoldenResult = Pick<GoldenCase, 'losses' | 'logitsFirstStep' | 'gradL2' | 'gradFirst4'>;

/** A case run on a device, or why it could not be. */
export type GoldenOutcome =
  | { readonly kind: 'ok'; readonly result: GoldenResult }
  | { readonly kind: 'failure'; readonly failure: Failure };

/** Checks parsed JSON in the golden format, and that it describes one network throughout. */
export function parseGolden(json: unknown): Parsed<GoldenCase> {
  const parsed = v.safeParse(goldenSchema, json);
  if (!parsed.success) return { kind: 'invalid', errors: issuesAsErrors(parsed.issues) };
  const errors = inconsistencies(parsed.output);
  return errors.length === 0 ? { kind: 'ok', value: parsed.output } : { kind: 'invalid', errors };
}

/** The training plan of a case: the ResNet of depth 6n + 2. */
export function goldenPlan(golden: GoldenCase): TrainingPlan {
  const { n, batch, hw, cin } = golden;
  const layers = residualNetwork(cifarResNet(n), classes);
  return layersPlan(golden.case, layers, batch, { height: hw, width: hw, channels: cin });
}

/** The one batch that every step of a case trains on. */
export interface GoldenInput {
  /** NHWC */
  readonly images: Float64Array;
  readonly labels: Uint32Array;
}

/** Makes a case's input; `loadFashion` is called where it trains on Fashion-MNIST. */
export async function goldenInput(
  golden: GoldenCase,
  loadFashion: () => Promise<FashionBytes> | FashionBytes,
): Promise<GoldenInput> {
  const { batch, hw, cin, seed } = golden;
  switch (golden.input) {
    case 'lcg': {
      const next = linearCongruential(seed + 1000);
      return {
        images: Float64Array.from({ length: batch * hw * hw * cin }, () => 2 * next() - 1),
        labels: Uint32Array.from({ length: batch }, (_, image) => image % classes),
      };
    }
    case 'fashion': {
      const { images, labels } = await loadFashion();
      return {
        images: decodeFashionImages(images, batch, hw),
        labels: decodeFashionLabels(labels, batch),
      };
    }
  }
}

/** What has to be asked of whatever runs a plan; the float64 interpreter answers at once. */
export interface GoldenExecutor {
  step(images: Float64Array, labels: Uint32Array, rates: StepRates): Promise<number> | number;
  readLogits(): Promise<ArrayLike<number>> | ArrayLike<number>;
  readGradients():
    Promise<ReadonlyMap<string, ArrayLike<number>>> | ReadonlyMap<string, ArrayLike<number>>;
}

/** Trains as the case says and takes down what its file holds. */
export async function runGolden(
  golden: GoldenCase,
  { images, labels }: GoldenInput,
  executor: GoldenExecutor,
): Promise<GoldenResult> {
  const { lr: learningRate, momentum, weightDecay } = golden;
  const rates = { learningRate, momentum, weightDecay };
  const losses = [await executor.step(images, labels, rates)];
  const logitsFirstStep = Array.from(await executor.readLogits());
  const gradients = [...(await executor.readGradients())];
  while (losses.length < golden.steps) losses.push(await executor.step(images, labels, rates));
  return {
    losses,
    logitsFirstStep,
    gradL2: Object.fromEntries(gradients.map(([name, g]) => [name, norm(g)])),
    gradFirst4: Object.fromEntries(
      gradients.map(([name, gradient]) => [name, Array.from(gradient).slice(0, 4)]),
    ),
  };
}

function norm(vector: ArrayLike<number>): number {
  return Math.sqrt(Array.from(vector).reduce((sum, entry) => sum + entry * entry, 0));
}

/** Fields that do not fit each other or the network that `n` and `cin` stand for. */
function inconsistencies(golden: GoldenCase): InputError[] {
  const { batch, steps, losses, logitsFirstStep, gradL2, gradFirst4 } = golden;
  const errors: InputError[] = [];
  const expect = (field: string, value: number | string | undefined, expected: number | string) => {
    if (value !== expected)
      errors.push({ field, value: String(value ?? 'nothing'), expected: String(expected) });
  };
  if (golden.input === 'fashion') {
    expect('cin', golden.cin, 1);
    if (golden.hw < 28 || golden.hw % 2 !== 0)
      expect('hw', golden.hw, 'an even size of 28 or more');
    if (batch > fashionFiles.train.count)
      expect('batch', batch, `at most ${fashionFiles.train.count}`);
  }
  expect('losses', `${losses.length} entries`, `${steps} entries`);
  expect('logitsFirstStep', `${logitsFirstStep.length} entries`, `${batch * classes} entries`);
  const { parameters } = goldenPlan(golden);
  const tensors = Object.keys(golden.parameters).length;
  expect('parameters', `${tensors} tensors`, `${parameters.length} tensors`);
  for (const { name, shape, length } of parameters) {
    expect(`parameters.${name}`, golden.parameters[name]?.join(' x '), shape.join(' x '));
    if (gradL2[name] === undefined) expect(`gradL2.${name}`, undefined, 'a number');
    expect(`gradFirst4.${name}`, gradFirst4[name]?.length, Math.min(4, length));
  }
  return errors;
}
