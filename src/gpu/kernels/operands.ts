import type { PlanOp, TensorId } from '../../core/nn/plan.ts';
import type { UniformFields, UniformValues } from './uniforms.ts';

export type OpOf<Kind extends PlanOp['kind']> = Extract<PlanOp, { readonly kind: Kind }>;

/** A range of a buffer, in bytes. */
export type BufferRange = Required<GPUBufferBinding>;

/** What kernels bind: the buffers of one trainer. */
export interface Operands {
  tensor(id: TensorId): BufferRange;
  /** A uniform struct, kept for the trainer's life. */
  uniform<Fields extends UniformFields>(
    fields: Fields,
    values: UniformValues<Fields>,
  ): GPUBufferBinding;
  /** Partial results between the calls of one op. */
  readonly scratch: GPUBufferBinding;
  /** Moments that the convolution which makes a tensor leaves for batch-norm's statistics of it. */
  moments(made: TensorId): GPUBufferBinding;
  /** Whole buffers, gaps of alignment included. */
  readonly parameters: GPUBufferBinding;
  readonly gradients: GPUBufferBinding;
  readonly velocities: GPUBufferBinding;
  /** The rates of the current step. */
  readonly rates: GPUBufferBinding;
}

/** Names a call of an op's kernel. */
export function callLabel(op: PlanOp, part?: string): string {
  return part === undefined ? `${op.name} ${op.kind}` : `${op.name} ${op.kind} (${part})`;
}
