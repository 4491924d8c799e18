import { kernelExtents, lookUp, type Layer, type ValueName } from './graph.ts';
import type { ImageShape, ParameterSpec, TrainedParameterSpec } from './plan.ts';
import { aligned, elementCount, type PlanBuilder } from './planBuilder.ts';

type Declared = Pick<ParameterSpec, 'name' | 'shape' | 'initial' | 'decays'>;

/** A parameter with its place in the buffer, before it has tensors. */
type PlacedParameter = Omit<ParameterSpec, 'parameter'>;

/**
 * Adds the parameters of all layers, in drawing order, and the running statistics of batch-norms.
 * `tensors` makes what one parameter is stored in: evaluation needs no gradients. Decaying tensors
 * lie first in the buffer, so that weight decay acts on one prefix of it.
 */
export function addParameters<Parameter extends ParameterSpec>(
  builder: PlanBuilder<Parameter>,
  layers: readonly Layer[],
  tensors: (builder: PlanBuilder<Parameter>, parameter: PlacedParameter) => Parameter,
): void {
  const declared = layers.flatMap((layer) => parametersOf(layer, builder.shapes));
  const offsets = new Map<string, number>();
  let end = 0;
  const place = ({ name, shape }: Declared): void => {
    offsets.set(name, end);
    end += aligned(elementCount(shape));
  };
  declared.filter(({ decays }) => decays).forEach(place);
  builder.decayLength = end;
  declared.filter(({ decays }) => !decays).forEach(place);
  builder.parameterLength = end;
  for (const spec of declared) {
    const length = elementCount(spec.shape);
    const offset = lookUp(offsets, spec.name);
    builder.addParameter(tensors(builder, { ...spec, length, offset }));
  }
  for (const { kind, name } of layers)
    if (kind === 'batchNorm') builder.addRunning(name, lookUp(builder.shapes, name).channels);
}

/** A parameter with its tensor alone. */
export function evaluatedParameter(builder: PlanBuilder, placed: PlacedParameter): ParameterSpec {
  const { name, shape, offset } = placed;
  return { ...placed, parameter: builder.tensor(name, shape, 'parameter', offset) };
}

/** A parameter with its gradient and velocity. */
export function trainedParameter(
  builder: PlanBuilder<TrainedParameterSpec>,
  placed: PlacedParameter,
): TrainedParameterSpec {
  const { name, shape, offset } = placed;
  return {
    ...placed,
    parameter: builder.tensor(name, shape, 'parameter', offset),
    gradient: builder.tensor(`${name}.gradient`, shape, 'gradient', offset),
    velocity: builder.tensor(`${name}.velocity`, shape, 'velocity', offset),
  };
}

function parametersOf(layer: Layer, shapes: ReadonlyMap<ValueName, ImageShape>): Declared[] {
  switch (layer.kind) {
    case 'conv2d': {
      const { height, width } = kernelExtents(layer.kernel);
      const { channels } = lookUp(shapes, layer.input);
      return [weight(layer.name, [height, width, channels, layer.outChannels])];
    }
    case 'batchNorm': {
      const { channels } = lookUp(shapes, layer.input);
      return [
        constant(`${layer.name}.gamma`, [channels], 'one'),
        constant(`${layer.name}.beta`, [channels], 'zero'),
      ];
    }
    case 'dense':
      return [
        weight(`${layer.name}.weight`, [lookUp(shapes, layer.input).channels, layer.outFeatures]),
        constant(`${layer.name}.bias`, [layer.outFeatures], 'zero'),
      ];
    case 'concat':
    case 'maxPool':
    case 'averagePool':
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
