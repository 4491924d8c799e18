// All kernels, for engines that also validate relaxed SIMD.
export * from './index';
export * from './probe/dot';
export * from './probe/fma';
