import type { Layer } from './graph.ts';
import { convGeometry, denseGeometry, normGeometry, poolGeometry } from './layerGeometry.ts';
import type { PlanBuilder } from './planBuilder.ts';

/** Adds a layer's forward ops; layers arrive in execution order. */
export function addForward(builder: PlanBuilder, layer: Layer): void {
  const { name } = layer;
  const input = builder.value(layer.input);
  switch (layer.kind) {
    case 'conv2d': {
      const geometry = convGeometry(builder, layer);
      const weight = builder.parameter(name).parameter;
      const output = builder.output(name);
      builder.ops.push({ name, kind: 'conv2d.forward', geometry, input, weight, output });
      return;
    }
    case 'batchNorm': {
      const geometry = normGeometry(builder, layer);
      const { activation } = layer;
      const statistics = builder.statistics(name, geometry.channels);
      builder.ops.push({ name, kind: 'batchNorm.statistics', geometry, input, statistics });
      builder.ops.push({
        name,
        kind: 'batchNorm.normalize',
        geometry,
        activation,
        input,
        statistics,
        gamma: builder.parameter(`${name}.gamma`).parameter,
        beta: builder.parameter(`${name}.beta`).parameter,
        ...(layer.residual === undefined ? {} : { residual: builder.value(layer.residual) }),
        output: builder.output(name),
      });
      return;
    }
    case 'globalAveragePool': {
      const geometry = poolGeometry(builder, layer);
      const output = builder.output(name);
      builder.ops.push({ name, kind: 'globalAveragePool.forward', geometry, input, output });
      return;
    }
    case 'dense': {
      const geometry = denseGeometry(builder, layer);
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
