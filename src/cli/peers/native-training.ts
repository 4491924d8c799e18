import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'vite';
import { formatRate, formatShare } from '../../core/units.ts';
import { ArgumentError, oneOf, readOptions } from '../arguments.ts';
import { browserNames, launchBrowser, type BrowserName } from '../browsers.ts';
import { table } from '../table.ts';

export const nativeTrainingUsage = 'npm run peers -- native-training [--browser chromium|firefox]';

const source = 'tests/native/training.cpp';
const passes = ['forward', 'backwardInput', 'backwardWeight'] as const;
const threadCounts = [1, 2] as const;
/** Of oneDNN's rate over all convolutions. */
const wantedShare = 0.8;

/** Time and work of the convolutions of one pass. */
interface PassTime {
  readonly pass: (typeof passes)[number];
  readonly seconds: number;
  readonly flops: number;
}

/** What tests/benches/cpu-training.html puts on its window. */
interface BenchWindow {
  benchCpuTraining(options: object): Promise<{
    readonly ops: readonly { kind: string; label: string; fastestSeconds: number; flops: number }[];
  }>;
}

/**
 * `npm run peers -- native-training`: the convolutions of a ResNet-8 step by oneDNN, held to 128-bit
 * vectors, and by our kernels in the browser, in one run: its fastest runs and our fastest step,
 * since other programs only slow either. 0 when ours reach 0.8 of its rate.
 */
export async function nativeTraining(argv: readonly string[]): Promise<number> {
  const values = readOptions([...argv], { browser: { type: 'string' } });
  const browser = oneOf(values, 'browser', browserNames, 'chromium');
  const folder = mkdtempSync(join(tmpdir(), 'rooftrace-native-'));
  try {
    const program = build(folder);
    const comparisons = [];
    for (const threads of threadCounts) {
      const native = totals(runNative(program, threads));
      const ours = await runOurs(browser, threads);
      comparisons.push({ threads, native, ours });
    }
    const rows = comparisons.flatMap(({ threads, native, ours }) =>
      [...passes, 'all' as const].map((pass) => {
        const [theirs, own] = [rateOf(native, pass), rateOf(ours, pass)];
        return [
          pass,
          String(threads),
          formatRate(theirs, 'flop/s'),
          formatRate(own, 'flop/s'),
          formatShare(own / theirs),
        ];
      }),
    );
    console.log(table(['convolutions', 'threads', 'oneDNN, SSE4.1', 'browser', 'share'], rows));
    return comparisons.every(
      ({ native, ours }) => rateOf(ours, 'all') >= wantedShare * rateOf(native, 'all'),
    )
      ? 0
      : 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function build(folder: string): string {
  const program = join(folder, 'training');
  try {
    execFileSync('g++', ['-O2', '-o', program, source, '-ldnnl'], { stdio: 'pipe' });
  } catch {
    throw new ArgumentError('g++ and oneDNN (Debian: libdnnl-dev) are needed to build the program');
  }
  return program;
}

function runNative(program: string, threads: number): PassTime[] {
  const env = { ...process.env, DNNL_MAX_CPU_ISA: 'SSE41', OMP_NUM_THREADS: String(threads) };
  const output = execFileSync(program, { encoding: 'utf8', env });
  return output
    .trim()
    .split('\n')
    .map((line) => {
      const [pass, , seconds, flops, times] = line.split(' ');
      return {
        pass: passes.find((known) => known === pass)!,
        seconds: Number(seconds) * Number(times),
        flops: Number(flops) * Number(times),
      };
    });
}

async function runOurs(name: BrowserName, threads: number): Promise<PassTime[]> {
  const server = await createServer({
    logLevel: 'warn',
    server: { host: '127.0.0.1', hmr: false, watch: null },
  });
  const browser = await launchBrowser(name);
  try {
    await server.listen();
    const page = await browser.newPage();
    const [root] = server.resolvedUrls?.local ?? [];
    await page.goto(new URL('tests/benches/cpu-training.html', root).href);
    await page.waitForFunction(() => 'benchCpuTraining' in window);
    const { ops } = await page.evaluate(
      (given) => (window as unknown as BenchWindow).benchCpuTraining(given),
      {
        model: 'resnet8',
        batch: 32,
        channels: 3,
        threads,
        replicas: 1,
        build: 'relaxed-simd',
        seconds: 4,
      },
    );
    return totals(
      ops.flatMap(({ kind, fastestSeconds: seconds, flops }) => {
        const pass = passes.find((known) => kind === `conv2d.${known}`);
        return pass === undefined ? [] : [{ pass, seconds, flops }];
      }),
    );
  } finally {
    await browser.close();
    await server.close();
  }
}

function totals(times: readonly PassTime[]): PassTime[] {
  return passes.map((pass) => {
    const own = times.filter((time) => time.pass === pass);
    return {
      pass,
      seconds: own.reduce((sum, { seconds }) => sum + seconds, 0),
      flops: own.reduce((sum, { flops }) => sum + flops, 0),
    };
  });
}

function rateOf(times: readonly PassTime[], pass: PassTime['pass'] | 'all'): number {
  const own = times.filter((time) => pass === 'all' || time.pass === pass);
  const seconds = own.reduce((sum, time) => sum + time.seconds, 0);
  return own.reduce((sum, { flops }) => sum + flops, 0) / seconds;
}
