import type { Kernel, Layer, ValueName } from './graph.ts';

/** Global average pool, dense head and loss: how every network of the zoo ends. */
export function classifier(input: ValueName, classes: number): Layer[] {
  return [
    { name: 'pool', kind: 'globalAveragePool', input },
    { name: 'head', kind: 'dense', input: 'pool', outFeatures: classes },
    { name: 'loss', kind: 'softmaxCrossEntropy', input: 'head' },
  ];
}

/** NAME.conv, then NAME.bn with ReLU, whose name is that of the result. */
export function convNormRelu(
  name: string,
  input: ValueName,
  outChannels: number,
  kernel: Kernel,
  stride = 1,
): readonly [Layer, Layer] {
  return [
    { name: `${name}.conv`, kind: 'conv2d', input, outChannels, kernel, stride },
    { name: `${name}.bn`, kind: 'batchNorm', input: `${name}.conv`, activation: 'relu' },
  ];
}
