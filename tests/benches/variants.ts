// Times every variant of the convolutions of a model's training step on a real browser's GPU, and says
// how close to the best of them the tuner's choice comes, the heaviest shapes first:
//   npx tsx tests/benches/variants.ts [chromium|firefox] [model] [batch] [part of a shape or variant] [seconds to tune]
import { createServer } from 'vite';
import { browserNames, launchBrowser } from '../../src/cli/browsers.ts';
import { modelNames, type ModelName } from '../../src/core/nn/zoo.ts';
import type { VariantTime } from './variants-page.ts';

interface BenchWindow {
  benchVariants(
    model: ModelName,
    batch: number,
    wanted: string,
    tuneSeconds: number,
  ): Promise<VariantTime[]>;
}

const shapesCompared = 10;

async function main(argv: readonly string[]) {
  const [browserName, modelName, batch = '8', wanted = '', tuneSeconds = '30'] = argv;
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
      (window as unknown as BenchWindow).benchVariants(
        given.model,
        given.batch,
        given.wanted,
        given.tuneSeconds,
      ),
    { model, batch: Number(batch), wanted, tuneSeconds: Number(tuneSeconds) },
  );
  await browser.close();
  await server.close();
  printVariants(times);
  printChoices(times);
}

function printVariants(times: readonly VariantTime[]): void {
  for (const { key, variant, compileSeconds, seconds, flops } of times)
    console.log(
      key.padEnd(46),
      variant.padEnd(16),
      `${(1000 * seconds).toFixed(3)} ms`.padStart(11),
      `${(flops / seconds / 1e9).toFixed(2)} GFLOP/s`.padStart(14),
      `compiled in ${compileSeconds.toFixed(2)} s`,
    );
}

/** The tuner's choice over the best of all variants, timed alike. */
function printChoices(times: readonly VariantTime[]): void {
  const keys = new Set(times.toSorted((a, b) => b.flops - a.flops).map(({ key }) => key));
  for (const wanted of [...keys].slice(0, shapesCompared)) {
    const variants = times.filter(({ key }) => key === wanted);
    const best = variants.reduce((a, b) => (b.seconds < a.seconds ? b : a));
    const choice = variants.find(({ chosen }) => chosen);
    const said =
      choice === undefined
        ? 'not reached by the tuner'
        : `${choice.variant}, ${(choice.seconds / best.seconds).toFixed(3)} of the best, ${best.variant}`;
    console.log(wanted.padEnd(46), said);
  }
}

await main(process.argv.slice(2));
