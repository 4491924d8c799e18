import { createServer } from 'vite';
import { median } from '../../core/stats/median.ts';
import { count, oneOf, readOptions } from '../arguments.ts';
import { browserNames, launchBrowser } from '../browsers.ts';
import { table } from '../table.ts';
import { convolutionShares, type OurFigures } from './ourFigures.ts';

export const cpuTrainingUsage =
  'npm run peers -- training --device cpu [--browser chromium|firefox] [--model resnet8] ' +
  '[--batch 32] [--rounds 5]';

interface PeerTimes {
  readonly name: string;
  readonly seconds: readonly number[];
  readonly losses: readonly number[];
}

/** What tests/peers/cpu-training.html puts on its window. */
interface PeerWindow {
  compareCpuPeers(options: {
    readonly batch: number;
    readonly rounds: number;
    readonly threads: readonly number[];
  }): Promise<PeerTimes[]>;
  cpuFigures(batch: number, threads: number): Promise<OurFigures>;
}

/** Losses of the first steps further apart than this are not of the same training. */
const sameLoss = 1e-2;
const threadCounts = [1, 2] as const;
/** jax-js has to be beaten by so much with one thread, and with two. */
const wantedRatios = [40, 70] as const;
/** Of the arithmetic ceiling of as many threads the convolutions have to reach so much. */
const wantedShares = [0.6, 0.55] as const;

/**
 * `npm run peers -- training --device cpu`: our engine with one and two threads against jax-js on
 * WASM, in turns on one page, warm; then how near our calls are to the ceilings of the same run. 0 when
 * all train the same, and ratios and shares are as wanted.
 */
export async function cpuTrainingPeers(argv: readonly string[]): Promise<number> {
  const values = readOptions([...argv], {
    device: { type: 'string' },
    browser: { type: 'string' },
    model: { type: 'string' },
    batch: { type: 'string' },
    rounds: { type: 'string' },
  });
  oneOf(values, 'device', ['cpu'], 'cpu');
  oneOf(values, 'model', ['resnet8'], 'resnet8');
  const server = await createServer({
    logLevel: 'warn',
    server: { host: '127.0.0.1', hmr: false, watch: null },
    optimizeDeps: { include: ['@jax-js/jax', 'comlink'] },
  });
  const browser = await launchBrowser(oneOf(values, 'browser', browserNames, 'chromium'));
  try {
    await server.listen();
    const page = await browser.newPage();
    page.on('pageerror', (error) => console.error(error));
    const [root] = server.resolvedUrls?.local ?? [];
    await page.goto(new URL('tests/peers/cpu-training.html', root).href);
    await page.waitForFunction(() => 'compareCpuPeers' in window, undefined, { timeout: 120_000 });
    const batch = count(values, 'batch', 32);
    const times = await page.evaluate(
      (given) => (window as unknown as PeerWindow).compareCpuPeers(given),
      { batch, rounds: count(values, 'rounds', 5), threads: threadCounts },
    );
    const areRatiosRight = report(times);
    const ours = await page.evaluate(
      (given) => (window as unknown as PeerWindow).cpuFigures(given.batch, given.threads),
      { batch, threads: threadCounts.at(-1)! },
    );
    const shares = convolutionShares(ours);
    for (const { report: text } of shares) console.log(text);
    const areSharesRight = wantedShares.every((wanted, at) => (shares[at]?.share ?? 0) >= wanted);
    return areRatiosRight && areSharesRight ? 0 : 1;
  } finally {
    await browser.close();
    await server.close();
  }
}

/** Prints the times; true when the ratios are as wanted. */
function report(times: readonly PeerTimes[]): boolean {
  const peer = times.at(-1)!;
  for (const { name, losses } of times)
    for (const [step, loss] of losses.entries())
      if (!(Math.abs(loss - peer.losses[step]!) <= sameLoss * Math.abs(loss)))
        throw new Error(`${name} has loss ${loss} at step ${step}, jax-js ${peer.losses[step]}`);
  const ratioOf = ({ seconds }: PeerTimes) => median(peer.seconds) / median(seconds);
  const rows = times.map((one) => [
    one.name,
    median(one.seconds).toFixed(4),
    Math.min(...one.seconds).toFixed(4),
    Math.max(...one.seconds).toFixed(4),
    ratioOf(one).toFixed(1),
  ]);
  console.log(table(['', 'step, s', 'least', 'most', 'times as fast as jax-js'], rows));
  return wantedRatios.every((wanted, at) => ratioOf(times[at]!) >= wanted);
}
