import { touchedPixels } from './convolutionWork.ts';
import type {
  ConcatGeometry,
  DenseGeometry,
  NormGeometry,
  PoolGeometry,
  WindowPoolGeometry,
} from './plan.ts';

export function normElements(g: NormGeometry): number {
  return g.pixels * g.channels;
}

export function poolElements(g: PoolGeometry): number {
  return g.batch * g.pixels * g.channels;
}

export function concatElements(g: ConcatGeometry): number {
  return g.pixels * g.channels.reduce((sum, channels) => sum + channels, 0);
}

/** Outputs of a window pool, its inputs, and those inputs that some window meets. */
export function pooledElements(g: WindowPoolGeometry): number {
  return g.batch * g.outHeight * g.outWidth * g.channels;
}

export function unpooledElements(g: WindowPoolGeometry): number {
  return g.batch * g.inHeight * g.inWidth * g.channels;
}

export function touchedPooled(g: WindowPoolGeometry): number {
  return g.batch * touchedPixels(g) * g.channels;
}

/** Pairs of an output and a tap, padding included. */
export function windowTaps(g: WindowPoolGeometry): number {
  return pooledElements(g) * g.kernelHeight * g.kernelWidth;
}

export function denseProducts(g: DenseGeometry): number {
  return g.batch * g.inFeatures * g.outFeatures;
}

/** One side of the input, the weight and one side of the output. */
export function denseElements(g: DenseGeometry): number {
  return g.batch * (g.inFeatures + g.outFeatures) + g.inFeatures * g.outFeatures;
}
