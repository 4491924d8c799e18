import { groupBy } from '../groupBy.ts';
import { ridgePoints } from './attainable.ts';
import { bandwidthCeilings } from './bandwidth.ts';
import { computeCeilings } from './compute.ts';
import { isEvidence, samplesOf } from './rates.ts';
import type { Sample } from './sample.ts';
import type { Roofline } from './types.ts';

/**
 * The rooflines that samples are evidence for: one a device and, on the CPU, one a thread count,
 * fewest threads first. Only `ok` samples of arithmetic or bandwidth count.
 */
export function rooflines(samples: readonly Sample[]): Roofline[] {
  const evidence = samples.filter(
    (sample) =>
      isEvidence(sample) &&
      (sample.measured.kind === 'compute' || sample.measured.kind === 'bandwidth'),
  );
  return groupBy(evidence, ({ device, deviceId, threads }) =>
    JSON.stringify([device, deviceId, threads]),
  )
    .map(rooflineOf)
    .toSorted((a, b) => (a.threads ?? 0) - (b.threads ?? 0));
}

/** All samples are of one device and thread count. */
function rooflineOf(samples: readonly Sample[]): Roofline {
  const { device, deviceId, threads } = samples[0]!;
  const compute = computeCeilings(samplesOf(samples, 'compute'));
  const bandwidth = bandwidthCeilings(samplesOf(samples, 'bandwidth'), device);
  return {
    device,
    deviceId,
    ...(threads !== undefined && { threads }),
    compute,
    bandwidth,
    ridge: ridgePoints(compute, bandwidth),
  };
}
