import { elementSummand } from './streamData.ts';
import type { StreamShape, StreamVariant } from './streamVariant.ts';

/**
 * What a lane of a bandwidth probe adds to its word of the result for so many passes, modulo 2^32:
 * every element that it moved, in order, and the number of every pass.
 */
export function laneStreamSum(
  variant: StreamVariant,
  { workgroups, share, stride }: StreamShape,
  lane: number,
  passes: number,
): number {
  const { unroll, workgroupSize } = variant;
  const workgroup = Math.floor(lane / workgroupSize);
  let sum = 0;
  for (let pass = 0; pass < passes; pass++) {
    const start = ((workgroup + pass * stride) % workgroups) * share + (lane % workgroupSize);
    for (let trip = 0; trip < share; trip += workgroupSize * unroll) {
      for (let step = 0; step < unroll; step++) {
        const at = start + trip + step * workgroupSize;
        sum = (Math.imul(sum, 5) + elementSummand(variant, at)) | 0;
      }
    }
    sum = (sum + pass + 1) | 0;
  }
  return sum >>> 0;
}
