import type { Runs } from './chainCheck.ts';
import { patternWord } from './streamData.ts';
import { elementSizes, type StreamElement } from './streamVariant.ts';

/** One shape of a probe of what a workgroup has to itself. */
export interface RotationVariant {
  /** Where the elements are. */
  readonly space: 'storage' | 'workgroup';
  /** Whether a workgroup's lanes load an element each, or all of them the same one. */
  readonly addresses: 'distinct' | 'broadcast';
  readonly element: StreamElement;
  /** Elements of a lane in flight at once, a workgroup's width apart. */
  readonly unroll: number;
  readonly workgroupSize: number;
}

export function describeRotation(
  { addresses, element, unroll, workgroupSize }: RotationVariant,
  workgroups: number,
): string {
  const each = addresses === 'broadcast' ? 'one address for all lanes' : 'an address a lane';
  return `${element}, ${each}, ${unroll} in flight, ${workgroups} workgroups of ${workgroupSize}`;
}

/** Elements of a workgroup whose set has about `size` bytes: whole trips, at least one. */
export function rotationShare(
  { element, unroll, workgroupSize }: Omit<RotationVariant, 'space' | 'addresses'>,
  size: number,
): number {
  const trip = unroll * workgroupSize;
  return trip * Math.max(1, Math.floor(size / (trip * elementSizes[element])));
}

/** Bytes that one pass of a workgroup loads; of distinct addresses also its working set. */
export function rotationPassSize({ element }: RotationVariant, share: number): number {
  return share * elementSizes[element];
}

/**
 * What these dispatches add to a lane's word, modulo 2^32: in pass p the lane stands at
 * (lane x spread + p) modulo the workgroup's size in every trip, and what it loads there counts
 * 2p + 1 times. Words of an element weigh 1, 3, 5, 7 by their place in a vector.
 */
export function rotationSum(
  variant: RotationVariant,
  share: number,
  lane: number,
  done: readonly Runs[],
): number {
  const { workgroupSize, addresses } = variant;
  const start = Math.floor(lane / workgroupSize) * share;
  const own = addresses === 'broadcast' ? 0 : lane % workgroupSize;
  const atPlace = new Map<number, number>();
  const passDigest = (pass: number): number => {
    const place = (own + pass) % workgroupSize;
    const known = atPlace.get(place);
    if (known !== undefined) return known;
    let digest = 0;
    for (let at = place; at < share; at += workgroupSize)
      digest = (digest + elementDigest(variant.element, start + at)) | 0;
    atPlace.set(place, digest);
    return digest;
  };
  let sum = 0;
  for (const { amount, runs } of done) {
    let dispatch = 0;
    for (let pass = 0; pass < amount; pass++)
      dispatch = (dispatch + Math.imul(2 * pass + 1, passDigest(pass))) | 0;
    sum = (sum + Math.imul(dispatch, runs)) | 0;
  }
  return sum >>> 0;
}

function elementDigest(element: StreamElement, at: number): number {
  const words = elementSizes[element] / 4;
  let digest = 0;
  for (let word = 0; word < words; word++)
    digest = (digest + Math.imul(2 * (word % 4) + 1, patternWord(at * words + word))) | 0;
  return digest;
}
