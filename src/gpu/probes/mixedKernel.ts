import { chainOperands, type Rounding } from '../../core/probes/fmaEmulation.ts';
import {
  mixedEndWords,
  mixedLaneSum,
  mixedLineSize,
  type MixedShape,
  type MixedVariant,
} from '../../core/probes/mixed.ts';
import type { GpuQueue } from '../queue.ts';
import { LaneSumKernel, total } from './laneSumKernel.ts';
import { stepsPerTrip } from './mixedShader.ts';

const roundings: readonly Rounding[] = ['fused', 'separate'];

/**
 * The knee's kernel at one intensity; its unit is a line of every lane. `pipeline` must be the
 * variant's for that intensity, `lanes` a multiple of the workgroup size and a power of two, and the
 * source hold a power of two of lines.
 */
export function createMixedKernel(
  queue: GpuQueue,
  variant: MixedVariant,
  shape: MixedShape,
  lanes: number,
  source: GPUBuffer,
  pipeline: GPUComputePipeline,
): Promise<LaneSumKernel> {
  const { form, layout, workgroupSize } = variant;
  const linesInSet = source.size / mixedLineSize / lanes;
  const ends = roundings.map((rounding) => mixedEndWords(shape, form, rounding));
  const { a, b } = chainOperands[form];
  const coefficients = new Uint32Array(Float32Array.of(a, b).buffer);
  return LaneSumKernel.create(queue, {
    pipeline,
    workgroups: lanes / workgroupSize,
    words: lanes,
    kept: lanes,
    parameters: (lines) => {
      const trips = shape.steps / stepsPerTrip(shape);
      return Uint32Array.of(lines, linesInSet - 1, trips, ...coefficients, 0, 0, 0);
    },
    data: [{ buffer: source }],
    expected: (lane, done, begun) =>
      ends.map((ofRounding) =>
        mixedLaneSum({ shape, layout, ends: ofRounding }, { lanes, linesInSet }, lane, {
          first: begun,
          lines: total(done),
        }),
      ),
  });
}
