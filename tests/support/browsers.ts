import { browserNames, launchBrowser } from '../../src/cli/browsers.ts';

// Finds or installs both browsers before any test needs them, and says which they are.
for (const name of browserNames) {
  const browser = await launchBrowser(name);
  console.log(`${name} ${browser.version()}`);
  await browser.close();
}
