import { createServer } from 'vite';
import { formatRate } from '../../core/units.ts';
import { count, oneOf, readOptions } from '../arguments.ts';
import { browserNames, launchBrowser, type BrowserName } from '../browsers.ts';
import { table } from '../table.ts';

export const rooflineUsage = 'npm run peers -- roofline [--browser chromium|firefox] [--rounds 2]';

/** What one kernel or probe reached in each round, in flop/s or byte/s. */
interface RooflinePeer {
  readonly name: string;
  readonly kind: 'compute' | 'bandwidth';
  readonly isOurs: boolean;
  readonly rates: readonly number[];
}

/** What tests/peers/roofline.html puts on its window. */
interface PeerWindow {
  compareRooflines(rounds: number): Promise<RooflinePeer[]>;
}

/** `npm run peers -- roofline`: our ceilings against simple kernels; 0 when none is faster. */
export async function rooflinePeers(argv: readonly string[]): Promise<number> {
  const values = readOptions([...argv], {
    browser: { type: 'string' },
    rounds: { type: 'string' },
  });
  const browser = oneOf(values, 'browser', browserNames, 'chromium');
  const peers = await measure(browser, count(values, 'rounds', 2));
  const ratios = (['compute', 'bandwidth'] as const).map((kind) => {
    const ofKind = peers.filter((peer) => peer.kind === kind);
    const ours = Math.max(...ofKind.filter(({ isOurs }) => isOurs).map(best));
    const theirs = Math.max(...ofKind.filter(({ isOurs }) => !isOurs).map(best));
    console.log(report(ofKind, ours));
    console.log(`  ${kind}: ours is ${(ours / theirs).toFixed(2)} times the best baseline\n`);
    return ours / theirs;
  });
  return ratios.every((ratio) => ratio >= 1) ? 0 : 1;
}

function best({ rates }: RooflinePeer): number {
  return Math.max(...rates);
}

async function measure(name: BrowserName, rounds: number): Promise<RooflinePeer[]> {
  const server = await createServer({
    logLevel: 'warn',
    server: { host: '127.0.0.1', hmr: false, watch: null },
  });
  const browser = await launchBrowser(name);
  try {
    await server.listen();
    const page = await browser.newPage();
    page.on('pageerror', (error) => console.error(error));
    const [root] = server.resolvedUrls?.local ?? [];
    await page.goto(new URL('tests/peers/roofline.html', root).href);
    await page.waitForFunction(() => 'compareRooflines' in window);
    return await page.evaluate(
      (given) => (window as unknown as PeerWindow).compareRooflines(given),
      rounds,
    );
  } finally {
    await browser.close();
    await server.close();
  }
}

function report(peers: readonly RooflinePeer[], ours: number): string {
  const rows = peers.map((peer) => {
    const unit = peer.kind === 'compute' ? 'flop/s' : 'byte/s';
    return [
      peer.name,
      formatRate(best(peer), unit),
      peer.rates.map((rate) => formatRate(rate, unit)).join(', '),
      (ours / best(peer)).toFixed(2),
    ];
  });
  return table(['', 'best', 'of each round', 'ours / it'], rows);
}
