import type { ImageShape } from './plan.ts';

/** A layer's output is called by the layer's name; the network's input is called `images`. */
export type ValueName = string;

/** A layer of a forward network: data from which plan, cost and every executor follow. */
export type Layer = { readonly name: string; readonly input: ValueName } & (
  | {
      /** Square kernel, no bias, (kernel - 1) / 2 zeros on each side. */
      readonly kind: 'conv2d';
      readonly outChannels: number;
      readonly kernel: number;
      readonly stride: number;
    }
  | {
      /** Batch statistics, then activation(normalised + residual). */
      readonly kind: 'batchNorm';
      readonly activation: 'none' | 'relu';
      readonly residual?: ValueName;
    }
  | { readonly kind: 'globalAveragePool' }
  | { readonly kind: 'dense'; readonly outFeatures: number }
  | { readonly kind: 'softmaxCrossEntropy' }
);

/** The values that a layer reads. */
export function inputsOf(layer: Layer): readonly ValueName[] {
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
    shapes.set(layer.name, outputShape(layer, lookUp(shapes, layer.input)));
  return shapes;
}

function outputShape(layer: Layer, input: ImageShape): ImageShape {
  switch (layer.kind) {
    case 'conv2d':
      return {
        height: convolvedLength(input.height, layer.kernel, layer.stride),
        width: convolvedLength(input.width, layer.kernel, layer.stride),
        channels: layer.outChannels,
      };
    case 'batchNorm':
      return input;
    case 'globalAveragePool':
      return { height: 1, width: 1, channels: input.channels };
    case 'dense':
      return { height: 1, width: 1, channels: layer.outFeatures };
    case 'softmaxCrossEntropy':
      return { height: 1, width: 1, channels: 1 };
  }
}

/** Zeros on each side that keep the length at stride 1. */
export function padding(kernel: number): number {
  return (kernel - 1) / 2;
}

function convolvedLength(length: number, kernel: number, stride: number): number {
  return Math.floor((length + 2 * padding(kernel) - kernel) / stride) + 1;
}

/** The entry of a map whose key must be there; a missing one is a bug in the caller. */
export function lookUp<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new Error(`nothing is known of ${String(key)}`);
  return value;
}
