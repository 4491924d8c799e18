import { expect, test } from 'vitest';
import { coreCap } from '../../../src/core/run/coreCap.ts';

const chrome =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const safari =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15';
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';

test.each([
  [chrome, 8, 5e-6],
  [chrome, 2, 1e-4],
  [firefox, 8, 2e-5],
  [firefox, 2, 1e-3],
  [safari, 4, 1e-3],
  [phone, 6, 1e-3],
])('%s with %i cores: nothing is known', (userAgent, logicalCores, clockStepSeconds) => {
  expect(coreCap(userAgent, { logicalCores, clockStepSeconds })).toBeUndefined();
});

test.each([
  [safari, 8, 1e-3, 'Safari tells 8'],
  [phone, 2, 1e-3, 'Safari tells 2'],
  [firefox, 2, 1 / 60, 'fingerprinting'],
  [firefox, 8, 0.1, 'fingerprinting'],
])('%s with %i cores may have more', (userAgent, logicalCores, clockStepSeconds, reason) => {
  expect(coreCap(userAgent, { logicalCores, clockStepSeconds })).toContain(reason);
});
