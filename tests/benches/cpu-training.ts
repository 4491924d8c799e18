// Times each op of a training step on the CPU, and the whole step, in a real browser:
//   npx tsx tests/benches/cpu-training.ts [chromium|firefox] [threads] [replicas] [batch] [build] [model] [L1 and L2 in KiB]
import { createServer } from 'vite';
import { browserNames, launchBrowser } from '../../src/cli/browsers.ts';
import { median } from '../../src/core/stats/median.ts';
import type { CpuBenchOptions, CpuTrainingBench } from './cpuTrainingBench.ts';

interface BenchWindow {
  benchCpuTraining(options: CpuBenchOptions): Promise<CpuTrainingBench>;
}

async function main(args: readonly string[]) {
  const [browserName, threads = '1', replicas = '1', batch = '32', build] = args;
  const [model = 'resnet8', l1, l2] = args.slice(5);
  const name = browserNames.find((known) => known === browserName) ?? 'chromium';
  const server = await createServer({ logLevel: 'warn', server: { hmr: false, watch: null } });
  await server.listen();
  const browser = await launchBrowser(name);
  const page = await browser.newPage();
  page.on('pageerror', (error) => console.log(String(error)));
  await page.goto(new URL('tests/benches/cpu-training.html', server.resolvedUrls?.local[0]).href);
  await page.waitForFunction(() => 'benchCpuTraining' in window);
  const result = await page.evaluate(
    (given) => (window as unknown as BenchWindow).benchCpuTraining(given),
    {
      model,
      batch: Number(batch),
      channels: 3,
      threads: Number(threads),
      replicas: Number(replicas),
      build: build === 'simd' ? ('simd' as const) : ('relaxed-simd' as const),
      ...(l2 !== undefined && { caches: { l1: 1024 * Number(l1), l2: 1024 * Number(l2) } }),
      seconds: 3,
    },
  );
  await browser.close();
  await server.close();
  print(name, result);
}

function print(name: string, bench: CpuTrainingBench) {
  const { seconds, barrierSeconds, allReduceSeconds, leastAllReduceSeconds, ops } = bench;
  const total = ops.reduce((sum, op) => sum + op.seconds, 0);
  for (const op of ops)
    console.log(
      [
        `${op.kind} ${op.label}`.padEnd(64),
        `${(1000 * op.seconds).toFixed(3)} ms`.padStart(11),
        `${((100 * op.seconds) / total).toFixed(1)} %`.padStart(7),
        `${(op.flops / op.seconds / 1e9).toFixed(2)} GFLOP/s`.padStart(14),
        `${(op.bytes / op.seconds / 1e9).toFixed(2)} GB/s`.padStart(11),
      ].join(' '),
    );
  const kinds = [...new Set(ops.map(({ kind }) => kind))];
  for (const kind of kinds) {
    const own = ops.filter((op) => op.kind === kind);
    const sum = own.reduce((all, op) => all + op.seconds, 0);
    const flops = own.reduce((all, op) => all + op.flops, 0);
    console.log(
      `${kind.padEnd(30)} ${(1000 * sum).toFixed(2)} ms ${(flops / sum / 1e9).toFixed(1)} GFLOP/s`,
    );
  }
  const convolutions = ops.filter(({ kind }) => kind.startsWith('conv2d'));
  const time = convolutions.reduce((all, op) => all + op.seconds, 0);
  const work = convolutions.reduce((all, op) => all + op.flops, 0);
  console.log(
    `convolutions ${(1000 * time).toFixed(1)} ms, ${(work / time / 1e9).toFixed(1)} GFLOP/s`,
  );
  console.log(
    `${name}: step ${(1000 * median(seconds)).toFixed(2)} ms (least ${(1000 * Math.min(...seconds)).toFixed(2)}), ` +
      `ops ${(1000 * total).toFixed(2)} ms, barriers ${(1000 * barrierSeconds).toFixed(2)} ms, ` +
      `all-reduce ${(1000 * allReduceSeconds).toFixed(2)} ms (least ${(1000 * leastAllReduceSeconds).toFixed(3)}), ` +
      `${seconds.length} steps`,
  );
}

await main(process.argv.slice(2));
