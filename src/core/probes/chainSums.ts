import { stepsPerSegment, type ChainVariant } from './chainVariant.ts';
import { chainOperands, chainStep, type ChainForm, type Rounding } from './fmaEmulation.ts';

/** Start values repeat after so many segments of a lane. */
export const segmentPeriod = 8;
/** Lanes this far apart start alike; within, no lane, chain or component starts like another. */
const lanePeriod = 2 ** 16;
/** From a component or chain to the next: far more than any rounding adds up to. */
const componentOffset = lanePeriod;
const chainOffset = 4 * componentOffset;
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
  const ulps = (lane % lanePeriod) + chain * chainOffset + component * componentOffset;
  return 1 + ulps * ulp + (segment % segmentPeriod) / 16 + startShift[form];
}

/** Weight of a component's bits in a lane's sum: one in another's place is seen. */
function weightOf(chain: number, component: number): number {
  return (2 * chain + 1) * (2 * component + 1);
}

/**
 * What a lane adds to its word of the result in each of the segments that differ, modulo 2^32: the
 * weighted bits of the final values of all chains and components.
 */
export function laneDigests(variant: ChainVariant, rounding: Rounding, lane: number): number[] {
  return Array.from({ length: segmentPeriod }, (_, segment) =>
    segmentDigest(variant, rounding, lane, segment),
  );
}

/** The sum over so many segments, modulo 2^32. */
export function sumOfDigests(digests: readonly number[], segments: number): number {
  return digests.reduce((sum, digest, index) => {
    const times = Math.ceil((segments - index) / segmentPeriod);
    return (sum + Math.imul(digest, times)) >>> 0;
  }, 0);
}

/** How far a digest may be off if every step rounds its product and its sum by up to an ulp each. */
export function digestTolerance({ chains, width }: ChainVariant): number {
  let weights = 0;
  for (let chain = 0; chain < chains; chain++)
    for (let component = 0; component < width; component++) weights += weightOf(chain, component);
  return weights * 2 * stepsPerSegment;
}

function segmentDigest(
  { form, chains, width }: ChainVariant,
  rounding: Rounding,
  lane: number,
  segment: number,
): number {
  let digest = 0;
  for (let chain = 0; chain < chains; chain++)
    for (let component = 0; component < width; component++) {
      const start = startValue(form, lane, chain, component, segment);
      const bits = bitsOf(finalValue(form, rounding, start));
      digest = (digest + Math.imul(bits, weightOf(chain, component))) | 0;
    }
  return digest >>> 0;
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
