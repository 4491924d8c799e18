import type { Browser, Page } from 'playwright';
import { createServer, type ViteDevServer } from 'vite';
import type { GoldenCase, GoldenOutcome } from '../core/nn/golden.ts';
import type { ModelName } from '../core/nn/zoo.ts';
import { launchBrowser, type BrowserName } from './browsers.ts';

/** How the CPU trains; tests/golden/cpu.ts. */
export interface CpuOptions {
  readonly threads: number;
  /** Each is given the whole batch. */
  readonly replicas: number;
  readonly build: 'simd' | 'relaxed-simd';
  readonly sharedMemory: boolean;
}

/** How the GPU trains; tests/golden/gpu.ts. */
export interface GpuOptions {
  /** What the variants of the convolutions are to begin with; absent, the defaults. */
  readonly variant?: string;
}

/** What a page trains with: tests/golden/gpu.html or cpu.html. */
export type PageExecutor =
  | { readonly kind: 'gpu'; readonly options: GpuOptions }
  | { readonly kind: 'cpu'; readonly options: CpuOptions };

/** Three epochs of training and what they came to. */
export interface AccuracyRun {
  readonly steps: number;
  readonly seconds: number;
  readonly correct: number;
  readonly count: number;
}

/** How far a model's first steps are from the interpreter's; tests/golden/gpuZoo.ts. */
export type ZooOutcome =
  | {
      readonly kind: 'ok';
      readonly loss: number;
      readonly gradient: number;
      readonly worstGradient: string;
    }
  /** Its buffers are larger than the device grants. */
  | { readonly kind: 'refused'; readonly reason: string };

/** How a model of the zoo starts and trains; tests/golden/gpuZoo.ts. */
export interface ZooCondition {
  readonly beta: number;
  readonly learningRate: number;
}

/** What the pages put on their window. */
interface GoldenWindow {
  runGolden(golden: GoldenCase, options: PageExecutor['options']): Promise<GoldenOutcome>;
  runAccuracy(options: PageExecutor['options']): Promise<AccuracyRun>;
  /** On the GPU's page only. */
  runZoo(model: ModelName, condition: ZooCondition): Promise<ZooOutcome>;
}

/** A page that runs golden cases on a device, served from source and opened in a real browser. */
export class GoldenPage {
  private constructor(
    private readonly server: ViteDevServer,
    private readonly browser: Browser,
    private readonly page: Page,
    private readonly executor: PageExecutor,
  ) {}

  static async open(name: BrowserName, executor: PageExecutor): Promise<GoldenPage> {
    const browser = await launchBrowser(name);
    const server = await createServer({
      logLevel: 'warn',
      server: { host: '127.0.0.1', hmr: false, watch: null },
    });
    const opened = new GoldenPage(server, browser, await browser.newPage(), executor);
    try {
      await opened.load();
      return opened;
    } catch (error) {
      await opened.close();
      throw error;
    }
  }

  private async load(): Promise<void> {
    await this.server.listen();
    // A run that takes minutes tells how far it is.
    this.page.on('console', (message) => {
      if (message.type() === 'info') console.log(message.text());
    });
    const [root] = this.server.resolvedUrls?.local ?? [];
    await this.page.goto(new URL(`tests/golden/${this.executor.kind}.html`, root).href);
    await this.page.waitForFunction(() => 'runGolden' in window);
  }

  run(golden: GoldenCase): Promise<GoldenOutcome> {
    return this.page.evaluate(
      ({ given, options }) => (window as unknown as GoldenWindow).runGolden(given, options),
      { given: golden, options: this.executor.options },
    );
  }

  /** Trains a ResNet-8 on Fashion-MNIST for three epochs. */
  runAccuracy(): Promise<AccuracyRun> {
    return this.page.evaluate(
      (given) => (window as unknown as GoldenWindow).runAccuracy(given),
      this.executor.options,
    );
  }

  /** Trains a model of the zoo for three steps, on the GPU and by the interpreter; see gpuZoo.ts. */
  runZoo(model: ModelName, condition: ZooCondition): Promise<ZooOutcome> {
    return this.page.evaluate(
      (given) => (window as unknown as GoldenWindow).runZoo(given.model, given.condition),
      { model, condition },
    );
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.server.close();
  }
}
