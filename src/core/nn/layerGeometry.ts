import { convPadding, kernelExtents, lookUp, type LayerOf } from './graph.ts';
import type {
  ConcatGeometry,
  ConvGeometry,
  DenseGeometry,
  NormGeometry,
  PoolGeometry,
  WindowGeometry,
  WindowPoolGeometry,
} from './plan.ts';
import type { PlanBuilder } from './planBuilder.ts';

/** Added to the variance; tests/golden/README.md. */
const epsilon = 1e-5;

export function convGeometry(builder: PlanBuilder, layer: LayerOf<'conv2d'>): ConvGeometry {
  const { top, left } = convPadding(layer);
  return {
    ...windowGeometry(builder, layer, top, left),
    inChannels: lookUp(builder.shapes, layer.input).channels,
    outChannels: layer.outChannels,
  };
}

export function windowPoolGeometry(
  builder: PlanBuilder,
  layer: LayerOf<'maxPool' | 'averagePool'>,
): WindowPoolGeometry {
  return {
    ...windowGeometry(builder, layer, layer.padding, layer.padding),
    channels: lookUp(builder.shapes, layer.name).channels,
  };
}

function windowGeometry(
  builder: PlanBuilder,
  layer: LayerOf<'conv2d' | 'maxPool' | 'averagePool'>,
  padTop: number,
  padLeft: number,
): WindowGeometry {
  const input = lookUp(builder.shapes, layer.input);
  const output = lookUp(builder.shapes, layer.name);
  const kernel = kernelExtents(layer.kernel);
  return {
    batch: builder.batch,
    inHeight: input.height,
    inWidth: input.width,
    outHeight: output.height,
    outWidth: output.width,
    kernelHeight: kernel.height,
    kernelWidth: kernel.width,
    stride: layer.stride,
    padTop,
    padLeft,
  };
}

export function normGeometry(builder: PlanBuilder, layer: LayerOf<'batchNorm'>): NormGeometry {
  const { height, width, channels } = lookUp(builder.shapes, layer.name);
  return { pixels: builder.batch * height * width, channels, epsilon };
}

export function concatGeometry(builder: PlanBuilder, layer: LayerOf<'concat'>): ConcatGeometry {
  const { height, width } = lookUp(builder.shapes, layer.name);
  const channels = layer.inputs.map((input) => lookUp(builder.shapes, input).channels);
  return { pixels: builder.batch * height * width, channels };
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
