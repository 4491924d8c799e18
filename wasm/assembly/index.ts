// The kernels that every engine with SIMD runs.
export * from './nn/index';
export * from './probe/bandwidth';
export * from './probe/chase';
export * from './probe/multiplyAdd';
export * from './probe/randomFill';
