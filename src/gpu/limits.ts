/**
 * Limits that the probes and kernels can use, and how much of each they want at the most. All are
 * upper limits: a device asked for more than its adapter has is refused whole.
 */
const wantedLimits = {
  maxBufferSize: 2 ** 30,
  maxStorageBufferBindingSize: 2 ** 30,
  maxStorageBuffersPerShaderStage: 10,
  maxComputeWorkgroupStorageSize: 32_768,
  maxComputeInvocationsPerWorkgroup: 1024,
  maxComputeWorkgroupSizeX: 1024,
  maxComputeWorkgroupSizeY: 1024,
  maxComputeWorkgroupsPerDimension: 65_535,
} as const satisfies Partial<Record<keyof Omit<GPUSupportedLimits, '__brand'>, number>>;

const limitNames = Object.keys(wantedLimits) as (keyof typeof wantedLimits)[];

const wantedFeatures: readonly GPUFeatureName[] = ['timestamp-query', 'shader-f16', 'subgroups'];

/** min(wanted, adapter limit) of each limit, and those wanted features that the adapter has. */
export function requestedDevice(adapter: GPUAdapter): GPUDeviceDescriptor {
  return {
    requiredFeatures: wantedFeatures.filter((feature) => adapter.features.has(feature)),
    requiredLimits: Object.fromEntries(
      limitNames.map((name) => [name, Math.min(wantedLimits[name], adapter.limits[name])]),
    ),
  };
}

/** The limits that the device was granted. */
export function grantedLimits(device: GPUDevice): Record<string, number> {
  return Object.fromEntries(limitNames.map((name) => [name, device.limits[name]]));
}
