import {
  chainCoefficients,
  chainNumbers,
  segmentPeriod,
  type ChainNumber,
  type ChainRounding,
} from './chainNumbers.ts';
import { chainOperation } from './chainOperations.ts';
import { stepsPerSegment, type ChainVariant } from './chainVariant.ts';

/** Weight of a word in a lane's sum: one in another's place is seen. */
function weightOf(chain: number, word: number): number {
  return (2 * chain + 1) * (2 * word + 1);
}

/**
 * What a lane adds to its word of the result in each of the segments that differ, modulo 2^32: the
 * weighted bits of the final values of all chains.
 */
export function laneDigests(
  variant: ChainVariant,
  rounding: ChainRounding,
  lane: number,
): number[] {
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

/**
 * How far a digest of f32 chains may be off if every step rounds its product and its sum by up to an
 * ulp each.
 */
export function digestTolerance({ chains, width }: ChainVariant): number {
  let weights = 0;
  for (let chain = 0; chain < chains; chain++)
    for (let component = 0; component < width; component++) weights += weightOf(chain, component);
  return weights * 2 * stepsPerSegment;
}

function segmentDigest(
  variant: ChainVariant,
  rounding: ChainRounding,
  lane: number,
  segment: number,
): number {
  const number = numberOf(variant);
  let digest = 0;
  for (let chain = 0; chain < variant.chains; chain++) {
    const components = Array.from({ length: variant.width }, (_, component) => {
      const start = number.startValue(variant.form, lane, chain, component, segment);
      return finalValue(variant, rounding, start);
    });
    for (const [word, bits] of number.words(components).entries())
      digest = (digest + Math.imul(bits, weightOf(chain, word))) | 0;
  }
  return digest >>> 0;
}

/** A component's value at the end of a segment. */
export function finalValue(
  variant: Pick<ChainVariant, 'operation' | 'form'>,
  rounding: ChainRounding,
  start: number,
): number {
  const { form } = variant;
  const { number: name } = chainOperation(variant.operation);
  const { a, b } = chainCoefficients[name][form];
  let x = start;
  for (let step = 0; step < stepsPerSegment; step++)
    x = chainNumbers[name].step(form, rounding, x, a, b);
  return x;
}

function numberOf({ operation }: ChainVariant): ChainNumber {
  return chainNumbers[chainOperation(operation).number];
}
