// Times every variant of the convolutions of a model's training step on a real browser's GPU:
//   npx tsx tests/benches/variants.ts [chromium|firefox] [model] [batch] [part of a shape or variant]
import { createServer } from 'vite';
import { browserNames, launchBrowser } from '../../src/cli/browsers.ts';
import { modelNames, type ModelName } from '../../src/core/nn/zoo.ts';
import type { VariantTime } from './variants-page.ts';

interface BenchWindow {
  benchVariants(model: ModelName, batch: number, wanted: string): Promise<VariantTime[]>;
}

async function main([browserName, modelName, batch = '8', wanted = '']: readonly string[]) {
  const name = browserNames.find((known) => known === browserName) ?? 'chromium';
  const model = modelNames.find((known) => known === modelName) ?? 'resnet8';
  const server = await createServer({ logLevel: 'warn', server: { hmr: false, watch: null } });
  await server.listen();
  const browser = await launchBrowser(name);
  const page = await browser.newPage();
  page.on('pageerror', (error) => console.error(error));
  await page.goto(new URL('tests/benches/variants.html', server.resolvedUrls?.local[0]).href);
  await page.waitForFunction(() => 'benchVariants' in window);
  const times = await page.evaluate(
    (given) =>
      (window as unknown as BenchWindow).benchVariants(given.model, given.batch, given.wanted),
    { model, batch: Number(batch), wanted },
  );
  await browser.close();
  await server.close();
  for (const { key, variant, compileSeconds, seconds, flops } of times)
    console.log(
      key.padEnd(46),
      variant.padEnd(16),
      `${(1000 * seconds).toFixed(3)} ms`.padStart(11),
      `${(flops / seconds / 1e9).toFixed(2)} GFLOP/s`.padStart(14),
      `compiled in ${compileSeconds.toFixed(2)} s`,
    );
}

await main(process.argv.slice(2));
