import type { Kernel, Layer, ValueName } from './graph.ts';
import { classifier, convNormRelu } from './layers.ts';

/**
 * A small network of inception modules after Szegedy et al., Rethinking the inception architecture
 * for computer vision, 2015 (arXiv:1512.00567), figures 5, 6 and 10, for images of 32x32: parallel
 * branches joined in the channels, kernels factorised into 1xN and Nx1, pools among the branches.
 */
export function inceptionNetwork(classes: number): Layer[] {
  return [
    ...convNormRelu('stem', 'images', 16, 3),
    { name: 'stem.pool', kind: 'maxPool', input: 'stem.bn', kernel: 3, stride: 2, padding: 1 },
    ...module('mixed1', 'stem.pool', [
      [{ channels: 16, kernel: 1 }],
      [
        { channels: 16, kernel: 1 },
        { channels: 16, kernel: 3 },
      ],
      [
        { channels: 8, kernel: 1 },
        { channels: 16, kernel: 3 },
        { channels: 16, kernel: 3 },
      ],
      ['averagePool', { channels: 16, kernel: 1 }],
    ]),
    ...module('reduction', 'mixed1.concat', [
      [{ channels: 32, kernel: 3, stride: 2 }],
      [
        { channels: 16, kernel: 1 },
        { channels: 24, kernel: 3 },
        { channels: 32, kernel: 3, stride: 2 },
      ],
      ['maxPool'],
    ]),
    ...module('mixed2', 'reduction.concat', [
      [{ channels: 32, kernel: 1 }],
      [
        { channels: 24, kernel: 1 },
        { channels: 32, kernel: [1, 7] },
        { channels: 32, kernel: [7, 1] },
      ],
      [
        { channels: 24, kernel: 1 },
        { channels: 32, kernel: [1, 3] },
        { channels: 32, kernel: [3, 1] },
      ],
      ['averagePool', { channels: 32, kernel: 1 }],
    ]),
    ...classifier('mixed2.concat', classes),
  ];
}

/** A convolution with batch-norm and ReLU, or a 3x3 pool: the maximum halves the image. */
type Part =
  | { readonly channels: number; readonly kernel: Kernel; readonly stride?: number }
  | 'averagePool'
  | 'maxPool';

/**
 * Branches of parts one after another, all from `input`, joined as NAME.concat. The branch that
 * pools comes last: its gradient is then the first, which the convolutions add theirs to.
 */
function module(name: string, input: ValueName, branches: readonly (readonly Part[])[]): Layer[] {
  const layers: Layer[] = [];
  const inputs = branches.map((parts, branch) => {
    let value = input;
    for (const [at, part] of parts.entries()) {
      const added = partLayers(`${name}.branch${branch + 1}.part${at + 1}`, value, part);
      layers.push(...added);
      value = added.at(-1)?.name ?? value;
    }
    return value;
  });
  return [...layers, { name: `${name}.concat`, kind: 'concat', inputs }];
}

function partLayers(name: string, input: ValueName, part: Part): readonly Layer[] {
  switch (part) {
    case 'averagePool':
    case 'maxPool':
      return [
        { name, kind: part, input, kernel: 3, stride: part === 'maxPool' ? 2 : 1, padding: 1 },
      ];
    default:
      return convNormRelu(name, input, part.channels, part.kernel, part.stride);
  }
}
