import type { Failure } from '../core/run/events.ts';
import { DataError } from '../data/fashionMnist.ts';

/** What went wrong; the job that meets it knows the stage. */
export type Fault = Omit<Failure, 'stage'>;

/** A `Fault` on its way up to the job, which tells it as an event. Never leaves the worker. */
export class CpuFault extends Error {
  override readonly name = 'CpuFault';
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(`${fault.cause} (${fault.detail})`);
    this.fault = fault;
  }
}

const described = {
  unsupported: {
    cause: 'This browser has no SIMD WebAssembly.',
    advice: 'Use a current Chrome, Edge, Safari or Firefox. The GPU roofline works without it.',
  },
  data: {
    cause: 'The CPU kernels (a .wasm file of this site) could not be loaded.',
    advice: 'Check the connection and reload the page.',
  },
  'out-of-memory': {
    cause: 'The browser gives no memory for even the smallest working set.',
    advice: 'Close other pages and programs and run again.',
  },
  worker: {
    cause: 'A CPU thread stopped or could not be started.',
    advice: 'Reload the page and run again; close other heavy pages. What was measured is kept.',
  },
} as const satisfies Record<string, Pick<Failure, 'cause' | 'advice'>>;

/** The fault of one kind; `detail` is the browser's own message. */
export function cpuFault(kind: keyof typeof described, detail: string): Fault {
  return { kind, device: 'cpu', ...described[kind], detail };
}

/** The failure behind anything thrown in CPU code; what is not a `CpuFault` is a bug and says so. */
export function failureOf(error: unknown, stage: string): Failure {
  if (error instanceof CpuFault) return { ...error.fault, stage };
  if (error instanceof DataError) {
    const { message, advice } = error;
    return { kind: 'data', device: 'cpu', stage, cause: message, advice, detail: error.name };
  }
  return {
    kind: 'bug',
    device: 'cpu',
    stage,
    cause: 'Rooftrace stopped at an error of its own.',
    advice: 'Please report it with the detail below. What was measured is kept.',
    detail: error instanceof Error ? (error.stack ?? error.message) : String(error),
  };
}
