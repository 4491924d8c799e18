import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  parseGolden,
  type GoldenCase,
  type GoldenOutcome,
  type GoldenResult,
} from '../core/nn/golden.ts';
import {
  compareGolden,
  goldenTolerances,
  isWithin,
  type GoldenTolerances,
} from '../core/nn/goldenComparison.ts';
import { isModelName, modelNames, type ModelName } from '../core/nn/zoo.ts';
import { ArgumentError, count, oneOf, readOptions, runCommand, type Values } from './arguments.ts';
import { browserNames, type BrowserName } from './browsers.ts';
import { GoldenPage, type PageExecutor, type ZooCondition } from './golden-page.ts';
import { runOnReference } from './golden-reference.ts';
import { table } from './table.ts';

const usage = [
  'npm run verify:golden -- [--case FILE] [--executor reference|gpu|cpu] [--browser chromium|firefox]',
  '  gpu: [--variant matrix|staged|strip|quad|vec4|scalar] [--accuracy] [--zoo MODEL,...|all]',
  '  cpu: [--threads T] [--replicas R] [--module relaxed-simd|simd] [--memory shared|own] [--accuracy]',
].join('\n');

const shippedFiles = ['resnet8-synthetic.json', 'resnet8-fashion.json'].map((file) =>
  fileURLToPath(new URL(`../../tests/golden/${file}`, import.meta.url)),
);

const executors = ['reference', 'gpu', 'cpu'] as const;
const builds = ['relaxed-simd', 'simd'] as const;
const memories = ['shared', 'own'] as const;
const variants = ['matrix', 'staged', 'strip', 'quad', 'vec4', 'scalar'] as const;
/** Options that only one executor has. */
const optionsOf = [
  ['threads', 'cpu'],
  ['replicas', 'cpu'],
  ['module', 'cpu'],
  ['memory', 'cpu'],
  ['variant', 'gpu'],
  ['zoo', 'gpu'],
] as const;
/** Relative, against the interpreter. */
const zooTolerances = { loss: 1e-4, gradient: 1e-3 } as const;
/** What three epochs of Fashion-MNIST have to reach. */
const wantedAccuracy = 0.85;

interface VerifyOptions {
  readonly files: readonly string[];
  readonly executor: { readonly kind: 'reference' } | PageExecutor;
  readonly browser: BrowserName;
  /** Train for accuracy instead of running golden cases. */
  readonly accuracy: boolean;
  /** Compare models of the zoo with the interpreter instead. */
  readonly zoo: readonly ModelName[];
}

function readVerifyOptions(args: readonly string[]): VerifyOptions {
  const values = readOptions(args, {
    case: { type: 'string' },
    executor: { type: 'string' },
    browser: { type: 'string' },
    threads: { type: 'string' },
    replicas: { type: 'string' },
    module: { type: 'string' },
    memory: { type: 'string' },
    accuracy: { type: 'boolean' },
    variant: { type: 'string' },
    zoo: { type: 'string' },
  });
  const file = values['case'];
  const executor = oneOf(values, 'executor', executors, 'reference');
  const accuracy = values['accuracy'] === true;
  if (accuracy && executor === 'reference')
    throw new ArgumentError('--accuracy needs --executor gpu or cpu');
  for (const [option, needed] of optionsOf)
    if (values[option] !== undefined && executor !== needed)
      throw new ArgumentError(`--${option} needs --executor ${needed}`);
  return {
    accuracy,
    zoo: zooModels(values['zoo']),
    files: typeof file === 'string' ? [file] : shippedFiles,
    executor: executorOf(executor, values),
    browser: oneOf(values, 'browser', browserNames, 'chromium'),
  };
}

function zooModels(list: Values[string]): readonly ModelName[] {
  if (typeof list !== 'string') return [];
  if (list === 'all') return modelNames;
  return list.split(',').map((name) => {
    if (!isModelName(name)) throw new ArgumentError(`--zoo: there is no model '${name}'`);
    return name;
  });
}

function executorOf(
  executor: (typeof executors)[number],
  values: Values,
): VerifyOptions['executor'] {
  switch (executor) {
    case 'reference':
      return { kind: 'reference' };
    case 'gpu': {
      if (values['variant'] === undefined) return { kind: 'gpu', options: {} };
      return { kind: 'gpu', options: { variant: oneOf(values, 'variant', variants, 'matrix') } };
    }
    case 'cpu': {
      const options = {
        threads: count(values, 'threads', 1),
        replicas: count(values, 'replicas', 1),
        build: oneOf(values, 'module', builds, 'relaxed-simd'),
        sharedMemory: oneOf(values, 'memory', memories, 'shared') === 'shared',
      };
      if (!options.sharedMemory && options.threads > 1)
        throw new ArgumentError('--threads: threads need shared memory');
      return { kind: 'cpu', options };
    }
  }
}

function readCase(file: string): GoldenCase {
  const parsed = parseGolden(readJson(file));
  if (parsed.kind === 'ok') return parsed.value;
  const [error] = parsed.errors;
  throw new ArgumentError(
    `--case ${file}: ${error?.field} is ${error?.value}, expected ${error?.expected}`,
  );
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new ArgumentError(`--case ${file}: ${(error as Error).message}`);
  }
}

/** Prints each quantity's worst error; true when all are within the tolerances. */
function report(golden: GoldenCase, result: GoldenResult, tolerances: GoldenTolerances): boolean {
  const { worst, within } = compareGolden(golden, result, tolerances);
  console.log(`${golden.case}: ${within ? 'within' : 'PAST'} the tolerances`);
  const rows = worst.map((deviation) => [
    deviation.quantity,
    deviation.error.toExponential(2),
    deviation.tolerance.toExponential(0),
    deviation.where,
    isWithin(deviation) ? 'ok' : 'PAST',
  ]);
  console.log(table(['largest error of', 'error', 'allowed', 'at', ''], rows));
  return within;
}

function reportOutcome(golden: GoldenCase, outcome: GoldenOutcome): boolean {
  if (outcome.kind === 'ok') return report(golden, outcome.result, goldenTolerances.kernels);
  const { stage, cause, advice, detail } = outcome.failure;
  console.error(`${golden.case}: ${stage}: ${cause} ${advice} (${detail})`);
  return false;
}

async function verifyOnReference(cases: readonly GoldenCase[]): Promise<boolean> {
  const verdicts: boolean[] = [];
  for (const golden of cases)
    verdicts.push(report(golden, await runOnReference(golden), goldenTolerances.reference));
  return verdicts.every(Boolean);
}

async function verifyOnPage(
  cases: readonly GoldenCase[],
  browser: BrowserName,
  executor: PageExecutor,
): Promise<boolean> {
  const page = await GoldenPage.open(browser, executor);
  try {
    const verdicts: boolean[] = [];
    for (const golden of cases) verdicts.push(reportOutcome(golden, await page.run(golden)));
    return verdicts.every(Boolean);
  } finally {
    await page.close();
  }
}

async function verifyAccuracy(browser: BrowserName, executor: PageExecutor): Promise<boolean> {
  const page = await GoldenPage.open(browser, executor);
  try {
    const { steps, seconds, correct, count: images } = await page.runAccuracy();
    const accuracy = correct / images;
    console.log(
      `ResNet-8, ${steps} steps in ${seconds.toFixed(1)} s: ` +
        `${correct} of ${images} test images, ${(100 * accuracy).toFixed(2)} %`,
    );
    return accuracy >= wantedAccuracy;
  } finally {
    await page.close();
  }
}

/**
 * Of a wide model's million values one may lie so near the zero of its ReLU, even with betas of 1, that
 * rounding decides whether its gradient passes: with betas of 3 there are fifty times fewer (the normal
 * density there), and the larger losses want a smaller rate. All has to be right under one of them: what a
 * kernel does wrong is wrong under both.
 */
const zooConditions: readonly ZooCondition[] = [
  { beta: 1, learningRate: 0.01 },
  { beta: 3, learningRate: 0.001 },
];

async function isZooAlike(page: GoldenPage, model: ModelName): Promise<boolean> {
  for (const condition of zooConditions) {
    const outcome = await page.runZoo(model, condition);
    if (outcome.kind === 'refused') {
      console.log(`${model}: not on this device: ${outcome.reason}`);
      return true;
    }
    const { loss, gradient, worstGradient } = outcome;
    const ok = loss <= zooTolerances.loss && gradient <= zooTolerances.gradient;
    console.log(
      `${model}: loss ${loss.toExponential(2)}, gradient ${gradient.toExponential(2)} ` +
        `at ${worstGradient}${ok ? '' : ` PAST with betas of ${condition.beta}`}`,
    );
    if (ok) return true;
  }
  return false;
}

async function verifyZoo(browser: BrowserName, models: readonly ModelName[]): Promise<boolean> {
  const page = await GoldenPage.open(browser, { kind: 'gpu', options: {} });
  try {
    let within = true;
    for (const model of models) within = (await isZooAlike(page, model)) && within;
    return within;
  } finally {
    await page.close();
  }
}

async function verify({
  files,
  executor,
  browser,
  accuracy,
  zoo,
}: VerifyOptions): Promise<boolean> {
  if (zoo.length > 0) return verifyZoo(browser, zoo);
  if (executor.kind === 'reference') return verifyOnReference(files.map(readCase));
  if (accuracy) return verifyAccuracy(browser, executor);
  return verifyOnPage(files.map(readCase), browser, executor);
}

await runCommand(usage, async () =>
  (await verify(readVerifyOptions(process.argv.slice(2)))) ? 0 : 1,
);
