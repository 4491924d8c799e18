import type { Layer, ValueName } from './graph.ts';
import {
  concatGeometry,
  convGeometry,
  denseGeometry,
  normGeometry,
  poolGeometry,
  windowPoolGeometry,
} from './layerGeometry.ts';
import type { TensorId, TrainedParameterSpec } from './plan.ts';
import type { PlanBuilder } from './planBuilder.ts';

/**
 * Adds a layer's backward ops. Layers arrive in reverse order of execution, so that each finds the
 * gradient of its output complete.
 */
export function addBackward(builder: PlanBuilder<TrainedParameterSpec>, layer: Layer): void {
  const { name } = layer;
  const outputGradient = builder.gradient(name);
  switch (layer.kind) {
    case 'conv2d': {
      const geometry = convGeometry(builder, layer);
      const { parameter: weight, gradient: weightGradient } = builder.parameter(name);
      builder.ops.push({
        name,
        kind: 'conv2d.backwardWeight',
        geometry,
        input: builder.value(layer.input),
        outputGradient,
        weightGradient,
      });
      if (!builder.needsGradient(layer.input)) return;
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
        input: builder.value(layer.input),
        statistics: builder.value(`${name}.statistics`),
        output: builder.value(name),
        outputGradient,
        gammaGradient: gamma.gradient,
        betaGradient: builder.parameter(`${name}.beta`).gradient,
      };
      builder.ops.push({ ...shared, kind: 'batchNorm.backwardStatistics' });
      const emit = (inputGradient: TensorId, residualGradient?: TensorId): void =>
        void builder.ops.push({
          ...shared,
          kind: 'batchNorm.backwardInput',
          gamma: gamma.parameter,
          inputGradient,
          ...(residualGradient !== undefined && { residualGradient }),
        });
      if (!builder.needsGradient(layer.input)) return;
      builder.contributeApart(layer.input, name, (inputGradient) => {
        if (layer.residual === undefined || !builder.needsGradient(layer.residual))
          emit(inputGradient);
        else
          builder.contributeApart(layer.residual, `${name}.residual`, (residualGradient) =>
            emit(inputGradient, residualGradient),
          );
      });
      return;
    }
    case 'concat': {
      const geometry = concatGeometry(builder, layer);
      contributeAll(builder, layer.inputs, name, (inputGradients) =>
        builder.ops.push({
          name,
          kind: 'concat.backward',
          geometry,
          outputGradient,
          inputGradients,
        }),
      );
      return;
    }
    case 'maxPool': {
      if (!builder.needsGradient(layer.input)) return;
      const geometry = windowPoolGeometry(builder, layer);
      const taps = builder.value(`${name}.taps`);
      builder.contributeApart(layer.input, name, (inputGradient) =>
        builder.ops.push({
          name,
          kind: 'maxPool.backward',
          geometry,
          outputGradient,
          taps,
          inputGradient,
        }),
      );
      return;
    }
    case 'averagePool': {
      if (!builder.needsGradient(layer.input)) return;
      const geometry = windowPoolGeometry(builder, layer);
      builder.contributeApart(layer.input, name, (inputGradient) =>
        builder.ops.push({
          name,
          kind: 'averagePool.backward',
          geometry,
          outputGradient,
          inputGradient,
        }),
      );
      return;
    }
    case 'globalAveragePool': {
      if (!builder.needsGradient(layer.input)) return;
      const geometry = poolGeometry(builder, layer);
      builder.contributeApart(layer.input, name, (inputGradient) =>
        builder.ops.push({
          name,
          kind: 'globalAveragePool.backward',
          geometry,
          outputGradient,
          inputGradient,
        }),
      );
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
        input: builder.value(layer.input),
        outputGradient,
        weightGradient,
        biasGradient,
      });
      if (!builder.needsGradient(layer.input)) return;
      builder.contributeApart(layer.input, name, (inputGradient) =>
        builder.ops.push({
          name,
          kind: 'dense.backwardInput',
          geometry,
          outputGradient,
          weight,
          inputGradient,
        }),
      );
      return;
    }
    case 'softmaxCrossEntropy':
      throw new Error(`${name}: the loss comes last`);
  }
}

/**
 * `contributeApart` for an op that writes the gradients of several values at once: the op comes
 * before any `add`, since they all wait for it.
 */
function contributeAll(
  builder: PlanBuilder<TrainedParameterSpec>,
  values: readonly ValueName[],
  op: string,
  emit: (gradients: readonly TensorId[]) => void,
): void {
  const next = (gradients: readonly TensorId[]): void => {
    const value = values[gradients.length];
    if (value === undefined) emit(gradients);
    else
      builder.contributeApart(value, `${op}.${gradients.length + 1}`, (gradient) =>
        next([...gradients, gradient]),
      );
  };
  next([]);
}
