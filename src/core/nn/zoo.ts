import type { Layer } from './graph.ts';

/** The basic-block network: what `residualNetwork` needs to write out the layers. */
export interface ResidualNetwork {
  /** Channels of each stage; every stage after the first halves the image. */
  readonly channels: readonly number[];
  readonly blocksPerStage: number;
}

/** The CIFAR ResNet of depth 6n + 2 (He et al. 2015, section 4.2), `width` times as wide. */
export function cifarResNet(n: number, width = 1): ResidualNetwork {
  return { channels: [16, 32, 64].map((channels) => channels * width), blocksPerStage: n };
}

export const modelNames = ['resnet8'] as const;
export type ModelName = (typeof modelNames)[number];

const zoo: Readonly<Record<ModelName, ResidualNetwork>> = {
  resnet8: cifarResNet(1),
};

/** The layers of a model of the zoo, in drawing order. */
export function modelLayers(name: ModelName, classes: number): Layer[] {
  return residualNetwork(zoo[name], classes);
}

/**
 * Stem, stages of basic blocks, global average pool, dense head, loss; the names are those of the
 * golden files. A block whose input and output differ in shape has a 1x1 projection with
 * batch-norm on its shortcut, else the shortcut is the input itself.
 */
export function residualNetwork(network: ResidualNetwork, classes: number): Layer[] {
  const [stemChannels = 16] = network.channels;
  const layers: Layer[] = [
    {
      name: 'stem.conv',
      kind: 'conv2d',
      input: 'images',
      outChannels: stemChannels,
      kernel: 3,
      stride: 1,
    },
    { name: 'stem.bn', kind: 'batchNorm', input: 'stem.conv', activation: 'relu' },
  ];
  let input = 'stem.bn';
  let inChannels = stemChannels;
  for (const [stage, outChannels] of network.channels.entries()) {
    for (let block = 0; block < network.blocksPerStage; block += 1) {
      const name = `stage${stage + 1}.block${block + 1}`;
      const stride = stage > 0 && block === 0 ? 2 : 1;
      layers.push(...basicBlock({ name, input, inChannels, outChannels, stride }));
      input = `${name}.bn2`;
      inChannels = outChannels;
    }
  }
  layers.push(
    { name: 'pool', kind: 'globalAveragePool', input },
    { name: 'head', kind: 'dense', input: 'pool', outFeatures: classes },
    { name: 'loss', kind: 'softmaxCrossEntropy', input: 'head' },
  );
  return layers;
}

interface Block {
  readonly name: string;
  readonly input: string;
  readonly inChannels: number;
  readonly outChannels: number;
  readonly stride: number;
}

function basicBlock({ name, input, inChannels, outChannels, stride }: Block): Layer[] {
  const projected = stride !== 1 || inChannels !== outChannels;
  const residual = projected ? `${name}.proj.bn` : input;
  const main: Layer[] = [
    { name: `${name}.conv1`, kind: 'conv2d', input, outChannels, kernel: 3, stride },
    { name: `${name}.bn1`, kind: 'batchNorm', input: `${name}.conv1`, activation: 'relu' },
    {
      name: `${name}.conv2`,
      kind: 'conv2d',
      input: `${name}.bn1`,
      outChannels,
      kernel: 3,
      stride: 1,
    },
    {
      name: `${name}.bn2`,
      kind: 'batchNorm',
      input: `${name}.conv2`,
      activation: 'relu',
      residual,
    },
  ];
  const shortcut: Layer[] = [
    { name: `${name}.proj.conv`, kind: 'conv2d', input, outChannels, kernel: 1, stride },
    { name: `${name}.proj.bn`, kind: 'batchNorm', input: `${name}.proj.conv`, activation: 'none' },
  ];
  return projected ? [...main, ...shortcut] : main;
}
