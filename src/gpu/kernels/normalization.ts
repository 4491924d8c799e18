import geometrySource from '../../../shaders/lib/norm-geometry.wgsl?raw';
import type { NormGeometry } from '../../core/nn/plan.ts';
import type { UniformValues } from './uniforms.ts';

/** What stands before the source of a batch-norm kernel. */
export const normLibrary = geometrySource;

/** `NormGeometry` of shaders/lib/norm-geometry.wgsl. */
export const normFields = {
  pixels: 'u32',
  channels: 'u32',
  groups: 'u32',
  epsilon: 'f32',
} as const;

/** Most pixels of a lane. */
export const pixelsPerLane = 32;

/**
 * Lanes of the workgroup that merges a channel's groups: few, because barriers are what costs on
 * software adapters. A power of two.
 */
export const mergeLanes = 16;

/** Lanes a channel: by shape alone. */
export function normGroups({ pixels }: NormGeometry): number {
  return Math.ceil(pixels / pixelsPerLane);
}

export function normUniform(
  g: NormGeometry,
  groups = normGroups(g),
): UniformValues<typeof normFields> {
  return { pixels: g.pixels, channels: g.channels, epsilon: g.epsilon, groups };
}

/** Lanes of the kernels that walk all pixels. */
export function normLanes(g: NormGeometry): number {
  return normGroups(g) * g.channels;
}

/** Bytes that a kernel loads or stores: so many elements a lane, and so many a pixel and channel. */
export function normIssuedBytes(g: NormGeometry, perLane: number, perElement: number): number {
  return 4 * (perLane * normLanes(g) + perElement * g.pixels * g.channels);
}

/** Elements of scratch that sums of the gradients of gamma and beta fill: two a group and channel. */
export function gradientSumsLength(g: NormGeometry): number {
  return 2 * normGroups(g) * g.channels;
}

/** Elements of scratch that moments fill: a count, mean and squared deviations a group and channel. */
export function momentsLength(groups: number, channels: number): number {
  return 3 * groups * channels;
}
