import type { Failure, GpuEnvironment } from '../core/run/events.ts';
import { gpuFault, noWebGpu, type Fault } from './faults.ts';
import { grantedLimits, requestedDevice } from './limits.ts';
import { DeviceWatch } from './watch.ts';

/** What is known of a GPU before its timer has been examined. */
export type GpuDescription = Omit<GpuEnvironment, 'timer' | 'timestampGridSeconds'>;

/** An open device and a watch over its faults. */
export interface OpenGpu {
  readonly kind: 'ok';
  readonly device: GPUDevice;
  readonly environment: GpuDescription;
  readonly watch: DeviceWatch;
}

export type OpenedDevice = OpenGpu | { readonly kind: 'failure'; readonly failure: Failure };

/**
 * Opens the fastest adapter's device with min(wanted, available) of every limit and the wanted
 * features that are there; a device that is refused is asked for once more with defaults.
 * Never throws for a fault of the machine: that is a `failure` with its cause and advice.
 */
export async function openDevice(gpu: GPU | undefined = globalGpu()): Promise<OpenedDevice> {
  if (gpu === undefined) return failed(noWebGpu(globalThis.isSecureContext));
  const refusals: string[] = [];
  for (const limits of ['wanted', 'default'] as const) {
    // A new adapter each time: one that has been asked for a device is used up.
    const adapter = await requestAdapter(gpu, refusals);
    if (adapter === null)
      return failed(gpuFault('adapter-null', refusals.join('; ') || 'requestAdapter gave null'));
    try {
      const descriptor = limits === 'wanted' ? requestedDevice(adapter) : {};
      const device = await adapter.requestDevice({ label: 'rooftrace', ...descriptor });
      const watch = new DeviceWatch(device);
      const loss = await watch.faultWithin(0);
      if (loss === undefined)
        return { kind: 'ok', device, environment: describe(adapter, device), watch };
      refusals.push(`${limits} limits: ${loss.detail}`);
    } catch (error) {
      refusals.push(`${limits} limits: ${String(error)}`);
    }
  }
  return failed(gpuFault('device-refused', refusals.join('; ')));
}

function failed(fault: Fault): OpenedDevice {
  return { kind: 'failure', failure: { ...fault, stage: 'open device' } };
}

async function requestAdapter(gpu: GPU, refusals: string[]): Promise<GPUAdapter | null> {
  try {
    return await gpu.requestAdapter({ powerPreference: 'high-performance' });
  } catch (error) {
    refusals.push(String(error));
    return null;
  }
}

/** `navigator.gpu` is declared as always there; on an insecure page or an old browser it is not. */
function globalGpu(): GPU | undefined {
  return (globalThis.navigator as { readonly gpu?: GPU }).gpu;
}

function describe(adapter: GPUAdapter, device: GPUDevice): GpuDescription {
  const { vendor, architecture, description } = adapter.info;
  const evidence = softwareEvidence(adapter.info);
  return {
    device: 'gpu',
    deviceId: deviceId([vendor, architecture, description, navigator.userAgent]),
    vendor,
    architecture,
    description,
    software: evidence.software,
    softwareEvidence: evidence.because,
    features: [...device.features].sort(),
    limits: grantedLimits(device),
  };
}

const softwareNames = ['swiftshader', 'llvmpipe', 'lavapipe', 'basic render', 'software'];

/** Whether the adapter runs on the CPU, and how that is known; browsers may withhold its name. */
export function softwareEvidence(
  info: Pick<GPUAdapterInfo, 'vendor' | 'architecture' | 'device' | 'description'> &
    Partial<Pick<GPUAdapterInfo, 'isFallbackAdapter'>>,
): { readonly software: boolean; readonly because: string } {
  const name = `${info.vendor} ${info.architecture} ${info.device} ${info.description}`;
  const known = softwareNames.find((candidate) => name.toLowerCase().includes(candidate));
  if (known !== undefined) return { software: true, because: `its name says ${known}` };
  const named = name.trim() !== '';
  if (info.isFallbackAdapter === true)
    return {
      software: true,
      because: `the browser marks it as a fallback adapter${named ? '' : ' and withholds its name'}`,
    };
  return {
    software: false,
    because: named
      ? 'its name is not that of a software adapter'
      : 'nothing says so, but the browser withholds its name',
  };
}

/** Whether a device runs on the CPU; a browser that does not say which adapter it is of, says no. */
export function deviceIsSoftware({
  adapterInfo,
}: Partial<Pick<GPUDevice, 'adapterInfo'>>): boolean {
  return adapterInfo !== undefined && softwareEvidence(adapterInfo).software;
}

/** The same short name for the same adapter in the same browser (32-bit FNV-1a, hexadecimal). */
function deviceId(parts: readonly string[]): string {
  let hash = 0x811c9dc5;
  for (const character of parts.join('\n'))
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return `gpu-${(hash >>> 0).toString(16).padStart(8, '0')}`;
}
