import { formatSize } from '../units.ts';
import type { Ceiling } from './types.ts';

/** `53.0 KiB`, `32.0 KiB a workgroup`; undefined where none is known. */
export function capacityInWords(ceiling: Ceiling): string | undefined {
  const { capacityBytes, workgroupCapacityBytes } = ceiling;
  if (capacityBytes !== undefined) return formatSize(capacityBytes);
  if (workgroupCapacityBytes === undefined) return undefined;
  return `${formatSize(workgroupCapacityBytes)} a workgroup`;
}

/** `45.0 KiB to 64.0 KiB`; undefined where it is not known. */
export function capacityInterval(ceiling: Ceiling): string | undefined {
  const { capacityLowBytes: low, capacityHighBytes: high } = ceiling;
  return low === undefined || high === undefined
    ? undefined
    : `${formatSize(low)} to ${formatSize(high)}`;
}
