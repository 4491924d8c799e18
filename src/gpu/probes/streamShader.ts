import copyShader from '../../../shaders/probe/copy.wgsl?raw';
import type { StreamElement, StreamVariant } from '../../core/probes/streamVariant.ts';

/** The first word of an element, which stands for it in the lane's sum. */
const firstWords = {
  'vec4<u32>': 'element.x',
  'mat4x4<f32>': 'bitcast<u32>(element[0].x)',
} as const satisfies Record<StreamElement, string>;

/** The WGSL of a copy probe's variant. */
export function copyShaderOf({ element, unroll, workgroupSize }: StreamVariant): string {
  const prelude = `
alias Element = ${element};
const workgroupSize = ${workgroupSize}u;
const unroll = ${unroll}u;
fn wordOf(element: Element) -> u32 {
  return ${firstWords[element]};
}`;
  const body = copyShader.split('\n').flatMap((line) => {
    const [, statement] = /^\s*#each (.*)$/.exec(line) ?? [];
    if (statement === undefined) return [line];
    return Array.from({ length: unroll }, (_, index) => statement.replaceAll('$', String(index)));
  });
  return [prelude, ...body].join('\n');
}
