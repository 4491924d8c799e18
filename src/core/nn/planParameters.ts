import { lookUp, type Layer } from './graph.ts';
import type { ImageShape, ParameterSpec } from './plan.ts';
import { elementCount, parameterAlignment, type PlanBuilder } from './planBuilder.ts';

type Declared = Pick<ParameterSpec, 'name' | 'shape' | 'initial' | 'decays'>;

/**
 * Adds the parameters of all layers, in drawing order, with their gradients and velocities.
 * Decaying tensors lie first in the buffer, so that weight decay acts on one prefix of it.
 */
export function addParameters(builder: PlanBuilder, layers: readonly Layer[]): void {
  const declared = layers.flatMap((layer) =>
    parametersOf(layer, lookUp(builder.shapes, layer.input)),
  );
  const offsets = new Map<string, number>();
  let end = 0;
  const place = ({ name, shape }: Declared): void => {
    offsets.set(name, end);
    end += Math.ceil(elementCount(shape) / parameterAlignment) * parameterAlignment;
  };
  declared.filter(({ decays }) => decays).forEach(place);
  builder.decayLength = end;
  declared.filter(({ decays }) => !decays).forEach(place);
  builder.parameterLength = end;

  for (const spec of declared) {
    const offset = lookUp(offsets, spec.name);
    builder.parameters.push({
      ...spec,
      length: elementCount(spec.shape),
      offset,
      parameter: builder.tensor(spec.name, spec.shape, 'parameter', offset),
      gradient: builder.tensor(`${spec.name}.gradient`, spec.shape, 'gradient', offset),
      velocity: builder.tensor(`${spec.name}.velocity`, spec.shape, 'velocity', offset),
    });
  }
}

function parametersOf(layer: Layer, input: ImageShape): Declared[] {
  switch (layer.kind) {
    case 'conv2d':
      return [weight(layer.name, [layer.kernel, layer.kernel, input.channels, layer.outChannels])];
    case 'batchNorm':
      return [
        constant(`${layer.name}.gamma`, [input.channels], 'one'),
        constant(`${layer.name}.beta`, [input.channels], 'zero'),
      ];
    case 'dense':
      return [
        weight(`${layer.name}.weight`, [input.channels, layer.outFeatures]),
        constant(`${layer.name}.bias`, [layer.outFeatures], 'zero'),
      ];
    case 'globalAveragePool':
    case 'softmaxCrossEntropy':
      return [];
  }
}

/** Every extent but the last, the outputs, feeds one output. */
function weight(name: string, shape: readonly number[]): Declared {
  const fanIn = elementCount(shape.slice(0, -1));
  return { name, shape, initial: { kind: 'draw', fanIn }, decays: true };
}

function constant(name: string, shape: readonly number[], kind: 'one' | 'zero'): Declared {
  return { name, shape, initial: { kind }, decays: false };
}
