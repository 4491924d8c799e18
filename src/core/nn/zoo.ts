import type { Layer } from './graph.ts';
import { inceptionNetwork } from './inception.ts';
import { classifier } from './layers.ts';

/** What tells one network of stages of blocks from another; `residualNetwork` writes out the layers. */
export interface ResidualNetwork {
  /** Channels of each stage's 3x3 convolutions; every stage after the first halves the image. */
  readonly channels: readonly number[];
  readonly blocksPerStage: number;
  /** Two 3x3 convolutions, or 1x1, 3x3 and 1x1 to four times the channels. */
  readonly block: 'basic' | 'bottleneck';
  /** Whether a block's input is added to its output. */
  readonly shortcuts: boolean;
}

/** The CIFAR ResNet of depth 6n + 2 (He et al. 2015, section 4.2), `width` times as wide. */
export function cifarResNet(n: number, width = 1): ResidualNetwork {
  const channels = [16, 32, 64].map((narrow) => narrow * width);
  return { channels, blocksPerStage: n, block: 'basic', shortcuts: true };
}

const zoo = {
  resnet8: cifarResNet(1),
  resnet14: cifarResNet(2),
  resnet20: cifarResNet(3),
  resnet32: cifarResNet(5),
  resnet56: cifarResNet(9),
  resnet8x2: cifarResNet(1, 2),
  resnet8x4: cifarResNet(1, 4),
  resnet8x8: cifarResNet(1, 8),
  resnet14x2: cifarResNet(2, 2),
  resnet14x4: cifarResNet(2, 4),
  resnet14x8: cifarResNet(2, 8),
  resnet20x2: cifarResNet(3, 2),
  resnet20x4: cifarResNet(3, 4),
  resnet20x8: cifarResNet(3, 8),
  resnet32x2: cifarResNet(5, 2),
  resnet32x4: cifarResNet(5, 4),
  resnet32x8: cifarResNet(5, 8),
  resnet56x2: cifarResNet(9, 2),
  resnet56x4: cifarResNet(9, 4),
  resnet56x8: cifarResNet(9, 8),
  /** The wide one: only here does reuse grow much with the batch. */
  resnet18: { ...cifarResNet(2), channels: [64, 128, 256, 512] },
  plain8: { ...cifarResNet(1), shortcuts: false },
  plain14: { ...cifarResNet(2), shortcuts: false },
  plain20: { ...cifarResNet(3), shortcuts: false },
  plain32: { ...cifarResNet(5), shortcuts: false },
  plain56: { ...cifarResNet(9), shortcuts: false },
  bottleneck11: { ...cifarResNet(1), block: 'bottleneck' },
  bottleneck29: { ...cifarResNet(3), block: 'bottleneck' },
  inception: 'inception',
} as const satisfies Readonly<Record<string, ResidualNetwork | 'inception'>>;

export type ModelName = keyof typeof zoo;
export const modelNames = Object.keys(zoo) as readonly ModelName[];

export function isModelName(name: string): name is ModelName {
  return (modelNames as readonly string[]).includes(name);
}

/** The layers of a model of the zoo, in drawing order. */
export function modelLayers(name: ModelName, classes: number): Layer[] {
  const network = zoo[name];
  return network === 'inception' ? inceptionNetwork(classes) : residualNetwork(network, classes);
}

/**
 * Stem, stages of blocks, global average pool, dense head, loss; the names are those of the golden
 * files. Only a block's last batch-norm has a residual.
 */
export function residualNetwork(network: ResidualNetwork, classes: number): Layer[] {
  const [stemChannels = 16] = network.channels;
  const layers: Layer[] = [
    conv('stem.conv', 'images', { kernel: 3, channels: stemChannels, stride: 1 }),
    { name: 'stem.bn', kind: 'batchNorm', input: 'stem.conv', activation: 'relu' },
  ];
  let from: Block['from'] = { value: 'stem.bn', channels: stemChannels };
  for (const [stage, channels] of network.channels.entries())
    for (let block = 0; block < network.blocksPerStage; block += 1) {
      const name = `stage${stage + 1}.block${block + 1}`;
      const stride = stage > 0 && block === 0 ? 2 : 1;
      const convolutions = blockConvolutions[network.block](channels, stride);
      layers.push(...blockLayers({ name, from, convolutions, shortcut: network.shortcuts }));
      from = {
        value: `${name}.bn${convolutions.length}`,
        channels: convolutions.at(-1)?.channels ?? channels,
      };
    }
  return [...layers, ...classifier(from.value, classes)];
}

interface Convolution {
  readonly kernel: number;
  readonly channels: number;
  readonly stride: number;
}

interface Block {
  readonly name: string;
  readonly from: { readonly value: string; readonly channels: number };
  readonly convolutions: readonly Convolution[];
  readonly shortcut: boolean;
}

/** The convolutions of a block whose first image step is `stride`. */
const blockConvolutions = {
  basic: (channels: number, stride: number): Convolution[] => [
    { kernel: 3, channels, stride },
    { kernel: 3, channels, stride: 1 },
  ],
  bottleneck: (channels: number, stride: number): Convolution[] => [
    { kernel: 1, channels, stride: 1 },
    { kernel: 3, channels, stride },
    { kernel: 1, channels: 4 * channels, stride: 1 },
  ],
};

function blockLayers({ name, from, convolutions, shortcut }: Block): Layer[] {
  const stride = convolutions.reduce((product, part) => product * part.stride, 1);
  const channels = convolutions.at(-1)?.channels ?? from.channels;
  const projected = shortcut && (stride !== 1 || channels !== from.channels);
  const residual = projected ? `${name}.proj.bn` : from.value;
  const main = convolutions.flatMap((part, at): Layer[] => {
    const input = at === 0 ? from.value : `${name}.bn${at}`;
    const last = at === convolutions.length - 1;
    return [
      conv(`${name}.conv${at + 1}`, input, part),
      {
        name: `${name}.bn${at + 1}`,
        kind: 'batchNorm',
        input: `${name}.conv${at + 1}`,
        activation: 'relu',
        ...(last && shortcut ? { residual } : {}),
      },
    ];
  });
  if (!projected) return main;
  return [
    ...main,
    conv(`${name}.proj.conv`, from.value, { kernel: 1, channels, stride }),
    { name: residual, kind: 'batchNorm', input: `${name}.proj.conv`, activation: 'none' },
  ];
}

function conv(name: string, input: string, { kernel, channels, stride }: Convolution): Layer {
  return { name, kind: 'conv2d', input, outChannels: channels, kernel, stride };
}
