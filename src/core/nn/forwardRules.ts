import type { Layer, LayerOf } from './graph.ts';
import {
  concatGeometry,
  convGeometry,
  denseGeometry,
  normGeometry,
  poolGeometry,
  windowPoolGeometry,
} from './layerGeometry.ts';
import type { NormGeometry, PlanOp, TensorId } from './plan.ts';
import type { PlanBuilder } from './planBuilder.ts';

/** Training normalises with the batch's statistics and tracks them; evaluation with the tracked. */
export type Mode = 'training' | 'evaluation';

/** Weight of a new batch in the running statistics, as PyTorch's default. */
const runningMomentum = 0.1;

/** Adds a layer's forward ops; layers arrive in execution order. */
export function addForward(builder: PlanBuilder, layer: Layer, mode: Mode): void {
  const { name } = layer;
  switch (layer.kind) {
    case 'conv2d': {
      const geometry = convGeometry(builder, layer);
      const input = builder.value(layer.input);
      const weight = builder.parameter(name).parameter;
      const output = builder.output(name);
      builder.ops.push({ name, kind: 'conv2d.forward', geometry, input, weight, output });
      return;
    }
    case 'batchNorm': {
      const geometry = normGeometry(builder, layer);
      const statistics = builder.statistics(name, geometry.channels);
      builder.ops.push(...statisticsOps[mode](builder, layer, geometry, statistics));
      builder.ops.push({
        name,
        kind: 'batchNorm.normalize',
        geometry,
        activation: layer.activation,
        input: builder.value(layer.input),
        statistics,
        gamma: builder.parameter(`${name}.gamma`).parameter,
        beta: builder.parameter(`${name}.beta`).parameter,
        ...(layer.residual === undefined ? {} : { residual: builder.value(layer.residual) }),
        output: builder.output(name),
      });
      return;
    }
    case 'concat': {
      const geometry = concatGeometry(builder, layer);
      const inputs = layer.inputs.map((input) => builder.value(input));
      builder.ops.push({
        name,
        kind: 'concat.forward',
        geometry,
        inputs,
        output: builder.output(name),
      });
      return;
    }
    case 'maxPool': {
      const geometry = windowPoolGeometry(builder, layer);
      const input = builder.value(layer.input);
      const output = builder.output(name);
      const taps = builder.taps(name);
      builder.ops.push({ name, kind: 'maxPool.forward', geometry, input, output, taps });
      return;
    }
    case 'averagePool': {
      const geometry = windowPoolGeometry(builder, layer);
      const input = builder.value(layer.input);
      const output = builder.output(name);
      builder.ops.push({ name, kind: 'averagePool.forward', geometry, input, output });
      return;
    }
    case 'globalAveragePool': {
      const geometry = poolGeometry(builder, layer);
      const input = builder.value(layer.input);
      const output = builder.output(name);
      builder.ops.push({ name, kind: 'globalAveragePool.forward', geometry, input, output });
      return;
    }
    case 'dense': {
      const geometry = denseGeometry(builder, layer);
      const input = builder.value(layer.input);
      const weight = builder.parameter(`${name}.weight`).parameter;
      const bias = builder.parameter(`${name}.bias`).parameter;
      const output = builder.output(name);
      builder.ops.push({ name, kind: 'dense.forward', geometry, input, weight, bias, output });
      return;
    }
    case 'softmaxCrossEntropy':
      throw new Error(`${name}: the loss comes last`);
  }
}

/** How a batch-norm layer comes by the statistics that it normalises with. */
const statisticsOps = {
  training: (
    builder: PlanBuilder,
    { name, input }: LayerOf<'batchNorm'>,
    geometry: NormGeometry,
    statistics: TensorId,
  ): PlanOp[] => [
    {
      name,
      kind: 'batchNorm.statistics',
      geometry,
      input: builder.value(input),
      statistics,
    },
    {
      name,
      kind: 'batchNorm.updateRunning',
      geometry,
      momentum: runningMomentum,
      statistics,
      running: builder.running(name),
    },
  ],
  evaluation: (
    builder: PlanBuilder,
    { name }: LayerOf<'batchNorm'>,
    geometry: NormGeometry,
    statistics: TensorId,
  ): PlanOp[] => [
    {
      name,
      kind: 'batchNorm.runningStatistics',
      geometry,
      running: builder.running(name),
      statistics,
    },
  ],
};
