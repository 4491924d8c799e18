import geometrySource from '../../../shaders/lib/conv2d-geometry.wgsl?raw';
import scalarSource from '../../../shaders/lib/conv2d-operands-scalar.wgsl?raw';
import vec4Source from '../../../shaders/lib/conv2d-operands-vec4.wgsl?raw';
import type { ConvGeometry } from '../../core/nn/plan.ts';
import type { UniformValues } from './uniforms.ts';

/** How a convolution kernel touches storage: four channels an access where both counts allow. */
export type ConvAccess = 'vec4' | 'scalar';

export function convAccess({ inChannels, outChannels }: ConvGeometry): ConvAccess {
  return inChannels % 4 === 0 && outChannels % 4 === 0 ? 'vec4' : 'scalar';
}

/** What stands before the source of a convolution kernel. */
export function convLibrary(access: ConvAccess): readonly string[] {
  return [geometrySource, { vec4: vec4Source, scalar: scalarSource }[access]];
}

/** `ConvGeometry` of shaders/lib/conv2d-geometry.wgsl. */
export const convFields = {
  batch: 'u32',
  inHeight: 'u32',
  inWidth: 'u32',
  inChannels: 'u32',
  outHeight: 'u32',
  outWidth: 'u32',
  outChannels: 'u32',
  kernelHeight: 'u32',
  kernelWidth: 'u32',
  stride: 'u32',
  padTop: 'u32',
  padLeft: 'u32',
  rowsPerSlice: 'u32',
  slices: 'u32',
  stripsPerLane: 'u32',
} as const;

/** Output pixels of a slice, roughly, and most slices of the weight gradient's sum. */
const pixelsPerSlice = 256;
const mostSlices = 256;

/** How the weight gradient's sum over output rows, all images together, is cut: by shape alone. */
export function weightSlices(g: ConvGeometry): {
  readonly rowsPerSlice: number;
  readonly slices: number;
} {
  const rows = g.batch * g.outHeight;
  const rowsPerSlice = Math.max(
    Math.ceil(pixelsPerSlice / g.outWidth),
    Math.ceil(rows / mostSlices),
  );
  return { rowsPerSlice, slices: Math.ceil(rows / rowsPerSlice) };
}

/** `stripsPerLane` is for the kernel that makes strips alone. */
export function convUniform(g: ConvGeometry, stripsPerLane = 1): UniformValues<typeof convFields> {
  return { ...g, ...weightSlices(g), stripsPerLane };
}

/** Elements of the weight. */
export function weightLength(g: ConvGeometry): number {
  return g.kernelHeight * g.kernelWidth * g.inChannels * g.outChannels;
}

/** Groups of eight that cover so many: every lane makes eight pixels or rows by eight channels. */
export function eights(length: number): number {
  return Math.ceil(length / 8);
}
