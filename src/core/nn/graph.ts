import type { ImageShape } from './plan.ts';

/** A layer's output is called by the layer's name; the network's input is called `images`. */
export type ValueName = string;

/** A window's height and width; one number for a square. */
export type Kernel = number | readonly [height: number, width: number];

/** A layer of a forward network: data from which plan, cost and every executor follow. */
export type Layer = { readonly name: string } & (
  | {
      /** No bias; kernels are odd, with (kernel - 1) / 2 zeros on each side. */
      readonly kind: 'conv2d';
      readonly input: ValueName;
      readonly outChannels: number;
      readonly kernel: Kernel;
      readonly stride: number;
    }
  | {
      /** Batch statistics, then activation(normalised + residual). */
      readonly kind: 'batchNorm';
      readonly input: ValueName;
      readonly activation: 'none' | 'relu';
      readonly residual?: ValueName;
    }
  | {
      /** Values of equal height and width, side by side in the channels. */
      readonly kind: 'concat';
      readonly inputs: readonly ValueName[];
    }
  | {
      /** The average counts padding as zeros (PyTorch's count_include_pad, its default). */
      readonly kind: 'maxPool' | 'averagePool';
      readonly input: ValueName;
      readonly kernel: Kernel;
      readonly stride: number;
      /** On each side; at most half the kernel, so that every window meets the image. */
      readonly padding: number;
    }
  | { readonly kind: 'globalAveragePool'; readonly input: ValueName }
  | { readonly kind: 'dense'; readonly input: ValueName; readonly outFeatures: number }
  | { readonly kind: 'softmaxCrossEntropy'; readonly input: ValueName }
);

export type LayerOf<Kind extends Layer['kind']> = Extract<Layer, { readonly kind: Kind }>;

/** The values that a layer reads. */
export function inputsOf(layer: Layer): readonly ValueName[] {
  if (layer.kind === 'concat') return layer.inputs;
  return layer.kind === 'batchNorm' && layer.residual !== undefined
    ? [layer.input, layer.residual]
    : [layer.input];
}

/**
 * Layers are listed in the order in which their parameters are drawn; this is an order in which
 * they can run: each after its inputs, the last listed layer at the end.
 * Throws on an unknown input, on a cycle, and on a layer that the last one does not depend on.
 */
export function executionOrder(layers: readonly Layer[]): Layer[] {
  const byName = new Map(layers.map((layer) => [layer.name, layer]));
  const state = new Map<ValueName, 'open' | 'done'>([['images', 'done']]);
  const order: Layer[] = [];
  const visit = (name: ValueName, reader: string): void => {
    if (state.get(name) === 'done') return;
    if (state.get(name) === 'open') throw new Error(`cycle through layer ${name}`);
    const layer = byName.get(name);
    if (layer === undefined) throw new Error(`${reader} reads ${name}, which no layer makes`);
    state.set(name, 'open');
    for (const input of inputsOf(layer)) visit(input, name);
    state.set(name, 'done');
    order.push(layer);
  };
  const last = layers.at(-1);
  if (last !== undefined) visit(last.name, 'the network');
  const idle = layers.find(({ name }) => !state.has(name));
  if (idle !== undefined) throw new Error(`nothing reads ${idle.name}`);
  return order;
}

/** Shape of one image's part of every value, the network's input included. */
export function valueShapes(
  order: readonly Layer[],
  input: ImageShape,
): ReadonlyMap<ValueName, ImageShape> {
  const shapes = new Map<ValueName, ImageShape>([['images', input]]);
  for (const layer of order)
    shapes.set(
      layer.name,
      outputShape(
        layer,
        inputsOf(layer).map((value) => lookUp(shapes, value)),
      ),
    );
  return shapes;
}

function outputShape(layer: Layer, inputs: readonly ImageShape[]): ImageShape {
  const [input] = inputs;
  if (input === undefined) throw new Error(`${layer.name} reads nothing`);
  switch (layer.kind) {
    case 'conv2d':
      return { ...windowedShape(layer, convPadding(layer), input), channels: layer.outChannels };
    case 'batchNorm':
      return input;
    case 'concat':
      return concatenatedShape(layer.name, inputs);
    case 'maxPool':
    case 'averagePool': {
      const { height, width } = kernelExtents(layer.kernel);
      if (2 * layer.padding > Math.min(height, width))
        throw new Error(`${layer.name} has windows that are all padding: at most half the kernel`);
      const padding = { top: layer.padding, left: layer.padding };
      return { ...windowedShape(layer, padding, input), channels: input.channels };
    }
    case 'globalAveragePool':
      return { height: 1, width: 1, channels: input.channels };
    case 'dense':
      return { height: 1, width: 1, channels: layer.outFeatures };
    case 'softmaxCrossEntropy':
      return { height: 1, width: 1, channels: 1 };
  }
}

function concatenatedShape(name: string, inputs: readonly ImageShape[]): ImageShape {
  const [{ height, width }] = inputs as readonly [ImageShape, ...ImageShape[]];
  if (inputs.some((input) => input.height !== height || input.width !== width))
    throw new Error(`${name} concatenates images of unlike sizes`);
  return { height, width, channels: inputs.reduce((sum, { channels }) => sum + channels, 0) };
}

export function kernelExtents(kernel: Kernel): { readonly height: number; readonly width: number } {
  const [height, width] = typeof kernel === 'number' ? [kernel, kernel] : kernel;
  return { height, width };
}

/** Zeros on each side that keep height and width at stride 1. */
export function convPadding({ kernel }: { readonly kernel: Kernel }): Padding {
  const { height, width } = kernelExtents(kernel);
  return { top: (height - 1) / 2, left: (width - 1) / 2 };
}

interface Padding {
  readonly top: number;
  readonly left: number;
}

function windowedShape(
  { name, kernel, stride }: LayerOf<'conv2d' | 'maxPool' | 'averagePool'>,
  { top, left }: Padding,
  input: ImageShape,
): Pick<ImageShape, 'height' | 'width'> {
  const extents = kernelExtents(kernel);
  const height = Math.floor((input.height + 2 * top - extents.height) / stride) + 1;
  const width = Math.floor((input.width + 2 * left - extents.width) / stride) + 1;
  if (height < 1 || width < 1) throw new Error(`${name} has a kernel larger than its image`);
  return { height, width };
}

/** The entry of a map whose key must be there; a missing one is a bug in the caller. */
export function lookUp<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new Error(`nothing is known of ${String(key)}`);
  return value;
}
