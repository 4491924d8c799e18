import geometrySource from '../../../shaders/lib/window-pool-geometry.wgsl?raw';
import type { WindowPoolGeometry } from '../../core/nn/plan.ts';
import { tilesOfLanes } from './computeKernel.ts';

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

/** Tiles of a kernel with a lane for each element of the output. */
export function outputTiles(g: WindowPoolGeometry): number {
  return tilesOfLanes(g.batch * g.outHeight * g.outWidth * g.channels);
}

/** Tiles of a kernel with a lane for each element of the input. */
export function inputTiles(g: WindowPoolGeometry): number {
  return tilesOfLanes(g.batch * g.inHeight * g.inWidth * g.channels);
}
