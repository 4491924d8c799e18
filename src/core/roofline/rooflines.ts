import { groupBy } from '../groupBy.ts';
import { Remembered } from '../remembered.ts';
import type { DeviceKind } from '../run/config.ts';
import { ridgePoints } from './attainable.ts';
import { bandwidthCeilings, isShared, thinned } from './bandwidth.ts';
import { computeCeilings } from './compute.ts';
import { extrasOf, overheadsOf, transferOf } from './figures.ts';
import { innerCeilings } from './innerCeilings.ts';
import { kneeOf } from './knee.ts';
import { latencies } from './latency.ts';
import type { LatencyPoint } from './latencyLevels.ts';
import { guardMemory } from './memoryGuard.ts';
import { isEvidence, samplesOf } from './rates.ts';
import type { Sample } from './sample.ts';
import { sustainedOf } from './sustained.ts';
import type { Roofline } from './types.ts';

/**
 * The rooflines that samples are evidence for: one a device and, on the CPU, one a thread count,
 * fewest threads first, each with the other figures of that device and thread count. Only `ok`
 * samples count, and without arithmetic or bandwidth there is no roofline. Those of a device that has
 * no new samples are taken from `remembered`.
 */
export function rooflines(
  samples: readonly Sample[],
  remembered = new Remembered<readonly Roofline[]>(),
): Roofline[] {
  return groupBy(samples.filter(isEvidence), deviceKey)
    .map((own) => remembered.of(deviceKey(own[0]!), own, () => deviceRooflines(own)))
    .toSorted((a, b) => (a[0]?.threads ?? 0) - (b[0]?.threads ?? 0))
    .flat();
}

function deviceKey({ device, deviceId }: Sample): string {
  return JSON.stringify([device, deviceId]);
}

function deviceRooflines(samples: readonly Sample[]): readonly Roofline[] {
  const all = groupBy(samples, ({ threads }) => String(threads))
    .map(rooflineOf)
    .filter(({ compute, bandwidth }) => compute.length > 0 || bandwidth.length > 0);
  return guardMemory(all.toSorted((a, b) => (a.threads ?? 0) - (b.threads ?? 0)));
}

/** All samples are of one device and thread count. */
function rooflineOf(samples: readonly Sample[]): Roofline {
  const { device, deviceId, threads } = samples[0]!;
  const compute = computeCeilings(samplesOf(samples, 'compute'));
  const bandwidth = allBandwidths(samples);
  const latency = latencies(samplesOf(samples, 'latency'), bandwidth);
  const overheads = overheadsOf(samplesOf(samples, 'overhead'));
  const knee = kneeOf(samplesOf(samples, 'mixed'), { compute, bandwidth });
  const sustained = sustainedOf(samplesOf(samples, 'sustained'));
  const extras = extrasOf(samplesOf(samples, 'extra'));
  const transfer = transferOf(samplesOf(samples, 'transfer'));
  return {
    device,
    deviceId,
    ...(threads !== undefined && { threads }),
    compute,
    bandwidth,
    ridge: ridgePoints(compute, bandwidth),
    ...(latency.length > 0 && { latency }),
    ...(Object.keys(overheads).length > 0 && { overheads }),
    ...(knee && { knee }),
    ...(sustained && { sustained }),
    ...(extras.length > 0 && { extras }),
    ...(Object.keys(transfer).length > 0 && { transfer }),
  };
}

/** Levels that all workgroups or threads share, after what a GPU's workgroups have to themselves. */
function allBandwidths(samples: readonly Sample[]): Roofline['bandwidth'] {
  const all = samplesOf(samples, 'bandwidth');
  const { device } = samples[0]!;
  const shared = bandwidthCeilings(all.filter(isShared), device, chaseOf(samples, device));
  const inner = innerCeilings(
    all.filter((sample) => !isShared(sample)),
    shared,
  );
  const memory = shared.at(-1);
  const outer = shared.slice(0, -1);
  // Capacities say which of two shared levels is inside, even where speeds do not.
  const others =
    inner.length === 0 ? outer : [...inner, ...outer].toSorted((a, b) => b.value - a.value);
  return memory === undefined ? others : [...others, memory];
}

/** What tells a CPU's levels apart where bandwidth does not; a GPU's chase runs on one lane. */
function chaseOf(samples: readonly Sample[], device: DeviceKind): LatencyPoint[] {
  if (device === 'gpu') return [];
  const points = latencies(samplesOf(samples, 'latency'), []);
  return thinned(points).map(({ workingSetSize, value }) => ({ workingSetSize, seconds: value }));
}
