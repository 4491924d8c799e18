// The kernels that every engine with SIMD runs.
export * from './probe/bandwidth';
export * from './probe/chase';
export * from './probe/multiplyAdd';
export * from './probe/randomFill';
