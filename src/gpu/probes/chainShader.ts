import affineShader from '../../../shaders/probe/affine.wgsl?raw';
import affineIntegerShader from '../../../shaders/probe/affine-integer.wgsl?raw';
import affineUnfusedShader from '../../../shaders/probe/affine-unfused.wgsl?raw';
import chainsShader from '../../../shaders/probe/chains.wgsl?raw';
import dotBytesShader from '../../../shaders/probe/dot-bytes.wgsl?raw';
import quadraticShader from '../../../shaders/probe/quadratic.wgsl?raw';
import valuesF16Shader from '../../../shaders/probe/values-f16.wgsl?raw';
import valuesF32Shader from '../../../shaders/probe/values-f32.wgsl?raw';
import valuesU32Shader from '../../../shaders/probe/values-u32.wgsl?raw';
import { startShift, type ChainNumberName } from '../../core/probes/chainNumbers.ts';
import { chainOperation, type ChainOperationName } from '../../core/probes/chainOperations.ts';
import { stepsPerSegment, type ChainVariant } from '../../core/probes/chainVariant.ts';
import type { ChainForm } from '../../core/probes/fmaEmulation.ts';

const float = { affine: affineShader, quadratic: quadraticShader } as const;

/** The step of each operation, by form. */
const steps: Readonly<Record<ChainOperationName, Partial<Record<ChainForm, string>>>> = {
  fmaF32: float,
  fmaF16: float,
  multiplyAddF32: { affine: affineUnfusedShader },
  multiplyAddI32: { affine: affineIntegerShader },
  dotI8: { affine: dotBytesShader },
};

interface NumberType {
  readonly scalar: 'f32' | 'f16' | 'u32';
  readonly values: string;
  /** 32-bit words that a value of so many components is kept in. */
  readonly words: (width: ChainVariant['width']) => number;
  /** WGSL for those words of the value `x`. */
  readonly bits: (width: ChainVariant['width']) => string;
}

const integer: NumberType = {
  scalar: 'u32',
  values: valuesU32Shader,
  words: (width) => width,
  bits: () => 'x',
};

/** Not every browser casts f16 vectors to words. The values are f16 already: packing rounds nothing. */
const f16Bits = {
  1: 'pack2x16float(vec2f(f32(x), 0.0))',
  2: 'pack2x16float(vec2f(x))',
  4: 'vec2u(pack2x16float(vec2f(x.xy)), pack2x16float(vec2f(x.zw)))',
} as const;

const numberTypes: Readonly<Record<ChainNumberName, NumberType>> = {
  f32: {
    scalar: 'f32',
    values: valuesF32Shader,
    words: (width) => width,
    bits: () => 'bitcast<Bits>(x)',
  },
  f16: {
    scalar: 'f16',
    values: valuesF16Shader,
    words: (width) => Math.ceil(width / 2),
    bits: (width) => f16Bits[width],
  },
  u32: integer,
  bytes: integer,
};

/** The WGSL of a variant: types and constants, start values, its step, and the chains unrolled. */
export function chainShader(variant: ChainVariant): string {
  const { operation, form } = variant;
  const step = steps[operation][form];
  if (step === undefined) throw new RangeError(`${operation} has no ${form} form`);
  const type = numberTypes[chainOperation(operation).number];
  return [prelude(variant, type), type.values, step, unrolled(chainsShader, variant)].join('\n');
}

function prelude(
  { form, width, stepsPerTrip, coefficients, workgroupSize }: ChainVariant,
  { scalar, words, bits }: NumberType,
): string {
  const components = [0, 1, 2, 3].slice(0, width).join(', ');
  const weights = [1, 3, 5, 7].slice(0, words(width)).join(', ');
  return `${scalar === 'f16' ? 'enable f16;' : ''}
alias Value = ${vector(scalar, width)};
alias Bits = ${vector('u32', words(width))};
const workgroupSize = ${workgroupSize}u;
const tripsPerSegment = ${stepsPerSegment / stepsPerTrip}u;
const inRegisters = ${coefficients === 'register'};
const componentNumbers = Value(${components});
${scalar === 'u32' ? '' : `const shift = ${scalar}(${startShift[scalar][form]});`}
fn bitsOf(x: Value) -> Bits {
  return ${bits(width)};
}
fn digest(bits: Bits) -> u32 {
  return ${words(width) === 1 ? 'bits' : `dot(bits, Bits(${weights}))`};
}`;
}

function vector(scalar: string, length: number): string {
  return length === 1 ? scalar : `vec${length}<${scalar}>`;
}

/** Repeats `#chain` lines once a chain and `#step` lines once a step and chain. */
function unrolled(source: string, { chains, stepsPerTrip }: ChainVariant): string {
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
