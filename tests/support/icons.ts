import { mkdirSync, readFileSync } from 'node:fs';
import { launchBrowser } from '../../src/cli/browsers.ts';

// Makes the icons of the installed app from public/favicon.svg.
const svg = readFileSync('public/favicon.svg', 'utf8');
const background = '#14181d';
/** Systems cut maskable icons to their own shape: all that matters lies in the middle 80 %. */
const icons = [
  { file: '192.png', size: 192, inset: 0 },
  { file: '512.png', size: 512, inset: 0 },
  { file: 'maskable-512.png', size: 512, inset: 64 },
] as const;

mkdirSync('public/icons', { recursive: true });
const browser = await launchBrowser('chromium');
const page = await browser.newPage();
for (const { file, size, inset } of icons) {
  await page.setViewportSize({ width: size, height: size });
  const paper = inset === 0 ? 'transparent' : background;
  await page.setContent(
    `<style>body { margin: 0; padding: ${inset}px; background: ${paper} }
     svg { display: block; width: ${size - 2 * inset}px }</style>${svg}`,
  );
  await page.screenshot({ path: `public/icons/${file}`, omitBackground: true });
}
await browser.close();
