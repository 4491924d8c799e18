import { expect, test } from 'vitest';
import { openDevice, softwareEvidence, type OpenGpu } from '../../../src/gpu/device.ts';
import { GpuFault, noWebGpu } from '../../../src/gpu/faults.ts';

/** The real `navigator.gpu` with some of the adapter's members replaced. */
function gpuWith(replace: (adapter: GPUAdapter, attempt: number) => Partial<GPUAdapter>): GPU {
  let attempt = 0;
  const requestAdapter = async (options?: GPURequestAdapterOptions) => {
    const adapter = await navigator.gpu.requestAdapter(options);
    if (adapter === null) throw new Error('this test needs an adapter');
    const replaced = replace(adapter, attempt);
    attempt += 1;
    return new Proxy(adapter, {
      get(target, key) {
        const value: unknown = Reflect.get(key in replaced ? replaced : target, key);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  };
  return { requestAdapter } as unknown as GPU;
}

async function open(gpu?: GPU): Promise<OpenGpu> {
  const opened = await openDevice(gpu);
  if (opened.kind === 'failure') throw new Error(opened.failure.detail);
  return opened;
}

test('the real device opens with the limits that were granted and a stable id', async () => {
  const first = await open();
  const second = await open();
  expect(first.environment.limits.maxStorageBufferBindingSize).toBeGreaterThanOrEqual(2 ** 27);
  expect(first.environment.deviceId).toMatch(/^gpu-[0-9a-f]{8}$/);
  expect(second.environment.deviceId).toBe(first.environment.deviceId);
  // Both browsers of these tests run a software adapter, and each has its own way of saying so.
  expect(first.environment.software).toBe(true);
  expect(first.environment.softwareEvidence).toMatch(/swiftshader|fallback/);
  first.device.destroy();
  second.device.destroy();
});

test('without WebGPU the failure says whether the page or the browser is the reason', async () => {
  Object.defineProperty(navigator, 'gpu', { value: undefined, configurable: true });
  const opened = await openDevice();
  Reflect.deleteProperty(navigator, 'gpu');
  // This page is a secure context, so it is the browser that lacks WebGPU.
  expect(opened).toMatchObject({ kind: 'failure', failure: { kind: 'unsupported' } });
  if (opened.kind === 'failure') expect(opened.failure.cause).toContain('no WebGPU');
  expect(noWebGpu(false).advice).toContain('https');
});

test('a null adapter is a failure with advice for Linux', async () => {
  const gpu = { requestAdapter: () => Promise.resolve(null) } as unknown as GPU;
  const opened = await openDevice(gpu);
  expect(opened).toMatchObject({ kind: 'failure', failure: { kind: 'adapter-null' } });
  if (opened.kind === 'failure')
    expect(opened.failure.advice).toMatch(/Chrome on Linux.*flags.*Firefox/);
});

test('limits that the browser refuses lead to a device with default limits', async () => {
  const boast = new Proxy({} as GPUSupportedLimits, {
    get: (_, name) => (name === 'maxComputeWorkgroupStorageSize' ? 2 ** 40 : 2 ** 41),
  });
  const wanted: GPUDeviceDescriptor[] = [];
  const gpu = gpuWith((adapter) => ({
    features: new Set(['no-such-feature', 'timestamp-query']),
    limits: boast,
    requestDevice(descriptor) {
      wanted.push(descriptor ?? {});
      const greedy = { maxStorageBuffersPerShaderStage: 1_000_000 };
      const first = wanted.length === 1;
      return adapter.requestDevice(first ? { requiredLimits: greedy } : descriptor);
    },
  }));
  const { device, environment } = await open(gpu);
  expect(wanted).toHaveLength(2);
  expect(wanted[0]?.requiredFeatures).toEqual(['timestamp-query']);
  expect(wanted[1]?.requiredLimits).toBeUndefined();
  expect(environment.limits.maxStorageBuffersPerShaderStage).toBe(
    device.limits.maxStorageBuffersPerShaderStage,
  );
  device.destroy();
});

test('a device that is refused twice is a failure with both reasons', async () => {
  const gpu = gpuWith((_, attempt) => ({
    requestDevice: () => Promise.reject(new Error(`no ${attempt}`)),
  }));
  const opened = await openDevice(gpu);
  expect(opened).toMatchObject({ kind: 'failure', failure: { kind: 'device-refused' } });
  if (opened.kind === 'failure') expect(opened.failure.detail).toMatch(/no 0.*no 1/);
});

test('a device that is born lost counts as refused', async () => {
  const gpu = gpuWith((adapter) => ({
    async requestDevice(descriptor) {
      const device = await adapter.requestDevice(descriptor);
      device.destroy();
      await device.lost;
      return device;
    },
  }));
  expect(await openDevice(gpu)).toMatchObject({
    kind: 'failure',
    failure: { kind: 'device-refused' },
  });
});

test('work on a device that is lost ends with the loss, not with its symptom', async () => {
  const { device, watch } = await open();
  const buffer = device.createBuffer({ size: 16, usage: GPUBufferUsage.MAP_READ });
  const waiting = watch.guard(buffer.mapAsync(GPUMapMode.READ));
  device.destroy();
  const error: unknown = await waiting.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  // The map may win the race against destroy(); what follows must tell the loss all the same.
  if (error !== undefined) {
    expect(error).toBeInstanceOf(GpuFault);
    expect((error as GpuFault).fault).toMatchObject({ kind: 'device-lost' });
  }
  await watch.faultWithin(1000);
  await device.lost;
  expect(() => watch.throwIfFailed()).toThrow(/The GPU device was lost/);
});

test('an error that no scope caught fails the next stage', async () => {
  const { device, watch } = await open();
  device.createBuffer({ size: 16, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.STORAGE });
  device.queue.submit([]);
  await expect
    .poll(() => {
      try {
        watch.throwIfFailed();
        return 'fine';
      } catch (error) {
        return error instanceof GpuFault ? error.fault.kind : 'other';
      }
    })
    .toBe('validation');
  device.destroy();
});

test('a software adapter is known by its name or by the browser marking it', () => {
  const info = { vendor: '', architecture: '', device: '', description: '' };
  expect(softwareEvidence({ ...info, description: 'llvmpipe (LLVM 19)' }).software).toBe(true);
  expect(softwareEvidence({ ...info, isFallbackAdapter: true }).because).toContain('withholds');
  expect(softwareEvidence({ ...info, vendor: 'nvidia' }).software).toBe(false);
  expect(softwareEvidence(info).because).toContain('withholds');
});
