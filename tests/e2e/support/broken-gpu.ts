import type { Page } from '@playwright/test';

/**
 * Puts a script in front of the GPU worker's own, in its global scope: the page's init scripts do
 * not reach workers, and what is simulated must happen where WebGPU is used.
 */
export async function beforeGpuWorker(page: Page, script: string): Promise<void> {
  await page.route(/gpu\.worker[^/]*\.js$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${script}\n${await response.text()}` });
  });
}

/** A browser without WebGPU. */
export const withoutWebGpu = `
  Object.defineProperty(WorkerNavigator.prototype, 'gpu', { value: undefined });`;

/** WebGPU without a graphics adapter, as on many Linux machines. */
export const withoutAdapter = `
  GPU.prototype.requestAdapter = async () => null;`;

/** An adapter that refuses every device. */
export const refusingDevice = `
  GPUAdapter.prototype.requestDevice = () => Promise.reject(new DOMException('refused', 'OperationError'));`;

/** A device without memory: its buffers are not there, and it says so. */
export const withoutMemory = `
  const scopes = [];
  const { pushErrorScope, popErrorScope } = GPUDevice.prototype;
  GPUDevice.prototype.pushErrorScope = function (filter) {
    scopes.push(filter);
    return pushErrorScope.call(this, filter);
  };
  GPUDevice.prototype.popErrorScope = async function () {
    const filter = scopes.pop();
    const error = await popErrorScope.call(this);
    return filter === 'out-of-memory' ? new GPUOutOfMemoryError('simulated') : error;
  };`;

/** A real device that is given an invalid command, outside all scopes, when the page says so: see \`breakDevice\`. */
export const breakableDevice = `
  const requestDevice = GPUAdapter.prototype.requestDevice;
  GPUAdapter.prototype.requestDevice = async function (...args) {
    const device = await requestDevice.apply(this, args);
    const usage = GPUBufferUsage.MAP_READ | GPUBufferUsage.STORAGE;
    new BroadcastChannel('break-device').onmessage = () => device.createBuffer({ size: 16, usage });
    return device;
  };`;

export async function breakDevice(page: Page): Promise<void> {
  await page.evaluate(() => new BroadcastChannel('break-device').postMessage('now'));
}

/** A real device that is lost when the page says so on a channel: see `loseDevice`. */
export const losableDevice = `
  const requestDevice = GPUAdapter.prototype.requestDevice;
  GPUAdapter.prototype.requestDevice = async function (...args) {
    const device = await requestDevice.apply(this, args);
    new BroadcastChannel('lose-device').onmessage = () => device.destroy();
    return device;
  };`;

export async function loseDevice(page: Page): Promise<void> {
  await page.evaluate(() => new BroadcastChannel('lose-device').postMessage('now'));
}

/** A worker whose clock leaps ahead by some seconds when the page says so on a channel: see `leapAhead`. */
export const leapingClock = `
  const now = performance.now.bind(performance);
  let ahead = 0;
  performance.now = () => now() + ahead;
  new BroadcastChannel('leap-ahead').onmessage = ({ data }) => (ahead += 1000 * data);`;

export async function leapAhead(page: Page, seconds: number): Promise<void> {
  await page.evaluate((data) => new BroadcastChannel('leap-ahead').postMessage(data), seconds);
}
