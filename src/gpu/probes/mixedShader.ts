import affineShader from '../../../shaders/probe/affine.wgsl?raw';
import mixedShaderSource from '../../../shaders/probe/mixed.wgsl?raw';
import quadraticShader from '../../../shaders/probe/quadratic.wgsl?raw';
import type { MixedLayout, MixedShape, MixedVariant } from '../../core/probes/mixed.ts';
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

/** So many steps at the most stand in the source; of more, whole trips of them make all. */
const mostStepsPerTrip = 32;
/** So few steps need no loop. */
const mostStraightSteps = 8;

/** Trips of the inner loops; 0 where the steps stand one after the other. */
export function mixedTrips({ steps: all }: MixedShape): number {
  return all <= mostStraightSteps ? 0 : all / stepsPerTrip(all);
}

/** The largest number of steps that stand in the source of which whole trips make all. */
function stepsPerTrip(all: number): number {
  const fitting = upTo(Math.min(all, mostStepsPerTrip) + 1).filter(
    (count) => count > 0 && all % count === 0,
  );
  return Math.max(...fitting);
}

/** The WGSL of a variant for one intensity; those with equal trips are alike. */
export function mixedShader(
  { form, layout, pattern, workgroupSize }: MixedVariant,
  shape: MixedShape,
): string {
  const worked = upTo(shape.columns);
  const isLoop = mixedTrips(shape) > 0;
  const isCopy = pattern === 'copy';
  const straight = upTo(isLoop ? 0 : shape.steps);
  const inTrip = upTo(isLoop ? stepsPerTrip(shape.steps) : 0);
  const body = repeatLines(mixedShaderSource, {
    column: upTo(4),
    worked,
    idle: upTo(4).filter((column) => column >= shape.columns),
    step: straight.flatMap(() => worked),
    loop: isLoop ? [0] : [],
    lower: inTrip.flatMap(() => [0, 1]),
    upper: inTrip.flatMap(() => [2, 3]),
    store: isCopy ? [0] : [],
  });
  const prelude = `const workgroupSize = ${workgroupSize}u;${layouts[layout]}`;
  return [prelude, ...(isCopy ? [stores[layout]] : []), steps[form], body].join('\n');
}
