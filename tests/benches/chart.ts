// Times zoom redraws of a chart with 200 marks and of one with 2,000, in turns, in a real browser:
//   npx tsx tests/benches/chart.ts [chromium|firefox] [rounds]
import { createServer } from 'vite';
import { browserNames, launchBrowser } from '../../src/cli/browsers.ts';
import { median } from '../../src/core/stats/median.ts';

interface BenchWindow {
  benchChart(markCounts: readonly number[], rounds: number): Promise<number[][]>;
}

const markCounts = [200, 2000] as const;
/** A redraw of the crowded chart may take so many times that of the other. */
const mostRatio = 1.5;

async function main([browserName, rounds = '20']: readonly string[]): Promise<void> {
  const name = browserNames.find((known) => known === browserName) ?? 'chromium';
  const server = await createServer({ logLevel: 'warn', server: { hmr: false, watch: null } });
  await server.listen();
  const browser = await launchBrowser(name);
  const page = await browser.newPage();
  await page.goto(new URL('tests/benches/chart.html', server.resolvedUrls?.local[0]).href);
  await page.waitForFunction(() => 'benchChart' in window);
  const times = await page.evaluate(
    ([counts, count]) => (window as unknown as BenchWindow).benchChart(counts, count),
    [markCounts, Number(rounds)] as const,
  );
  await browser.close();
  await server.close();
  const medians = times.map((list) => median(list));
  for (const [index, count] of markCounts.entries())
    console.log(`${name}, ${count} marks: ${medians[index]?.toFixed(2)} ms a zoom redraw`);
  const ratio = (medians[1] ?? NaN) / (medians[0] ?? NaN);
  console.log(`ratio ${ratio.toFixed(2)}, at most ${mostRatio}`);
  process.exitCode = ratio <= mostRatio ? 0 : 1;
}

await main(process.argv.slice(2));
