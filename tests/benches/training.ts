// Times each kernel call of a ResNet-8 training step, and the whole step, on a real browser's GPU:
//   npx tsx tests/benches/training.ts [chromium|firefox] [batch] [input channels] [steps]
import { createServer } from 'vite';
import { browserNames, launchBrowser } from '../../src/cli/browsers.ts';
import type { BenchOptions, TrainingBench } from './trainingBench.ts';

interface BenchWindow {
  benchTraining(options: BenchOptions): Promise<TrainingBench>;
}

async function main([browserName, batch = '32', channels = '1', steps = '5']: readonly string[]) {
  const name = browserNames.find((known) => known === browserName) ?? 'chromium';
  const server = await createServer({ logLevel: 'warn', server: { hmr: false, watch: null } });
  await server.listen();
  const browser = await launchBrowser(name);
  const page = await browser.newPage();
  page.on('console', (message) => console.log(message.text()));
  await page.goto(new URL('tests/benches/training.html', server.resolvedUrls?.local[0]).href);
  await page.waitForFunction(() => 'benchTraining' in window);
  const result = await page.evaluate(
    (given) => (window as unknown as BenchWindow).benchTraining(given),
    { batch: Number(batch), channels: Number(channels), steps: Number(steps) },
  );
  await browser.close();
  await server.close();
  print(name, result);
}

function print(name: string, { compileSeconds, timer, ops, steps }: TrainingBench): void {
  const total = ops.reduce((sum, { seconds }) => sum + seconds, 0);
  console.log(`${name}, ${timer}; compiled and allocated in ${compileSeconds.toFixed(2)} s`);
  for (const { kind, label, tiles, seconds, flops, bytes } of ops)
    console.log(
      [
        `${kind} ${label}`.padEnd(64),
        `${tiles} tiles`.padStart(10),
        `${(1000 * seconds).toFixed(3)} ms`.padStart(11),
        `${((100 * seconds) / total).toFixed(1)} %`.padStart(7),
        `${(flops / seconds / 1e9).toFixed(2)} GFLOP/s`.padStart(14),
        `${(bytes / seconds / 1e9).toFixed(2)} GB/s`.padStart(11),
      ].join(' '),
    );
  const kinds = new Map<string, number>();
  for (const { kind, seconds } of ops) kinds.set(kind, (kinds.get(kind) ?? 0) + seconds);
  for (const [kind, seconds] of kinds)
    console.log(`${kind.padEnd(30)} ${(1000 * seconds).toFixed(1)} ms`);
  console.log(`sum of calls ${total.toFixed(3)} s`);
  console.log(`steps ${steps.map((seconds) => seconds.toFixed(3)).join(' ')} s`);
}

await main(process.argv.slice(2));
