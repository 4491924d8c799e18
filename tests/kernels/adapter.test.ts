import { expect, test } from 'vitest';

test('the browser gives a WebGPU adapter', async () => {
  expect(await navigator.gpu.requestAdapter()).not.toBeNull();
});
