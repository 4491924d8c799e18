import { rotationSum, type RotationVariant } from '../../core/probes/rotation.ts';
import type { GpuQueue } from '../queue.ts';
import { LaneSumKernel } from './laneSumKernel.ts';

/** How a variant is dispatched. */
export interface RotationShape {
  readonly workgroups: number;
  /** Elements of each workgroup. */
  readonly share: number;
}

/**
 * A probe of what workgroups have to themselves; its unit is a pass of every workgroup over its own.
 * `pipeline` must be the variant's, and `source` hold all workgroups' elements.
 */
export function createRotationKernel(
  queue: GpuQueue,
  variant: RotationVariant,
  { workgroups, share }: RotationShape,
  source: GPUBuffer,
  pipeline: GPUComputePipeline,
): Promise<LaneSumKernel> {
  const spread = variant.addresses === 'distinct' ? 1 : 0;
  return LaneSumKernel.create(queue, {
    pipeline,
    workgroups,
    words: workgroups * variant.workgroupSize,
    parameters: (passes) => Uint32Array.of(share, passes, spread, 0),
    data: [{ buffer: source }],
    expected: (lane, done) => [rotationSum(variant, share, lane, done)],
  });
}
