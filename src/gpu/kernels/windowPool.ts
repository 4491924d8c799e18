import geometrySource from '../../../shaders/lib/window-pool-geometry.wgsl?raw';
import type { WindowPoolGeometry } from '../../core/nn/plan.ts';

/** What stands before the source of a window pooling kernel. */
export const windowPoolLibrary = geometrySource;

/** `WindowPoolGeometry` of shaders/lib/window-pool-geometry.wgsl. */
export const windowPoolFields = {
  batch: 'u32',
  inHeight: 'u32',
  inWidth: 'u32',
  outHeight: 'u32',
  outWidth: 'u32',
  kernelHeight: 'u32',
  kernelWidth: 'u32',
  stride: 'u32',
  padTop: 'u32',
  padLeft: 'u32',
  channels: 'u32',
} as const;

/** Lanes of a kernel with one for each element of the output. */
export function outputLanes(g: WindowPoolGeometry): number {
  return g.batch * g.outHeight * g.outWidth * g.channels;
}

/** Pairs of an output element and an input element in its window, padding apart: all loads of a pool. */
export function windowPairs(g: WindowPoolGeometry): number {
  const rows = pairsAlong(g.outHeight, g.inHeight, g.kernelHeight, g.stride, g.padTop);
  const columns = pairsAlong(g.outWidth, g.inWidth, g.kernelWidth, g.stride, g.padLeft);
  return g.batch * g.channels * rows * columns;
}

function pairsAlong(outs: number, ins: number, taps: number, stride: number, pad: number): number {
  return Array.from({ length: outs }, (_, out) => {
    const first = out * stride - pad;
    return Math.min(first + taps, ins) - Math.max(first, 0);
  }).reduce((sum, inside) => sum + Math.max(inside, 0), 0);
}

/** Lanes of a kernel with one for each element of the input. */
export function inputLanes(g: WindowPoolGeometry): number {
  return g.batch * g.inHeight * g.inWidth * g.channels;
}
