import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chromium, firefox, type Browser, type LaunchOptions } from 'playwright';

export const browserNames = ['chromium', 'firefox'] as const;
export type BrowserName = (typeof browserNames)[number];

/** A browser on this machine and how to start it so that WebGPU works without a GPU. */
export interface FoundBrowser {
  readonly name: BrowserName;
  readonly launch: LaunchOptions;
}

const icdFolder = '/usr/share/vulkan/icd.d';

const stockPaths: Record<BrowserName, readonly string[]> = {
  chromium: [
    '/usr/bin/chromium',
    '/usr/bin/google-chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ],
  firefox: [
    '/usr/bin/firefox-esr',
    '/usr/bin/firefox',
    '/Applications/Firefox.app/Contents/MacOS/firefox',
  ],
};

const debianPackages: Record<BrowserName, readonly string[]> = {
  chromium: ['chromium'],
  firefox: ['firefox-esr', 'mesa-vulkan-drivers'],
};

/** Mesa's software Vulkan driver, which gives Firefox an adapter where there is no GPU. */
function lavapipeIcd(): string | undefined {
  if (!existsSync(icdFolder)) return undefined;
  const file = readdirSync(icdFolder).find((name) => name.startsWith('lvp_icd'));
  return file === undefined ? undefined : `${icdFolder}/${file}`;
}

/** True where the browser and, for Firefox on Linux, its software GPU can be started. */
function stockBrowser(name: BrowserName): string | undefined {
  const path = stockPaths[name].find((candidate) => existsSync(candidate));
  if (path !== undefined && name === 'firefox' && process.platform === 'linux' && !lavapipeIcd())
    return undefined;
  return path;
}

function canInstallDebianPackages(): boolean {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version');
}

function install(name: BrowserName): void {
  const options = { stdio: 'inherit' } as const;
  if (canInstallDebianPackages()) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    execFileSync('apt-get', ['update', '-qq'], { ...options, env });
    execFileSync('apt-get', ['install', '-y', '-qq', ...debianPackages[name]], { ...options, env });
  } else {
    execFileSync('npx', ['playwright', 'install', name], options);
  }
}

function launchOptions(name: BrowserName, executablePath: string | undefined): LaunchOptions {
  switch (name) {
    case 'chromium':
      return {
        ...(executablePath === undefined ? {} : { executablePath }),
        args: [
          '--enable-unsafe-webgpu',
          '--use-webgpu-adapter=swiftshader',
          '--disable-background-networking',
          '--disable-component-update',
          ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        ],
      };
    case 'firefox': {
      const icd = lavapipeIcd();
      return {
        // A stock Firefox is driven over WebDriver BiDi, Playwright's own build over Juggler.
        ...(executablePath === undefined ? {} : { channel: 'moz-firefox', executablePath }),
        firefoxUserPrefs: { 'dom.webgpu.enabled': true, 'gfx.webgpu.ignore-blocklist': true },
        ...(icd === undefined ? {} : { env: { ...definedEnv(), VK_DRIVER_FILES: icd } }),
      };
    }
  }
}

function definedEnv(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
}

/**
 * Finds a browser, or installs it: Debian's packages when root on Debian, else Playwright's own
 * download. Throws with the command's output when neither works.
 */
export async function findBrowser(name: BrowserName): Promise<FoundBrowser> {
  const stock = stockBrowser(name);
  if (stock !== undefined) return { name, launch: launchOptions(name, stock) };
  const bundled = { chromium, firefox }[name].executablePath();
  if (!existsSync(bundled)) install(name);
  return { name, launch: launchOptions(name, stockBrowser(name)) };
}

/** Starts a browser; `headed` shows its window. */
export async function launchBrowser(name: BrowserName, headed = false): Promise<Browser> {
  const { launch } = await findBrowser(name);
  return { chromium, firefox }[name].launch({ ...launch, headless: !headed, handleSIGINT: false });
}
