import { bandwidthCeilings } from './bandwidth.ts';
import { rateEstimate } from './estimate.ts';
import { byVariant, fastest, pooledRates, type SampleOf } from './rates.ts';
import type { Ceiling } from './types.ts';

type BandwidthSample = SampleOf<'bandwidth'>;

/** A private level this much faster than every shared one is a level of its own. */
const separation = 1.25;

/**
 * The ceilings of what a GPU's workgroups have to themselves: workgroup memory, loads of one address
 * by all lanes, and the private caches, which are the levels of the private sweep that are faster
 * than all of `shared`. A workgroup's working set is known there, the number of compute units is not,
 * so their capacity is told a workgroup. All samples are of one device.
 */
export function innerCeilings(
  samples: readonly BandwidthSample[],
  shared: readonly Ceiling[],
): Ceiling[] {
  const inWorkgroup = samples.filter(({ measured }) => measured.space === 'workgroup');
  const inStorage = samples.filter(({ measured }) => measured.space === undefined);
  return [
    ...single(inWorkgroup, 'bandwidth.workgroup', 'workgroup memory'),
    ...single(
      inStorage.filter(({ measured }) => measured.addresses === 'broadcast'),
      'bandwidth.broadcast',
      'broadcast loads',
    ),
    ...privateLevels(
      inStorage.filter(({ measured }) => measured.addresses !== 'broadcast'),
      shared,
    ),
  ];
}

/** The fastest of samples that are all of one kind. */
function single(samples: readonly BandwidthSample[], id: string, label: string): Ceiling[] {
  const best = fastest(byVariant(samples).map(pooledRates));
  return best === undefined ? [] : [{ id, label, ...rateEstimate(best, 'byte/s' as const) }];
}

function privateLevels(samples: readonly BandwidthSample[], shared: readonly Ceiling[]): Ceiling[] {
  const fastestShared = Math.max(0, ...shared.map(({ value }) => value));
  return bandwidthCeilings(samples, 'gpu')
    .filter(({ value }) => value >= separation * fastestShared)
    .map(privateLevel);
}

function privateLevel({ capacityBytes, ...ceiling }: Ceiling, index: number): Ceiling {
  const name = index === 0 ? 'private cache' : `private cache ${index + 1}`;
  return {
    ...ceiling,
    id: `bandwidth.private${index + 1}`,
    label: name,
    level: name,
    ...(capacityBytes !== undefined && { workgroupCapacityBytes: capacityBytes }),
  };
}
