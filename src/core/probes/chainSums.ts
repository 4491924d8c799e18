import { stepsPerSegment, type ChainVariant } from './chainVariant.ts';
import { chainOperands, chainStep, type ChainForm, type Rounding } from './fmaEmulation.ts';

/** Start values repeat after so many segments of a lane. */
const segmentPeriod = 8;
/** Lanes this far apart start alike; within, no lane, chain or component starts like another. */
const lanePeriod = 2 ** 16;
/** Start values within one lane: up to 16 chains of 4 components. */
const valuesPerLane = 64;
const ulp = 2 ** -23;

/** Coefficients, and what is added to start values of [1, 2) to reach the form's own range. */
export interface GpuChainOperands {
  readonly a: number;
  readonly b: number;
  readonly shift: number;
}

/**
 * Affine values contract slowly towards 1.4. The quadratic ones contract towards -0.48, a hundredth
 * a step: a chaotic map would test rounding more sharply but allow no tolerance where a device
 * rounds like neither emulation. All coefficients have full mantissas, so that every step rounds.
 */
export const gpuChainOperands = {
  affine: { a: chainOperands.affine.a, b: chainOperands.affine.b, shift: 0 },
  quadratic: { a: 0, b: Math.fround(-0.7398765), shift: -1.25 },
} as const satisfies Record<ChainForm, GpuChainOperands>;

/** A chain's value before its first step in a segment: exact in f32, however it is added up. */
export function startValue(
  form: ChainForm,
  lane: number,
  chain: number,
  component: number,
  segment: number,
): number {
  const index = (lane % lanePeriod) * valuesPerLane + chain * 4 + component;
  return 1 + index * ulp + (segment % segmentPeriod) / 16 + gpuChainOperands[form].shift;
}

/**
 * What a lane adds to its word of the result for so many segments, modulo 2^32: for every segment
 * and chain the bits of the final values, weighted 1, 3, 5, 7 by component and by 31 from chain to
 * chain, so that a chain or component in another's place is seen.
 */
export function laneSums(
  variant: ChainVariant,
  rounding: Rounding,
  lane: number,
): (segments: number) => number {
  const digests = Array.from({ length: segmentPeriod }, (_, segment) =>
    segmentDigest(variant, rounding, lane, segment),
  );
  return (segments) =>
    digests.reduce((sum, digest, index) => {
      const times = Math.ceil((segments - index) / segmentPeriod);
      return (sum + Math.imul(digest, times)) >>> 0;
    }, 0);
}

function segmentDigest(
  { form, chains, width }: ChainVariant,
  rounding: Rounding,
  lane: number,
  segment: number,
): number {
  let digest = 0;
  for (let chain = 0; chain < chains; chain++) {
    digest = Math.imul(digest, 31);
    for (let component = 0; component < width; component++) {
      const start = startValue(form, lane, chain, component, segment);
      const value = finalValue(form, rounding, start);
      digest = (digest + Math.imul(bitsOf(value), 2 * component + 1)) | 0;
    }
  }
  return digest;
}

/** A chain's value at the end of a segment. */
export function finalValue(form: ChainForm, rounding: Rounding, start: number): number {
  const { a, b } = gpuChainOperands[form];
  let x = start;
  for (let step = 0; step < stepsPerSegment; step++) x = chainStep(form, rounding, x, a, b);
  return x;
}

function bitsOf(value: number): number {
  return new Uint32Array(Float32Array.of(value).buffer)[0] ?? 0;
}
