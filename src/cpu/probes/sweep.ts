import { disturbance, isDip } from '../../core/probes/dips.ts';
import { isEvidence, workOf } from '../../core/roofline/rates.ts';
import type { Sample } from '../../core/roofline/sample.ts';
import { median } from '../../core/stats/median.ts';

/**
 * Measures the points of a sweep in order and tells every sample. A point that dips below both of its
 * neighbours is measured again: where it is faster then, the first sample is told as failed.
 */
export async function sweep<Point>(
  points: readonly Point[],
  measure: (point: Point) => Promise<Sample>,
  tell: (sample: Sample) => void,
): Promise<void> {
  let before: Sample | undefined;
  let last: Sample | undefined;
  for (const [index, point] of points.entries()) {
    const sample = await measure(point);
    if (before && last && isDip(secondsEach(before), secondsEach(last), secondsEach(sample)))
      last = tellBoth(last, await measure(points[index - 1]!), tell);
    else if (last) tell(last);
    before = last;
    last = sample;
  }
  if (last) tell(last);
}

/** Tells two samples of one point, the slower as refused where they disagree; returns the faster. */
function tellBoth(first: Sample, again: Sample, tell: (sample: Sample) => void): Sample {
  const [faster, slower] =
    secondsEach(again) <= secondsEach(first) ? [again, first] : [first, again];
  const reason = disturbance(secondsEach(slower), secondsEach(faster));
  tell(reason === undefined ? slower : { ...slower, status: 'failed', reason });
  tell(faster);
  return faster;
}

/** Seconds of a piece of work; endless where the sample is no evidence. */
function secondsEach(sample: Sample): number {
  return isEvidence(sample) ? median(sample.seconds) / workOf(sample.measured) : Infinity;
}
