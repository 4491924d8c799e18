import { inputsOf, lookUp, type Layer, type ValueName } from './graph.ts';
import type {
  ImageShape,
  ParameterSpec,
  PlanOp,
  TensorId,
  TensorSpec,
  TensorStorage,
} from './plan.ts';

/** Parameters start at multiples of this many elements: 256 bytes of f32, WebGPU's binding grain. */
export const parameterAlignment = 64;

/** The tensors and ops of a plan while the rules of `trainingPlan.ts` write them down. */
export class PlanBuilder<Parameter extends ParameterSpec = ParameterSpec> {
  readonly tensors: TensorSpec[] = [];
  readonly ops: PlanOp[] = [];
  /** Elements of the parameter buffer, of its decaying front, and of the running statistics. */
  parameterLength = 0;
  decayLength = 0;
  runningLength = 0;

  private readonly values = new Map<ValueName, TensorId>();
  private readonly parameterByName = new Map<string, Parameter>();
  private readonly gradients = new Map<ValueName, { id: TensorId; contributions: number }>();
  private readonly consumers = new Map<ValueName, number>();

  constructor(
    readonly batch: number,
    readonly shapes: ReadonlyMap<ValueName, ImageShape>,
    layers: readonly Layer[],
  ) {
    for (const value of layers.flatMap(inputsOf))
      this.consumers.set(value, (this.consumers.get(value) ?? 0) + 1);
  }

  tensor(name: string, shape: readonly number[], storage: TensorStorage, offset = 0): TensorId {
    const id = this.tensors.length;
    const length = elementCount(shape);
    this.tensors.push({ id, name, shape, length, storage, offset });
    return id;
  }

  /** Writes down the tensor of the network's input. */
  input(): TensorId {
    const id = this.tensor('images', this.batchShape('images'), 'input');
    this.values.set('images', id);
    return id;
  }

  /** Writes down the tensor of a layer's output. */
  output(value: ValueName): TensorId {
    const id = this.tensor(`${value}.output`, this.batchShape(value), 'activation');
    this.values.set(value, id);
    return id;
  }

  /** [2, channels] of a batch-norm layer, found again as the value `LAYER.statistics`. */
  statistics(layer: string, channels: number): TensorId {
    const name = `${layer}.statistics`;
    const id = this.tensor(name, [2, channels], 'statistics');
    this.values.set(name, id);
    return id;
  }

  /** Which tap won each output of a maximum pool, found again as the value `LAYER.taps`. */
  taps(layer: string): TensorId {
    const name = `${layer}.taps`;
    const id = this.tensor(name, this.batchShape(layer), 'activation');
    this.values.set(name, id);
    return id;
  }

  /** Running statistics, [2, channels], of a batch-norm layer. */
  addRunning(layer: string, channels: number): void {
    const name = `${layer}.running`;
    const id = this.tensor(name, [2, channels], 'running', this.runningLength);
    this.values.set(name, id);
    this.runningLength += aligned(2 * channels);
  }

  running(layer: string): TensorId {
    return this.value(`${layer}.running`);
  }

  value(value: ValueName): TensorId {
    return lookUp(this.values, value);
  }

  addParameter(parameter: Parameter): void {
    this.parameterByName.set(parameter.name, parameter);
  }

  /** In drawing order. */
  get parameters(): Parameter[] {
    return [...this.parameterByName.values()];
  }

  parameter(name: string): Parameter {
    return lookUp(this.parameterByName, name);
  }

  /** Images get no gradient: nothing trains below them. */
  needsGradient(value: ValueName): boolean {
    return value !== 'images';
  }

  /** The finished gradient of a value; all its consumers have been through `contribute`. */
  gradient(value: ValueName): TensorId {
    const { id, contributions } = lookUp(this.gradients, value);
    if (contributions !== this.consumers.get(value))
      throw new Error(`the gradient of ${value} is not complete`);
    return id;
  }

  /**
   * One consumer's turn in the gradient of a value: the first writes it, each later one writes the
   * sum of the earlier `addend` and its own part. The new tensor is never the addend, for no op
   * reads what it writes.
   */
  contribute(value: ValueName): { readonly addend?: TensorId; readonly gradient: TensorId } {
    const before = this.gradients.get(value);
    const contributions = (before?.contributions ?? 0) + 1;
    const total = lookUp(this.consumers, value);
    const partial = contributions === total ? '' : `.${contributions}`;
    const name = `${value}.output.gradient${partial}`;
    const gradient = this.tensor(name, this.batchShape(value), 'activation');
    this.gradients.set(value, { id: gradient, contributions });
    return before === undefined ? { gradient } : { addend: before.id, gradient };
  }

  /**
   * `contribute` for an op without an addend: `emit` writes the op for the gradient it is given,
   * and where others have contributed before, an `add` joins the two.
   */
  contributeApart(value: ValueName, op: string, emit: (gradient: TensorId) => void): void {
    if (!this.gradients.has(value)) {
      emit(this.contribute(value).gradient);
      return;
    }
    const own = `${value}.output.gradient.${op}`;
    const right = this.tensor(own, this.batchShape(value), 'activation');
    emit(right);
    const { addend: left, gradient: sum } = this.contribute(value);
    if (left === undefined) throw new Error(`${own} has nothing to be added to`);
    const { length } = this.tensors[sum]!;
    this.ops.push({ name: op, kind: 'add', length, left, right, sum });
  }

  private batchShape(value: ValueName): readonly number[] {
    const { height, width, channels } = lookUp(this.shapes, value);
    const flat = height === 1 && width === 1;
    return flat ? [this.batch, channels] : [this.batch, height, width, channels];
  }
}

/** A length that the next tensor of a shared buffer may follow. */
export function aligned(length: number): number {
  return Math.ceil(length / parameterAlignment) * parameterAlignment;
}

/** Product of a shape: how many elements a tensor has. */
export function elementCount(shape: readonly number[]): number {
  return shape.reduce((product, extent) => product * extent, 1);
}
