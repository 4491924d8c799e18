import source from '../../../shaders/nn/add.wgsl?raw';
import { ComputeKernel, type KernelCall, type KernelContext } from './computeKernel.ts';
import { callLabel, type Operands, type OpOf } from './operands.ts';

/** `Addition` of shaders/nn/add.wgsl. */
export const additionFields = { length: 'u32' } as const;

/** Owner of shaders/nn/add.wgsl. */
export class Add {
  readonly #kernel: ComputeKernel;

  private constructor(kernel: ComputeKernel) {
    this.#kernel = kernel;
  }

  static async create(context: KernelContext): Promise<Add> {
    const kernel = await ComputeKernel.create(context, {
      owner: 'Add',
      entryPoint: 'addBranches',
      sources: [source],
      bindings: ['uniform', 'read', 'read', 'write'],
    });
    return new Add(kernel);
  }

  call(op: OpOf<'add'>, operands: Operands): KernelCall {
    return this.#kernel.call(callLabel(op), { lanes: op.length, issuedBytes: 12 * op.length }, [
      operands.uniform(additionFields, { length: op.length }),
      operands.tensor(op.left),
      operands.tensor(op.right),
      operands.tensor(op.sum),
    ]);
  }
}
