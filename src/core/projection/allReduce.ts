/** A link between devices by two parameters; a message of n bytes takes latency + n / rate. */
export interface Interconnect {
  readonly id: string;
  readonly label: string;
  readonly latencySeconds: number;
  /** Of one device's link, one way. */
  readonly bytesPerSecond: number;
}

/** Orders of magnitude to start from, not measurements: docs/method/projection.md. */
export const interconnects = [
  { id: 'memory', label: 'shared memory', latencySeconds: 1e-6, bytesPerSecond: 10e9 },
  { id: 'pcie', label: 'PCIe 4.0 x16', latencySeconds: 5e-6, bytesPerSecond: 25e9 },
  { id: 'ethernet10', label: '10 Gbit/s Ethernet', latencySeconds: 30e-6, bytesPerSecond: 1.2e9 },
  { id: 'ethernet100', label: '100 Gbit/s Ethernet', latencySeconds: 5e-6, bytesPerSecond: 12e9 },
] as const satisfies readonly Interconnect[];

/**
 * Seconds of a ring all-reduce of `bytes` over so many devices: a reduce-scatter and an all-gather,
 * each of devices - 1 rounds in which every device passes bytes / devices to its neighbour. The
 * additions are not counted. 0 for one device. Throws a RangeError on a number of devices that is
 * not a whole one above 0, and on a link that moves nothing.
 *
 * Source: Patarasuk and Yuan, Bandwidth optimal all-reduce algorithms for clusters of workstations,
 * Journal of Parallel and Distributed Computing 69(2), 2009; used for training by Sergeev and Del
 * Balso, Horovod, 2018 (arXiv:1802.05799).
 */
export function ringAllReduceSeconds(
  devices: number,
  bytes: number,
  { latencySeconds, bytesPerSecond }: Pick<Interconnect, 'latencySeconds' | 'bytesPerSecond'>,
): number {
  if (!Number.isInteger(devices) || devices < 1)
    throw new RangeError(`devices: ${devices} is not a whole number above 0`);
  if (!(bytesPerSecond > 0) || !(latencySeconds >= 0))
    throw new RangeError('a link has a rate above 0 and a latency of 0 or more');
  const rounds = 2 * (devices - 1);
  return rounds * (latencySeconds + bytes / devices / bytesPerSecond);
}
