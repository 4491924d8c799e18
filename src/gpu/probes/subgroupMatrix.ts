import type { GpuContext } from '../context.ts';

/** The experimental feature of Chromium; no browser has it without a flag yet. */
const feature = 'chromium-experimental-subgroup-matrix';

/**
 * Tells that products of matrices by a subgroup are not measured, and why: the browser lacks them, or
 * offers what is still an experiment, for which there is no probe whose results could be checked.
 */
export async function tellSubgroupMatrix(context: GpuContext): Promise<void> {
  const { queue, emit, environment, timer } = context;
  const adapter = await queue.settled(navigator.gpu.requestAdapter());
  const offered: readonly string[] = [...(adapter?.features ?? [])];
  const isOffered = offered.includes(feature);
  emit({
    kind: 'sample',
    sample: {
      device: 'gpu',
      deviceId: environment.deviceId,
      probe: 'subgroup matrix',
      variant: 'none',
      measured: { kind: 'compute', precision: 'f16', flops: 0 },
      seconds: [],
      timer: timer.source,
      status: isOffered ? 'skipped' : 'unsupported',
      reason: isOffered
        ? `${feature} is an experiment, and this version has no checked probe for it`
        : `the browser has no ${feature}`,
      flags: [],
    },
  });
}
