import type { Layer } from './graph.ts';
import { convGeometry, denseGeometry, normGeometry, poolGeometry } from './layerGeometry.ts';
import type { PlanBuilder } from './planBuilder.ts';

/**
 * Adds a layer's backward ops. Layers arrive in reverse order of execution, so that each finds the
 * gradient of its output complete.
 */
export function addBackward(builder: PlanBuilder, layer: Layer): void {
  const { name } = layer;
  const input = builder.value(layer.input);
  const outputGradient = builder.gradient(name);
  const trainsBelow = builder.needsGradient(layer.input);
  switch (layer.kind) {
    case 'conv2d': {
      const geometry = convGeometry(builder, layer);
      const { parameter: weight, gradient: weightGradient } = builder.parameter(name);
      builder.ops.push({
        name,
        kind: 'conv2d.backwardWeight',
        geometry,
        input,
        outputGradient,
        weightGradient,
      });
      if (!trainsBelow) return;
      const { gradient: inputGradient, ...addend } = builder.contribute(layer.input);
      builder.ops.push({
        name,
        kind: 'conv2d.backwardInput',
        geometry,
        outputGradient,
        weight,
        ...addend,
        inputGradient,
      });
      return;
    }
    case 'batchNorm': {
      const gamma = builder.parameter(`${name}.gamma`);
      const shared = {
        name,
        geometry: normGeometry(builder, layer),
        activation: layer.activation,
        input,
        statistics: builder.value(`${name}.statistics`),
        output: builder.value(name),
        outputGradient,
        gammaGradient: gamma.gradient,
        betaGradient: builder.parameter(`${name}.beta`).gradient,
      };
      builder.ops.push({ ...shared, kind: 'batchNorm.backwardStatistics' });
      if (!trainsBelow) return;
      builder.ops.push({
        ...shared,
        kind: 'batchNorm.backwardInput',
        gamma: gamma.parameter,
        inputGradient: builder.contributeFirst(layer.input, name),
        ...(layer.residual === undefined || !builder.needsGradient(layer.residual)
          ? {}
          : { residualGradient: builder.contributeFirst(layer.residual, name) }),
      });
      return;
    }
    case 'globalAveragePool': {
      const geometry = poolGeometry(builder, layer);
      const inputGradient = builder.contributeFirst(layer.input, name);
      builder.ops.push({
        name,
        kind: 'globalAveragePool.backward',
        geometry,
        outputGradient,
        inputGradient,
      });
      return;
    }
    case 'dense': {
      const geometry = denseGeometry(builder, layer);
      const { parameter: weight, gradient: weightGradient } = builder.parameter(`${name}.weight`);
      const { gradient: biasGradient } = builder.parameter(`${name}.bias`);
      builder.ops.push({
        name,
        kind: 'dense.backwardWeight',
        geometry,
        input,
        outputGradient,
        weightGradient,
        biasGradient,
      });
      if (!trainsBelow) return;
      const inputGradient = builder.contributeFirst(layer.input, name);
      builder.ops.push({
        name,
        kind: 'dense.backwardInput',
        geometry,
        outputGradient,
        weight,
        inputGradient,
      });
      return;
    }
    case 'softmaxCrossEntropy':
      throw new Error(`${name}: the loss comes last`);
  }
}
