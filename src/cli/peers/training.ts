import { createServer } from 'vite';
import { median } from '../../core/stats/median.ts';
import { ArgumentError, oneOf, readOptions, type Values } from '../arguments.ts';
import { browserNames, launchBrowser, type BrowserName } from '../browsers.ts';
import { table } from '../table.ts';
import { gpuFigures, type OurFigures } from './ourFigures.ts';

/** What to train, and how long to measure. */
export interface TrainingComparison {
  readonly browser: BrowserName;
  readonly batch: number;
  readonly rounds: number;
  /** For our tuner before the comparison; 0 keeps the default variants. */
  readonly tuneSeconds: number;
}

export const trainingUsage =
  'npm run peers -- training [--browser chromium|firefox] [--device gpu] [--model resnet8] ' +
  '[--batch 32] [--rounds 5] [--tune 30]';

/** `npm run peers -- training`: prints the ratios; 0 when all was measured. */
export async function trainingPeers(argv: readonly string[]): Promise<number> {
  const values = readOptions([...argv], {
    browser: { type: 'string' },
    device: { type: 'string' },
    model: { type: 'string' },
    batch: { type: 'string' },
    rounds: { type: 'string' },
    tune: { type: 'string' },
  });
  // `cpu` is a comparison of its own.
  oneOf(values, 'device', ['gpu', 'cpu'], 'gpu');
  oneOf(values, 'model', ['resnet8'], 'resnet8');
  const text = await compareTraining({
    browser: oneOf(values, 'browser', browserNames, 'chromium'),
    batch: count(values, 'batch', 32),
    rounds: count(values, 'rounds', 5),
    tuneSeconds: count(values, 'tune', 30),
  });
  console.log(text);
  return 0;
}

function count(values: Values, name: string, absent: number): number {
  const value = values[name];
  if (value === undefined) return absent;
  const number = Number(value);
  if (!Number.isInteger(number) || number < 0 || (number === 0 && name !== 'tune'))
    throw new ArgumentError(`--${name}: expected a whole number, got '${value}'`);
  return number;
}

/** What tests/peers/training.html puts on its window. */
interface PeerWindow {
  comparePeers(options: Omit<TrainingComparison, 'browser'>): Promise<{
    readonly peers: readonly PeerTimes[];
    readonly ours: OurFigures;
  }>;
}

interface PeerTimes {
  readonly name: string;
  readonly seconds: readonly number[];
  readonly losses: readonly number[];
}

/** Losses of the first steps further apart than this are not of the same training. */
const sameLoss = 1e-2;

/**
 * Trains a ResNet-8 with our engine, jax-js and TensorFlow.js on one page, turn by turn, and gives
 * their warm steps and ratios as text, then how near our calls are to the ceilings of the same run.
 * Throws where they do not train the same.
 */
export async function compareTraining({
  browser: name,
  ...options
}: TrainingComparison): Promise<string> {
  const server = await createServer({
    logLevel: 'warn',
    server: { host: '127.0.0.1', hmr: false, watch: null },
    optimizeDeps: {
      include: ['@jax-js/jax', '@tensorflow/tfjs', '@tensorflow/tfjs-backend-webgpu'],
    },
  });
  const browser = await launchBrowser(name);
  try {
    await server.listen();
    const page = await browser.newPage();
    page.on('pageerror', (error) => console.error(error));
    const [root] = server.resolvedUrls?.local ?? [];
    await page.goto(new URL('tests/peers/training.html', root).href);
    await page.waitForFunction(() => 'comparePeers' in window, undefined, { timeout: 120_000 });
    const { peers, ours } = await page.evaluate(
      (given) => (window as unknown as PeerWindow).comparePeers(given),
      options,
    );
    return `${report(peers)}\n${gpuFigures(ours)}`;
  } finally {
    await browser.close();
    await server.close();
  }
}

function report(times: readonly PeerTimes[]): string {
  const [ours] = times;
  if (ours === undefined) throw new Error('nothing was measured');
  for (const { name, losses } of times)
    for (const [step, loss] of losses.entries())
      if (!(Math.abs(loss - ours.losses[step]!) <= sameLoss * Math.abs(loss)))
        throw new Error(`${name} has loss ${loss} at step ${step}, ours is ${ours.losses[step]}`);
  const rows = times.map(({ name, seconds }) => [
    name,
    median(seconds).toFixed(3),
    Math.min(...seconds).toFixed(3),
    Math.max(...seconds).toFixed(3),
    (median(seconds) / median(ours.seconds)).toFixed(2),
  ]);
  return table(['', 'step, s', 'least', 'most', 'times ours'], rows);
}
