import type { Sample } from './sample.ts';

/** `GPU f16 fma, affine ...: why` of a sample that is no evidence; what a device lacks has no variant. */
export function refusalInWords(sample: Sample): string {
  const { device, probe, variant, measured, status, reason } = sample;
  const precision = measured.kind === 'compute' ? `${measured.precision} ` : '';
  const shape = variant === 'none' ? '' : `, ${variant}`;
  return `${device.toUpperCase()} ${precision}${probe}${shape}: ${reason ?? status}`;
}
