import type { TensorId, TensorSpec } from '../plan.ts';

/** The buffers that tensors of these storages are parts of. */
export type SharedBuffers = Readonly<
  Partial<Record<'parameter' | 'gradient' | 'velocity' | 'running', Float64Array>>
>;

/** The tensors of a plan in float64, by id: views of the shared buffers, or their own. */
export class ReferenceTensors {
  readonly all: readonly Float64Array[];

  constructor(specs: readonly TensorSpec[], shared: SharedBuffers) {
    this.all = specs.map((spec) => place(spec, shared));
  }

  get(id: TensorId): Float64Array {
    const tensor = this.all[id];
    if (tensor === undefined) throw new Error(`no tensor ${id} in the plan`);
    return tensor;
  }

  mean(id: TensorId): number {
    const tensor = this.get(id);
    return tensor.reduce((sum, value) => sum + value, 0) / tensor.length;
  }
}

function place({ name, storage, offset, length }: TensorSpec, shared: SharedBuffers): Float64Array {
  switch (storage) {
    case 'parameter':
    case 'gradient':
    case 'velocity':
    case 'running': {
      const buffer = shared[storage];
      if (buffer === undefined) throw new Error(`${name} has no buffer of kind ${storage}`);
      return buffer.subarray(offset, offset + length);
    }
    case 'input':
    case 'labels':
    case 'activation':
    case 'statistics':
      return new Float64Array(length);
  }
}
