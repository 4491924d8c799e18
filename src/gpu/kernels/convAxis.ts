import type { ConvGeometry } from '../../core/nn/plan.ts';

/** Positions along one axis of a convolution's result that meet the same taps of the weight. */
export interface AxisPhase {
  /** Positions that tiles cover, and how many of them lie in the image. */
  readonly length: number;
  readonly inside: number;
  /** Taps of the phase. */
  readonly taps: number;
  /** Taps at which at least one of `count` neighbouring positions from `at` on meets the image. */
  tapsMet(at: number, count: number): number;
}

/** The phases of the rows and of the columns of what a convolution makes. */
export interface ConvAxes {
  readonly rows: readonly AxisPhase[];
  readonly columns: readonly AxisPhase[];
}

/** Both directions as shaders/lib/conv2d-window-*.wgsl walk them. */
export function convAxes(direction: 'forward' | 'backwardInput', g: ConvGeometry): ConvAxes {
  const rows = [g.inHeight, g.outHeight, g.kernelHeight, g.padTop, g.stride] as const;
  const columns = [g.inWidth, g.outWidth, g.kernelWidth, g.padLeft, g.stride] as const;
  return direction === 'forward'
    ? { rows: [forwardAxis(...rows)], columns: [forwardAxis(...columns)] }
    : { rows: backwardAxis(...rows), columns: backwardAxis(...columns) };
}

function forwardAxis(
  ins: number,
  outs: number,
  kernel: number,
  pad: number,
  stride: number,
): AxisPhase {
  return {
    length: outs,
    inside: outs,
    taps: kernel,
    tapsMet(at, count) {
      const first = at * stride - pad;
      const from = Math.max(-first - (count - 1) * stride, 0);
      return Math.max(clamp(ins - first, 0, kernel) - from, 0);
    },
  };
}

/** Input positions that lie a stride apart are of one phase, whose taps run backwards. */
function backwardAxis(
  ins: number,
  outs: number,
  kernel: number,
  pad: number,
  stride: number,
): readonly AxisPhase[] {
  return Array.from({ length: stride }, (_, phase) => {
    const firstTap = (phase + pad) % stride;
    const taps = Math.floor((kernel + stride - 1 - firstTap) / stride);
    return {
      length: Math.ceil(ins / stride),
      inside: Math.max(Math.ceil((ins - phase) / stride), 0),
      taps,
      tapsMet(at, count) {
        const last = (at * stride + phase + pad - firstTap) / stride;
        const from = Math.max(last - outs + 1, 0);
        return Math.max(clamp(last + count, 0, taps) - from, 0);
      },
    };
  });
}

/** Taps met by all groups of `count` positions of the phases, of which `covered` positions are visited. */
export function tapsMetBy(
  phases: readonly AxisPhase[],
  count: number,
  covered: 'length' | 'inside',
): number {
  return sum(
    phases.map((phase) =>
      sum(
        Array.from({ length: Math.ceil(phase[covered] / count) }, (_, group) =>
          phase.tapsMet(group * count, count),
        ),
      ),
    ),
  );
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}
