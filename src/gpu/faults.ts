import type { Failure } from '../core/run/events.ts';
import { DataError } from '../data/fashionMnist.ts';

/** What went wrong with the device; the job that meets it knows the stage. */
export type Fault = Omit<Failure, 'stage'>;

/** A `Fault` on its way up to the job, which tells it as an event. Never leaves the worker. */
export class GpuFault extends Error {
  override readonly name = 'GpuFault';
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(`${fault.cause} (${fault.detail})`);
    this.fault = fault;
  }
}

type Described = Pick<Failure, 'cause' | 'advice'>;

const described = {
  unsupported: {
    cause: 'This browser has no WebGPU.',
    advice:
      'Use a current Chrome, Edge, Safari or Firefox. In Firefox on Linux set dom.webgpu.enabled in about:config. The CPU roofline works without WebGPU.',
  },
  insecure: {
    cause: 'WebGPU exists only on secure pages, and this page came over plain http.',
    advice: 'Open it over https, or as http://localhost on the machine itself.',
  },
  'adapter-null': {
    cause: 'The browser has WebGPU but offers no graphics adapter.',
    advice:
      'In Chrome on Linux open chrome://flags/#enable-unsafe-webgpu and chrome://flags/#enable-vulkan, enable both and restart; in Firefox set gfx.webgpu.ignore-blocklist in about:config. Check that hardware acceleration is on and the graphics driver is current. The CPU roofline works without it.',
  },
  'device-refused': {
    cause: 'The graphics adapter refused to open a device, with default limits too.',
    advice: 'Close other pages that use the GPU, restart the browser, or update its driver.',
  },
  'device-lost': {
    cause: 'The GPU device was lost while it worked.',
    advice:
      'What was measured before is kept. Run again; if it repeats, close other GPU programs and update the driver.',
  },
  'out-of-memory': {
    cause: 'The GPU has no memory left for a buffer of this size.',
    advice: 'Close other pages and programs that use the GPU and run again.',
  },
  validation: {
    cause: 'The browser refused a GPU command as invalid.',
    advice: 'This is a fault of Rooftrace: please report it with the detail below.',
  },
} as const satisfies Record<string, Described>;

/** The fault of one kind; `detail` is the browser's own message. */
export function gpuFault(kind: Exclude<keyof typeof described, 'insecure'>, detail: string): Fault {
  return { kind, device: 'gpu', ...described[kind], detail };
}

/** No `navigator.gpu`: either the page is not a secure context or the browser has no WebGPU. */
export function noWebGpu(secureContext: boolean): Fault {
  const text = described[secureContext ? 'unsupported' : 'insecure'];
  return { kind: 'unsupported', device: 'gpu', ...text, detail: 'navigator.gpu is undefined' };
}

/** The failure behind anything thrown in a GPU job; what is no known fault is a bug and says so. */
export function failureOf(error: unknown, stage: string): Failure {
  if (error instanceof GpuFault) return { ...error.fault, stage };
  if (error instanceof DataError) {
    const { message, advice } = error;
    return { kind: 'data', device: 'gpu', stage, cause: message, advice, detail: error.name };
  }
  return {
    kind: 'bug',
    device: 'gpu',
    stage,
    cause: 'Rooftrace stopped at an error of its own.',
    advice: 'Please report it with the detail below.',
    detail: error instanceof Error ? (error.stack ?? error.message) : String(error),
  };
}
