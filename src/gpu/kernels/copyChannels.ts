import source from '../../../shaders/nn/copy-channels.wgsl?raw';
import { ComputeKernel, type KernelCall, type KernelContext } from './computeKernel.ts';
import { callLabel, type Operands, type OpOf } from './operands.ts';
import type { ConcatGeometry, TensorId } from '../../core/nn/plan.ts';
import type { UniformValues } from './uniforms.ts';

/** `ChannelBlock` of shaders/nn/copy-channels.wgsl. */
export const channelBlockFields = {
  pixels: 'u32',
  channels: 'u32',
  sourceChannels: 'u32',
  sourceFirst: 'u32',
  targetChannels: 'u32',
  targetFirst: 'u32',
} as const;

/** Owner of shaders/nn/copy-channels.wgsl. */
export class CopyChannels {
  readonly #kernel: ComputeKernel;

  private constructor(kernel: ComputeKernel) {
    this.#kernel = kernel;
  }

  static async create(context: KernelContext): Promise<CopyChannels> {
    const kernel = await ComputeKernel.create(context, {
      owner: 'CopyChannels',
      entryPoint: 'copyChannels',
      sources: [source],
      bindings: ['uniform', 'read', 'write'],
    });
    return new CopyChannels(kernel);
  }

  /** A call for each branch: its channels into their place in the output. */
  join(op: OpOf<'concat.forward'>, operands: Operands): KernelCall[] {
    return branches(op.geometry).map(({ branch, first, channels, total }) => {
      const block = {
        sourceChannels: channels,
        sourceFirst: 0,
        targetChannels: total,
        targetFirst: first,
      };
      const [from, to] = [op.inputs[branch]!, op.output];
      return this.#copy(op, operands, { ...block, channels }, from, to);
    });
  }

  /** A call for each branch: its channels out of the output's gradient. */
  split(op: OpOf<'concat.backward'>, operands: Operands): KernelCall[] {
    return branches(op.geometry).map(({ branch, first, channels, total }) => {
      const block = {
        sourceChannels: total,
        sourceFirst: first,
        targetChannels: channels,
        targetFirst: 0,
      };
      const [from, to] = [op.outputGradient, op.inputGradients[branch]!];
      return this.#copy(op, operands, { ...block, channels }, from, to);
    });
  }

  #copy(
    op: OpOf<'concat.forward' | 'concat.backward'>,
    operands: Operands,
    block: Omit<UniformValues<typeof channelBlockFields>, 'pixels'>,
    from: TensorId,
    to: TensorId,
  ): KernelCall {
    const { pixels } = op.geometry;
    const lanes = pixels * block.channels;
    return this.#kernel.call(callLabel(op), { lanes, issuedBytes: 8 * lanes }, [
      operands.uniform(channelBlockFields, { pixels, ...block }),
      operands.tensor(from),
      operands.tensor(to),
    ]);
  }
}

/** Where each branch's channels lie among all of them. */
function branches({ channels: widths }: ConcatGeometry) {
  const total = widths.reduce((sum, width) => sum + width, 0);
  let next = 0;
  return widths.map((channels, branch) => {
    const first = next;
    next += channels;
    return { branch, first, channels, total };
  });
}
