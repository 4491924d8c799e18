import { expect, test } from 'vitest';
import convSource from '../../../shaders/lib/conv2d-geometry.wgsl?raw';
import denseSource from '../../../shaders/lib/dense-geometry.wgsl?raw';
import normSource from '../../../shaders/lib/norm-geometry.wgsl?raw';
import poolWindowSource from '../../../shaders/lib/window-pool-geometry.wgsl?raw';
import addSource from '../../../shaders/nn/add.wgsl?raw';
import runningSource from '../../../shaders/nn/batch-norm-running-statistics.wgsl?raw';
import updateRunningSource from '../../../shaders/nn/batch-norm-update-running.wgsl?raw';
import classifySource from '../../../shaders/nn/classify.wgsl?raw';
import copySource from '../../../shaders/nn/copy-channels.wgsl?raw';
import tilesSource from '../../../shaders/lib/tiles.wgsl?raw';
import poolBackwardSource from '../../../shaders/nn/global-average-pool-backward.wgsl?raw';
import poolForwardSource from '../../../shaders/nn/global-average-pool-forward.wgsl?raw';
import updateSource from '../../../shaders/nn/momentum-update.wgsl?raw';
import lossSource from '../../../shaders/nn/softmax-cross-entropy.wgsl?raw';
import slicesSource from '../../../shaders/nn/sum-slices.wgsl?raw';
import { additionFields } from '../../../src/gpu/kernels/add.ts';
import { runningStatisticsFields } from '../../../src/gpu/kernels/batchNormRunningStatistics.ts';
import { runningUpdateFields } from '../../../src/gpu/kernels/batchNormUpdateRunning.ts';
import { channelBlockFields } from '../../../src/gpu/kernels/copyChannels.ts';
import { windowPoolFields } from '../../../src/gpu/kernels/windowPool.ts';
import { convFields } from '../../../src/gpu/kernels/convolution.ts';
import { denseFields } from '../../../src/gpu/kernels/dense.ts';
import { poolFields } from '../../../src/gpu/kernels/globalAveragePool.ts';
import { rateFields, updateFields } from '../../../src/gpu/kernels/momentumUpdate.ts';
import { normFields } from '../../../src/gpu/kernels/normalization.ts';
import { lossFields } from '../../../src/gpu/kernels/softmaxCrossEntropy.ts';
import { sliceFields } from '../../../src/gpu/kernels/sumSlices.ts';
import { tileRangeFields } from '../../../src/gpu/kernels/tileRanges.ts';
import { uniformBytes } from '../../../src/gpu/kernels/uniforms.ts';

/** The fields of a WGSL struct with their types, in order. */
function structFields(source: string, name: string): [string, string][] {
  const body = new RegExp(`struct ${name} \\{([^}]*)\\}`).exec(source)?.[1] ?? '';
  return [...body.matchAll(/^ *(\w+): (\w+),$/gm)].map(([, field = '', type = '']) => [
    field,
    type,
  ]);
}

test.each([
  { name: 'TileRange', source: tilesSource, fields: tileRangeFields },
  { name: 'ConvGeometry', source: convSource, fields: convFields },
  { name: 'NormGeometry', source: normSource, fields: normFields },
  { name: 'DenseGeometry', source: denseSource, fields: denseFields },
  { name: 'PoolGeometry', source: poolForwardSource, fields: poolFields },
  { name: 'PoolGeometry', source: poolBackwardSource, fields: poolFields },
  { name: 'LossGeometry', source: lossSource, fields: lossFields },
  { name: 'LossGeometry', source: classifySource, fields: lossFields },
  { name: 'WindowPoolGeometry', source: poolWindowSource, fields: windowPoolFields },
  { name: 'Addition', source: addSource, fields: additionFields },
  { name: 'RunningUpdate', source: updateRunningSource, fields: runningUpdateFields },
  { name: 'RunningStatistics', source: runningSource, fields: runningStatisticsFields },
  { name: 'ChannelBlock', source: copySource, fields: channelBlockFields },
  { name: 'Slices', source: slicesSource, fields: sliceFields },
  { name: 'Update', source: updateSource, fields: updateFields },
  { name: 'Rates', source: updateSource, fields: rateFields },
])('$name is written as the shader declares it', ({ name, source, fields }) => {
  expect(Object.entries(fields)).toEqual(structFields(source, name));
});

test('fields are packed in order, whatever order their values come in', () => {
  const bytes = uniformBytes({ count: 'u32', share: 'f32' }, { share: 0.5, count: 7 });
  expect(new Uint32Array(bytes)[0]).toBe(7);
  expect(new Float32Array(bytes)[1]).toBe(0.5);
});

test.each([-1, 0.5, 2 ** 32, NaN])('%d is no u32', (count) => {
  expect(() => uniformBytes({ count: 'u32' }, { count })).toThrow('uniform count');
});
