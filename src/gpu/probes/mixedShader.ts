import affineShader from '../../../shaders/probe/affine.wgsl?raw';
import mixedShaderSource from '../../../shaders/probe/mixed.wgsl?raw';
import quadraticShader from '../../../shaders/probe/quadratic.wgsl?raw';
import type { MixedLayout } from '../../core/probes/mixed.ts';
import type { MixedVariant, UnrolledShape } from '../../core/probes/mixedVariant.ts';
import { repeatLines, upTo } from './repeatLines.ts';

const steps = { affine: affineShader, quadratic: quadraticShader } as const;

/** How the vectors of a line are loaded. */
const layouts = {
  line: `
alias Element = mat4x4<f32>;
const elementsPerLine = 1u;
fn vectorOf(place: u32, lanes: u32, column: u32) -> vec4u {
  return bitcast<vec4u>(source[place][column]);
}`,
  rows: `
alias Element = vec4<u32>;
const elementsPerLine = 4u;
fn vectorOf(place: u32, lanes: u32, column: u32) -> vec4u {
  return source[place + column * lanes];
}`,
} as const satisfies Record<MixedLayout, string>;

/** How they are stored. */
const stores = {
  line: `
fn storeLine(place: u32, lanes: u32, a: vec4u, b: vec4u, c: vec4u, d: vec4u) {
  destination[place] = Element(
    bitcast<vec4f>(a),
    bitcast<vec4f>(b),
    bitcast<vec4f>(c),
    bitcast<vec4f>(d),
  );
}`,
  rows: `
fn storeLine(place: u32, lanes: u32, a: vec4u, b: vec4u, c: vec4u, d: vec4u) {
  destination[place] = a;
  destination[place + lanes] = b;
  destination[place + 2u * lanes] = c;
  destination[place + 3u * lanes] = d;
}`,
} as const satisfies Record<MixedLayout, string>;

/** The WGSL of a variant for one intensity; those that are written alike are alike. */
export function mixedShader(
  { form, layout, pattern, workgroupSize }: MixedVariant,
  { columns, segments, tripsPerSegment, stepsPerTrip }: UnrolledShape,
): string {
  const worked = upTo(columns);
  const isLoop = segments * tripsPerSegment > 1;
  const isCopy = pattern === 'copy';
  const body = repeatLines(mixedShaderSource, {
    column: upTo(4),
    worked,
    idle: upTo(4).filter((column) => column >= columns),
    step: upTo(stepsPerTrip).flatMap(() => worked),
    loop: isLoop ? [0] : [],
    store: isCopy ? [0] : [],
  });
  const prelude = `
const workgroupSize = ${workgroupSize}u;
const tripsPerSegment = ${tripsPerSegment}u;${layouts[layout]}`;
  return [prelude, ...(isCopy ? [stores[layout]] : []), steps[form], body].join('\n');
}
