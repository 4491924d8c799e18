import { defaultConfig } from '../core/run/config.ts';
import type { RunRecord } from '../core/run/record.ts';
import { isEvidence, workOf } from '../core/roofline/rates.ts';
import type { Sample } from '../core/roofline/sample.ts';
import { median } from '../core/stats/median.ts';
import { formatRate, formatShare, formatSize } from '../core/units.ts';
import { ArgumentError, oneOf, readOptions, runCommand } from './arguments.ts';
import { browserNames, launchBrowser, type BrowserName } from './browsers.ts';
import { driveRun } from './drive.ts';
import { NativeProgram, type NativeFigure } from './native.ts';
import { rooflinePeers, rooflineUsage } from './peers/roofline.ts';
import { spreadOfRuns, spreadUsage } from './peers/spread.ts';
import { nativeTraining, nativeTrainingUsage } from './peers/native-training.ts';
import { trainingPeers, trainingUsage } from './peers/training.ts';
import { cpuTrainingPeers, cpuTrainingUsage } from './peers/training-cpu.ts';
import { ProgressLine } from './progress.ts';
import { serveBuiltApp } from './serve.ts';
import { table } from './table.ts';

const usage = [
  'npm run peers -- native [--browser chromium|firefox]',
  rooflineUsage,
  spreadUsage,
  trainingUsage,
  cpuTrainingUsage,
  nativeTrainingUsage,
].join('\n       ');

/** Further apart than this is more than noise. */
const noise = 0.1;

async function measureCpu(name: BrowserName): Promise<RunRecord> {
  const app = await serveBuiltApp();
  const progress = new ProgressLine(process.stderr);
  const browser = await launchBrowser(name);
  try {
    return await driveRun(browser, {
      url: app.url,
      config: { ...defaultConfig, device: 'cpu' },
      signal: new AbortController().signal,
      onEvent: (event) => progress.show(event),
    });
  } finally {
    await browser.close();
    progress.end();
    await app.close();
  }
}

/** Whether a sample does what the native figure's loop does, with as many threads. */
function isPeer({ probe, variant, measured, threads }: Sample, figure: NativeFigure): boolean {
  if (threads !== figure.threads) return false;
  switch (measured.kind) {
    case 'compute':
      return probe === figure.name && measured.precision === 'f32';
    case 'bandwidth':
      return (
        variant === figure.name ||
        (measured.pattern === figure.name && variant.startsWith('128-bit'))
      );
    case 'latency':
    case 'overhead':
    case 'mixed':
    case 'sustained':
    case 'transfer':
    case 'extra':
      return false;
  }
}

function rateOf({ measured, seconds }: Sample): number {
  return workOf(measured) / median(seconds);
}

/** The browser's rate: the fastest shape of arithmetic, or the stream of the nearest working set. */
function peerRate(samples: readonly Sample[], figure: NativeFigure): number | undefined {
  const peers = samples.filter((sample) => isEvidence(sample) && isPeer(sample, figure));
  const order = ({ measured, ...sample }: Sample): number =>
    measured.kind === 'bandwidth'
      ? Math.abs(Math.log(measured.workingSetSize / figure.workingSetSize))
      : -rateOf({ measured, ...sample });
  const best = peers.toSorted((a, b) => order(a) - order(b))[0];
  return best && rateOf(best);
}

function compare(samples: readonly Sample[], figures: readonly NativeFigure[]): string {
  const rows = figures.map((figure) => {
    const unit = figure.workingSetSize === 0 ? 'flop/s' : 'byte/s';
    const rate = peerRate(samples, figure);
    const share = rate === undefined ? undefined : rate / figure.rate;
    return [
      figure.name,
      String(figure.threads),
      figure.workingSetSize === 0 ? '' : formatSize(figure.workingSetSize),
      formatRate(figure.rate, unit),
      rate === undefined ? 'not measured' : formatRate(rate, unit),
      share === undefined ? '' : formatShare(share),
      share === undefined ? '' : remark(share),
    ];
  });
  return table(['figure', 'threads', 'working set', 'native', 'browser', 'share', ''], rows);
}

function remark(share: number): string {
  if (share > 1 + noise) return 'above native: one of the two is wrong or was disturbed';
  return share < 1 - noise ? 'below native' : '';
}

/** Neighbours only slow a program, so of two runs the faster figure is the truer. */
function faster(left: readonly NativeFigure[], right: readonly NativeFigure[]): NativeFigure[] {
  return left.map((figure, i) => ({ ...figure, rate: Math.max(figure.rate, right[i]!.rate) }));
}

await runCommand(usage, async () => {
  const [peer, ...rest] = process.argv.slice(2);
  if (peer === 'roofline') return rooflinePeers(rest);
  if (peer === 'spread') return spreadOfRuns(rest);
  if (peer === 'training')
    return rest.includes('cpu') ? cpuTrainingPeers(rest) : trainingPeers(rest);
  if (peer === 'native-training') return nativeTraining(rest);
  if (peer !== 'native')
    throw new ArgumentError(
      `expected native, native-training, roofline, spread or training, got '${peer ?? ''}'`,
    );
  const values = readOptions(rest, { browser: { type: 'string' } });
  const browser = oneOf(values, 'browser', browserNames, 'chromium');
  const program = NativeProgram.build();
  if (program === undefined) throw new ArgumentError('gcc is needed to build the native program');
  try {
    const before = program.run();
    const { events } = await measureCpu(browser);
    const samples = events.flatMap((event) => (event.kind === 'sample' ? [event.sample] : []));
    const figures = faster(before, program.run());
    console.log(compare(samples, figures));
    return figures.every((figure) => peerRate(samples, figure) !== undefined) ? 0 : 1;
  } finally {
    program.remove();
  }
});
