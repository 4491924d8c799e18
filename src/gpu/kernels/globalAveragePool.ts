/** `PoolGeometry` of the shaders/nn/global-average-pool-*.wgsl kernels. */
export const poolFields = { batch: 'u32', pixels: 'u32', channels: 'u32' } as const;
