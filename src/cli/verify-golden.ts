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
import { ArgumentError, oneOf, readOptions, runCommand } from './arguments.ts';
import { browserNames, type BrowserName } from './browsers.ts';
import { GoldenPage } from './golden-page.ts';
import { runOnReference } from './golden-reference.ts';
import { table } from './table.ts';

const usage =
  'npm run verify:golden -- [--case FILE] [--executor reference|gpu] [--browser chromium|firefox]';

const shippedFiles = ['resnet8-synthetic.json', 'resnet8-fashion.json'].map((file) =>
  fileURLToPath(new URL(`../../tests/golden/${file}`, import.meta.url)),
);

const executors = ['reference', 'gpu'] as const;

interface VerifyOptions {
  readonly files: readonly string[];
  readonly executor: (typeof executors)[number];
  readonly browser: BrowserName;
}

function readVerifyOptions(args: readonly string[]): VerifyOptions {
  const values = readOptions(args, {
    case: { type: 'string' },
    executor: { type: 'string' },
    browser: { type: 'string' },
  });
  const file = values['case'];
  return {
    files: typeof file === 'string' ? [file] : shippedFiles,
    executor: oneOf(values, 'executor', executors, 'reference'),
    browser: oneOf(values, 'browser', browserNames, 'chromium'),
  };
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

async function verifyOnGpu(cases: readonly GoldenCase[], browser: BrowserName): Promise<boolean> {
  const page = await GoldenPage.open(browser);
  try {
    const verdicts: boolean[] = [];
    for (const golden of cases) verdicts.push(reportOutcome(golden, await page.run(golden)));
    return verdicts.every(Boolean);
  } finally {
    await page.close();
  }
}

await runCommand(usage, async () => {
  const { files, executor, browser } = readVerifyOptions(process.argv.slice(2));
  const cases = files.map(readCase);
  const within =
    executor === 'reference' ? await verifyOnReference(cases) : await verifyOnGpu(cases, browser);
  return within ? 0 : 1;
});
