import { stepsPerSegment, type ChainVariant } from './chainVariant.ts';
import { chainOperands, chainStep, type ChainForm, type Rounding } from './fmaEmulation.ts';

/** Start values repeat after so many segments of a lane. */
const segmentPeriod = 8;
/** Lanes this far apart start alike; within, no lane, chain or component starts like another. */
const lanePeriod = 2 ** 16;
/** Start values within one lane: up to 16 chains of 4 components. */
const valuesPerLane = 64;
const ulp = 2 ** -23;

/** What takes start values from [1, 2) to where the form stays bounded. */
export const startShift = { affine: 0, quadratic: -1.25 } as const satisfies Record<
  ChainForm,
  number
>;

/** A chain's value before its first step in a segment: exact in f32, however it is added up. */
export function startValue(
  form: ChainForm,
  lane: number,
  chain: number,
  component: number,
  segment: number,
): number {
  const index = (lane % lanePeriod) * valuesPerLane + chain * 4 + component;
  return 1 + index * ulp + (segment % segmentPeriod) / 16 + startShift[form];
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
  const { a, b } = chainOperands[form];
  let x = start;
  for (let step = 0; step < stepsPerSegment; step++) x = chainStep(form, rounding, x, a, b);
  return x;
}

function bitsOf(value: number): number {
  return new Uint32Array(Float32Array.of(value).buffer)[0] ?? 0;
}
