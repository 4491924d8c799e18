import affineShader from '../../../shaders/probe/affine.wgsl?raw';
import commonShader from '../../../shaders/probe/chains.wgsl?raw';
import quadraticShader from '../../../shaders/probe/quadratic.wgsl?raw';
import { startShift } from '../../core/probes/chainSums.ts';
import { stepsPerSegment, type ChainVariant } from '../../core/probes/chainVariant.ts';

const bodies = { affine: affineShader, quadratic: quadraticShader } as const;

/** The WGSL of a variant: its types and constants, the common part, and its form unrolled. */
export function chainShader(variant: ChainVariant): string {
  return [prelude(variant), commonShader, unrolled(bodies[variant.form], variant)].join('\n');
}

function prelude({ form, width, stepsPerTrip, coefficients, workgroupSize }: ChainVariant): string {
  const value = width === 1 ? 'f32' : `vec${width}f`;
  const bits = width === 1 ? 'u32' : `vec${width}u`;
  const components = [0, 1, 2, 3].slice(0, width);
  const weights = components.map((component) => `${2 * component + 1}u`).join(', ');
  return `
alias Value = ${value};
alias Bits = ${bits};
const workgroupSize = ${workgroupSize}u;
const tripsPerSegment = ${stepsPerSegment / stepsPerTrip}u;
const shift = f32(${startShift[form]});
const componentNumbers = Value(${components.join(', ')});
fn digest(bits: Bits) -> u32 {
  return ${width === 1 ? 'bits' : `dot(bits, Bits(${weights}))`};
}
fn coefficientOf(uniformValue: f32, zero: u32) -> Value {
  return Value(${coefficients === 'uniform' ? 'uniformValue' : 'uniformValue + f32(zero)'});
}`;
}

/** Repeats `#chain` lines once a chain and `#step` lines once a step and chain. */
export function unrolled(
  source: string,
  { chains, stepsPerTrip }: Pick<ChainVariant, 'chains' | 'stepsPerTrip'>,
): string {
  return source
    .split('\n')
    .flatMap((line) => {
      const [, kind, statement] = /^\s*#(chain|step) (.*)$/.exec(line) ?? [];
      if (statement === undefined) return [line];
      const eachChain = Array.from({ length: chains }, (_, chain) =>
        statement.replaceAll('$', String(chain)),
      );
      return Array.from({ length: kind === 'step' ? stepsPerTrip : 1 }, () => eachChain).flat();
    })
    .join('\n');
}
