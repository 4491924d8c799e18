// The kernels of a training step.
export { add, copyChannels } from './branches';
export { averagePool, averagePoolBackward, dense, denseBackwardInput } from './head';
export { classify, denseBackwardWeight, softmaxCrossEntropy } from './head';
export { normalize, normGradientMerge, normGradientPartial } from './batchNorm';
export { normInputGradient, normMerge, normPartial } from './batchNorm';
export { correlate, pixelTable } from './correlate';
export { correlateWeight } from './correlateWeight';
export { momentumUpdate } from './momentum';
export { packTransposed, packWeights } from './pack';
export { statisticsOfRunning, updateRunning } from './runningStatistics';
export { averageReplicas, sumSlices } from './sums';
export { averageWindows, maxPool, poolBackward } from './windowPool';
export { copyWindow } from './window';
