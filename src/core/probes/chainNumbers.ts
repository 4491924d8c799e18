import { chainOperands, chainStep, type ChainForm, type Rounding } from './fmaEmulation.ts';

/** How a GPU may round a step: as a CPU may, or not at all (`exact`: integers modulo 2^32). */
export type ChainRounding = Rounding | 'exact';

/** The numbers that a chain computes with. Values are held as JavaScript numbers. */
export interface ChainNumber {
  /** The 32-bit pattern that stands for a coefficient in the parameters. */
  readonly coefficientBits: (value: number) => number;
  /** A component's value before its first step in a segment. */
  readonly startValue: (
    form: ChainForm,
    lane: number,
    chain: number,
    component: number,
    segment: number,
  ) => number;
  readonly step: (
    form: ChainForm,
    rounding: ChainRounding,
    x: number,
    a: number,
    b: number,
  ) => number;
  /** The 32-bit words in which a value of so many components is kept. */
  readonly words: (components: readonly number[]) => number[];
}

/** Start values repeat after so many segments of a lane. */
export const segmentPeriod = 8;

/**
 * What takes start values from [1, 2) to where the form stays bounded. Affine f16 values lie on both
 * sides of 1: where a product and its sum have the same ulp, one rounding and two are the same.
 */
export const startShift = {
  f32: { affine: 0, quadratic: -1.25 },
  f16: { affine: -0.375, quadratic: -1.25 },
} as const satisfies Record<'f32' | 'f16', Record<ChainForm, number>>;

/**
 * 1 + shift + segment/16 + steps of an ulp of [1, 2): exact in any order of addition. Lanes lie one
 * ulp apart, chains and components so far apart that no rounding brings them together.
 */
function floatStart(
  type: keyof typeof startShift,
  ulp: number,
  lanePeriod: number,
): ChainNumber['startValue'] {
  return (form, lane, chain, component, segment) => {
    const ulps = (lane % lanePeriod) + lanePeriod * (4 * chain + component);
    return 1 + startShift[type][form] + (segment % segmentPeriod) / 16 + ulps * ulp;
  };
}

const scratch = new DataView(new ArrayBuffer(4));

function f32Bits(value: number): number {
  scratch.setFloat32(0, value);
  return scratch.getUint32(0);
}

const f32: ChainNumber = {
  coefficientBits: f32Bits,
  startValue: floatStart('f32', 2 ** -23, 65_536),
  step: (form, rounding, x, a, b) =>
    rounding === 'exact' ? NaN : chainStep(form, rounding, x, a, b),
  words: (components) => components.map(f32Bits),
};

/** To the nearest f16, ties to even, of a number in f16's range. */
export function roundToF16(value: number): number {
  if (value === 0) return value;
  const exponent = Math.max(-14, Math.floor(Math.log2(Math.abs(value))));
  // Adding 1.5 x 2^52 ulps leaves no bits below the ulp: the addition itself rounds.
  const rounder = 1.5 * 2 ** (52 + exponent - 10);
  return value + rounder - rounder;
}

function f16Bits(value: number): number {
  const magnitude = Math.abs(value);
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  if (magnitude < 2 ** -14) return sign | (magnitude * 2 ** 24);
  const exponent = Math.floor(Math.log2(magnitude));
  return sign | ((exponent + 15) << 10) | ((magnitude / 2 ** exponent - 1) * 1024);
}

const f16: ChainNumber = {
  coefficientBits: f32Bits,
  startValue: floatStart('f16', 2 ** -10, 8),
  step: (form, rounding, x, a, b) => {
    const factor = form === 'affine' ? a : x;
    switch (rounding) {
      case 'fused':
        return roundToF16(x * factor + b);
      case 'separate':
        return roundToF16(roundToF16(x * factor) + b);
      case 'unfused':
      case 'exact':
        return NaN;
    }
  },
  words: (components) => {
    const halves = components.map(f16Bits);
    return halves.flatMap((low, index) =>
      index % 2 === 0 ? [(low | ((halves[index + 1] ?? 0) << 16)) >>> 0] : [],
    );
  },
};

/** Odd factors, so that no two of the numbers within 2^32 coincide. */
const startFactor = 0x9e3779b1;
const segmentFactor = 0x85ebca6b;

function integerStart(
  _form: ChainForm,
  lane: number,
  chain: number,
  component: number,
  segment: number,
): number {
  const place = Math.imul(lane * 64 + 4 * chain + component, startFactor);
  return (place + Math.imul(segment % segmentPeriod, segmentFactor)) >>> 0;
}

/** Affine only: squaring modulo 2^32 brings all numbers of one parity together, a bit a step. */
const u32: ChainNumber = {
  coefficientBits: (value) => value,
  startValue: integerStart,
  step: (_form, _rounding, x, a, b) => (Math.imul(x, a) + b) >>> 0,
  words: (components) => [...components],
};

/** Four signed bytes a number: x + dot(x, a), as integers. */
const bytes: ChainNumber = {
  ...u32,
  step: (_form, _rounding, x, a) => {
    const products = [0, 1, 2, 3].map((index) => signedByte(x, index) * signedByte(a, index));
    return products.reduce((sum, product) => (sum + product) >>> 0, x);
  },
};

function signedByte(word: number, index: number): number {
  return (word << (24 - 8 * index)) >> 24;
}

export const chainNumbers = { f32, f16, u32, bytes } as const;
export type ChainNumberName = keyof typeof chainNumbers;

/**
 * Coefficients, exact in their type. In f16 the affine factor is near -1: near 1 a step would change
 * nothing for most values.
 */
export const chainCoefficients = {
  f32: chainOperands,
  f16: {
    affine: { a: roundToF16(-0.9985), b: roundToF16(2.19) },
    quadratic: { a: 0, b: roundToF16(-1.8712) },
  },
  u32: {
    affine: { a: 0x1e3779b1, b: 0x7f4a7c15 },
    quadratic: { a: 0, b: 0x7f4a7c15 },
  },
  bytes: {
    affine: { a: 0x5b176d2b, b: 0 },
    quadratic: { a: 0, b: 0 },
  },
} as const satisfies Record<
  ChainNumberName,
  Record<ChainForm, { readonly a: number; readonly b: number }>
>;
