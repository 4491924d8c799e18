import copyShader from '../../../shaders/probe/copy.wgsl?raw';
import patternShader from '../../../shaders/probe/pattern.wgsl?raw';
import readShader from '../../../shaders/probe/read.wgsl?raw';
import commonShader from '../../../shaders/probe/stream.wgsl?raw';
import triadShader from '../../../shaders/probe/triad.wgsl?raw';
import writeShader from '../../../shaders/probe/write.wgsl?raw';
import {
  elementSizes,
  type StreamElement,
  type StreamVariant,
} from '../../core/probes/streamVariant.ts';

const patterns = {
  read: readShader,
  write: writeShader,
  copy: copyShader,
  triad: triadShader,
} as const;

/** What an element's words are to the patterns, by element. */
const elementFunctions = {
  u32: `
fn firstWord(element: Element) -> u32 { return element; }
fn sumOfWords(element: Element) -> u32 { return element; }
fn changed(own: Element, bits: u32) -> Element { return own ^ bits; }
fn combined(a: Element, b: Element) -> Element {
  return bitcast<u32>(bitcast<f32>(a) + 0.5 * bitcast<f32>(b));
}`,
  'vec4<u32>': `
fn firstWord(element: Element) -> u32 { return element.x; }
fn sumOfWords(element: Element) -> u32 { return dot(element, vec4u(1u)); }
fn changed(own: Element, bits: u32) -> Element { return own ^ vec4u(bits); }
fn combined(a: Element, b: Element) -> Element {
  return bitcast<vec4u>(bitcast<vec4f>(a) + 0.5 * bitcast<vec4f>(b));
}`,
  'mat4x4<f32>': `
fn bitsOf(column: vec4f) -> vec4u { return bitcast<vec4u>(column); }
fn firstWord(element: Element) -> u32 { return bitcast<u32>(element[0].x); }
fn sumOfWords(element: Element) -> u32 {
  let sum = bitsOf(element[0]) + bitsOf(element[1]) + bitsOf(element[2]) + bitsOf(element[3]);
  return dot(sum, vec4u(1u));
}
fn changedColumn(column: vec4f, bits: u32) -> vec4f {
  return bitcast<vec4f>(bitsOf(column) ^ vec4u(bits));
}
fn changed(own: Element, bits: u32) -> Element {
  return Element(
    changedColumn(own[0], bits),
    changedColumn(own[1], bits),
    changedColumn(own[2], bits),
    changedColumn(own[3], bits),
  );
}
fn combined(a: Element, b: Element) -> Element { return a + 0.5 * b; }`,
} as const satisfies Record<StreamElement, string>;

/** The WGSL of a bandwidth probe's variant. */
export function streamShader(variant: StreamVariant): string {
  const { pattern, element, unroll, workgroupSize } = variant;
  const prelude = `
alias Element = ${element};
const workgroupSize = ${workgroupSize}u;
const unroll = ${unroll}u;`;
  return [
    prelude,
    patternShader,
    elementFunctions[element],
    ownElement(element),
    commonShader,
    unrolled(patterns[pattern], unroll),
  ].join('\n');
}

/** A function that makes an element of the pattern's words for a lane. */
function ownElement(element: StreamElement): string {
  const words = elementSizes[element] / 4;
  const word = (index: number) => `patternWord(${words}u * local + ${index}u)`;
  const all = Array.from({ length: words }, (_, index) => word(index));
  const values = element === 'mat4x4<f32>' ? all.map((bits) => `bitcast<f32>(${bits})`) : all;
  return `fn ownElement(local: u32) -> Element { return Element(${values.join(', ')}); }`;
}

/** Repeats `#each` lines. */
function unrolled(source: string, unroll: number): string {
  return source
    .split('\n')
    .flatMap((line) => {
      const [, statement] = /^\s*#each (.*)$/.exec(line) ?? [];
      if (statement === undefined) return [line];
      return Array.from({ length: unroll }, (_, index) => statement.replaceAll('$', String(index)));
    })
    .join('\n');
}
