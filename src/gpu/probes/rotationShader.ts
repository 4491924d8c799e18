import ownStorageShader from '../../../shaders/probe/own-storage.wgsl?raw';
import ownTileShader from '../../../shaders/probe/own-tile.wgsl?raw';
import rotationShaderSource from '../../../shaders/probe/rotation.wgsl?raw';
import type { RotationVariant } from '../../core/probes/rotation.ts';
import type { StreamElement } from '../../core/probes/streamVariant.ts';
import { repeatLines, upTo } from './repeatLines.ts';

/** How an element's words are added up: those of one place in a vector together. */
const sums = {
  u32: `
alias Sum = u32;
fn summand(element: Element) -> Sum { return element; }
fn digest(sum: Sum) -> u32 { return sum; }`,
  'vec4<u32>': `
alias Sum = vec4u;
fn summand(element: Element) -> Sum { return element; }
fn digest(sum: Sum) -> u32 { return dot(sum, vec4u(1u, 3u, 5u, 7u)); }`,
  'mat4x4<f32>': `
alias Sum = vec4u;
fn bitsOf(column: vec4f) -> vec4u { return bitcast<vec4u>(column); }
fn summand(element: Element) -> Sum {
  return bitsOf(element[0]) + bitsOf(element[1]) + bitsOf(element[2]) + bitsOf(element[3]);
}
fn digest(sum: Sum) -> u32 { return dot(sum, vec4u(1u, 3u, 5u, 7u)); }`,
} as const satisfies Record<StreamElement, string>;

/** The WGSL of a variant whose workgroups have so many elements each. */
export function rotationShader(variant: RotationVariant, share: number): string {
  const { space, element, unroll, workgroupSize } = variant;
  const prelude = `
alias Element = ${element};
const workgroupSize = ${workgroupSize}u;
const unroll = ${unroll}u;`;
  const place =
    space === 'workgroup' ? `const tileLength = ${share}u;\n${ownTileShader}` : ownStorageShader;
  const body = repeatLines(rotationShaderSource, { each: upTo(unroll) });
  return [prelude, sums[element], place, body].join('\n');
}
