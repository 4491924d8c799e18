import type { Browser, Page } from 'playwright';
import { createServer, type ViteDevServer } from 'vite';
import type { GoldenCase, GoldenOutcome } from '../core/nn/golden.ts';
import { launchBrowser, type BrowserName } from './browsers.ts';

/** What tests/golden/gpu.html puts on its window. */
interface GoldenWindow {
  runGolden(golden: GoldenCase): Promise<GoldenOutcome>;
}

/** The page that runs golden cases on the GPU, served from source and opened in a real browser. */
export class GoldenPage {
  private constructor(
    private readonly server: ViteDevServer,
    private readonly browser: Browser,
    private readonly page: Page,
  ) {}

  static async open(name: BrowserName): Promise<GoldenPage> {
    const browser = await launchBrowser(name);
    const server = await createServer({
      logLevel: 'warn',
      server: { host: '127.0.0.1', hmr: false, watch: null },
    });
    const opened = new GoldenPage(server, browser, await browser.newPage());
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
    const [root] = this.server.resolvedUrls?.local ?? [];
    await this.page.goto(new URL('tests/golden/gpu.html', root).href);
    await this.page.waitForFunction(() => 'runGolden' in window);
  }

  run(golden: GoldenCase): Promise<GoldenOutcome> {
    return this.page.evaluate(
      (given) => (window as unknown as GoldenWindow).runGolden(given),
      golden,
    );
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.server.close();
  }
}
