import { isEvidence, workOf } from '../../core/roofline/rates.ts';
import type { Sample } from '../../core/roofline/sample.ts';
import { defaultConfig } from '../../core/run/config.ts';
import { median } from '../../core/stats/median.ts';
import { formatRate, formatShare, formatSize } from '../../core/units.ts';
import { ArgumentError, count, oneOf, readOptions } from '../arguments.ts';
import { browserNames, launchBrowser, type BrowserName } from '../browsers.ts';
import { driveRun } from '../drive.ts';
import { NativeProgram, type NativeFigure } from '../native.ts';
import { ProgressLine } from '../progress.ts';
import { serveBuiltApp } from '../serve.ts';
import { table } from '../table.ts';

export const nativeUsage = 'npm run peers -- native [--browser chromium|firefox] [--rounds 2]';

/** A native figure beside what the browser reached. */
interface Comparison {
  readonly figure: NativeFigure;
  readonly browser: number;
}

/** What the browser must reach, and did. */
interface Goal {
  readonly text: string;
  readonly wanted: number;
  readonly reached: number;
}

/**
 * `npm run peers -- native`: the CPU roofline in a browser against a native program of 128-bit loops,
 * by turns. Neighbours only slow a program, so each side's fastest round counts. 0 when every goal is
 * reached.
 */
export async function nativePeers(argv: readonly string[]): Promise<number> {
  const values = readOptions([...argv], {
    browser: { type: 'string' },
    rounds: { type: 'string' },
  });
  const browser = oneOf(values, 'browser', browserNames, 'chromium');
  const rounds = count(values, 'rounds', 2);
  const program = NativeProgram.build();
  if (program === undefined) throw new ArgumentError('gcc is needed to build the native program');
  try {
    const native: NativeFigure[][] = [];
    const samples: Sample[] = [];
    await withBuiltApp(browser, async (measure) => {
      for (let round = 0; round < rounds; round++) {
        native.push(program.run());
        samples.push(...(await measure()));
      }
    });
    const comparisons = native[0]!.map((figure, index) => {
      const rate = Math.max(...native.map((figures) => figures[index]!.rate));
      return { figure: { ...figure, rate }, browser: peerRate(samples, figure) };
    });
    console.log(report(comparisons));
    const goals = goalsOf(comparisons);
    console.log(goalReport(goals));
    return goals.every(({ wanted, reached }) => reached >= wanted) ? 0 : 1;
  } finally {
    program.remove();
  }
}

/** Serves the app to one browser; `measure` is a quick CPU run without training. */
async function withBuiltApp(
  name: BrowserName,
  task: (measure: () => Promise<Sample[]>) => Promise<void>,
): Promise<void> {
  const app = await serveBuiltApp();
  const progress = new ProgressLine(process.stderr);
  const browser = await launchBrowser(name);
  try {
    await task(async () => {
      const { events } = await driveRun(browser, {
        url: app.url,
        config: { ...defaultConfig, device: 'cpu', sweeps: [] },
        signal: new AbortController().signal,
        onEvent: (event) => progress.show(event),
      });
      return events.flatMap((event) => (event.kind === 'sample' ? [event.sample] : []));
    });
  } finally {
    await browser.close();
    progress.end();
    await app.close();
  }
}

/** A sweep's working sets are this close to any size, or closer. */
const sameSize = Math.log(1.5);

/** Whether a sample does what the native figure's loop does, on as much data and as many threads. */
function isPeer({ probe, variant, measured, threads }: Sample, figure: NativeFigure): boolean {
  if (threads !== figure.threads) return false;
  switch (measured.kind) {
    case 'compute':
      return probe === figure.name && measured.precision === 'f32';
    case 'bandwidth':
      return (
        Math.abs(Math.log(measured.workingSetSize / figure.workingSetSize)) < sameSize &&
        (variant === figure.name ||
          (measured.pattern === figure.name && variant.startsWith('128-bit')))
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

/** The browser's fastest; 0 where nothing was measured. */
function peerRate(samples: readonly Sample[], figure: NativeFigure): number {
  const peers = samples.filter((sample) => isEvidence(sample) && isPeer(sample, figure));
  return Math.max(0, ...peers.map(({ measured, seconds }) => workOf(measured) / median(seconds)));
}

function unitOf({ workingSetSize }: NativeFigure): 'flop/s' | 'byte/s' {
  return workingSetSize === 0 ? 'flop/s' : 'byte/s';
}

function report(comparisons: readonly Comparison[]): string {
  const rows = comparisons.map(({ figure, browser }) => [
    figure.name,
    String(figure.threads),
    figure.workingSetSize === 0 ? '' : formatSize(figure.workingSetSize),
    formatRate(figure.rate, unitOf(figure)),
    browser === 0 ? 'not measured' : formatRate(browser, unitOf(figure)),
    browser === 0 ? '' : formatShare(browser / figure.rate),
  ]);
  return table(['figure', 'threads', 'working set', 'native', 'browser', 'share'], rows);
}

function goalsOf(comparisons: readonly Comparison[]): Goal[] {
  const threads = Math.max(...comparisons.map(({ figure }) => figure.threads));
  const arithmetic = (onThreads: number) =>
    fastest(
      comparisons.filter(
        ({ figure }) => figure.workingSetSize === 0 && figure.threads === onThreads,
      ),
    );
  /** One thread's stream, working sets rising. */
  const stream = (name: string) =>
    comparisons
      .filter(({ figure }) => figure.name === name && figure.threads === 1)
      .toSorted((a, b) => a.figure.workingSetSize - b.figure.workingSetSize);
  const goals = [
    { text: 'best f32 on one thread, of native', wanted: 0.95, ...shareOf(arithmetic(1)) },
    { text: 'read in L1 on one thread, of native', wanted: 0.9, ...shareOf(stream('read')[0]) },
    {
      text: 'triad in memory on one thread, of native',
      wanted: 0.9,
      ...shareOf(stream('triad').at(-1)),
    },
  ];
  if (threads === 1) return goals;
  const scaling = arithmetic(threads).browser / (threads * arithmetic(1).browser);
  return [
    ...goals,
    {
      text: `best f32 on ${threads} threads, of ${threads} times one`,
      wanted: 0.925,
      reached: scaling,
    },
  ];
}

/** Each side's fastest, whichever figure that is. */
function fastest(comparisons: readonly Comparison[]) {
  return {
    native: Math.max(...comparisons.map(({ figure }) => figure.rate)),
    browser: Math.max(...comparisons.map(({ browser }) => browser)),
  };
}

function shareOf(comparison: Comparison | ReturnType<typeof fastest> | undefined) {
  if (comparison === undefined) return { reached: 0 };
  const native = 'native' in comparison ? comparison.native : comparison.figure.rate;
  return { reached: comparison.browser / native };
}

function goalReport(goals: readonly Goal[]): string {
  const rows = goals.map(({ text, wanted, reached }) => [
    text,
    formatShare(wanted),
    formatShare(reached),
    reached >= wanted ? 'reached' : 'missed',
  ]);
  return table(['goal', 'wanted', 'reached', ''], rows);
}
