import { lookUp, padding, type Layer } from './graph.ts';
import type { ConvGeometry, DenseGeometry, NormGeometry, PoolGeometry } from './plan.ts';
import type { PlanBuilder } from './planBuilder.ts';

/** Added to the variance; tests/golden/README.md. */
const epsilon = 1e-5;

type LayerOf<Kind extends Layer['kind']> = Extract<Layer, { kind: Kind }>;

export function convGeometry(builder: PlanBuilder, layer: LayerOf<'conv2d'>): ConvGeometry {
  const input = lookUp(builder.shapes, layer.input);
  const output = lookUp(builder.shapes, layer.name);
  return {
    batch: builder.batch,
    inHeight: input.height,
    inWidth: input.width,
    inChannels: input.channels,
    outHeight: output.height,
    outWidth: output.width,
    outChannels: output.channels,
    kernelHeight: layer.kernel,
    kernelWidth: layer.kernel,
    stride: layer.stride,
    padTop: padding(layer.kernel),
    padLeft: padding(layer.kernel),
  };
}

export function normGeometry(builder: PlanBuilder, layer: LayerOf<'batchNorm'>): NormGeometry {
  const { height, width, channels } = lookUp(builder.shapes, layer.name);
  return { pixels: builder.batch * height * width, channels, epsilon };
}

export function poolGeometry(
  builder: PlanBuilder,
  layer: LayerOf<'globalAveragePool'>,
): PoolGeometry {
  const { height, width, channels } = lookUp(builder.shapes, layer.input);
  return { batch: builder.batch, pixels: height * width, channels };
}

export function denseGeometry(builder: PlanBuilder, layer: LayerOf<'dense'>): DenseGeometry {
  const { height, width, channels } = lookUp(builder.shapes, layer.input);
  if (height * width !== 1) throw new Error(`${layer.name} reads an image: pool it first`);
  return { batch: builder.batch, inFeatures: channels, outFeatures: layer.outFeatures };
}
