import { expect } from 'vitest';
import type { PlanOp, StepRates, TensorSpec } from '../../../src/core/nn/plan.ts';
import { runReferenceOp, type TensorOp } from '../../../src/core/nn/reference.ts';
import { Kernels } from '../../../src/cpu/kernels.ts';
import { loadModule, moduleBuilds, type ModuleBuild } from '../../../src/cpu/module.ts';
import { opCall } from '../../../src/cpu/train/opCalls.ts';
import { elementSize, type OpCall, type Operands } from '../../../src/cpu/train/opCall.ts';
import { firstDifference } from '../../support/bits.ts';
import { expectWithin, roundoff, type TensorList } from '../nn/opHarness.ts';

const wasmPageSize = 65_536;
/** Between tensors, and what a kernel may read past the end of one. */
const gap = 256;
export const rates: StepRates = { learningRate: 0.05, momentum: 0.9, weightDecay: 5e-4 };

const modules = new Map<ModuleBuild, WebAssembly.Module>();
for (const build of moduleBuilds) modules.set(build, (await loadModule(false, [build])).module);

/**
 * How the tiles of a phase are run: all by one thread, or by two with scratch of their own. Backwards
 * they are cut for caches so small that convolutions have more of them, and panels of weights parts.
 */
const orders = ['forwards', 'backwards', 'two threads'] as const;
const smallCaches = { l1: 2 ** 13, l2: 2 ** 14 };

/** Everything in memory that is no tensor is NaN: what is read there by mistake shows. */
class PoisonedMemory {
  readonly memory: WebAssembly.Memory;
  readonly #list: TensorList;
  readonly #places: number[] = [];
  readonly #buffers = new Map<string, number>();
  readonly #scratch: { readonly shared: number; readonly own: readonly number[] };
  #end = 1024;

  constructor(list: TensorList, call: OpCall) {
    this.#list = list;
    for (const storage of ['parameter', 'gradient', 'velocity'])
      this.#buffers.set(storage, this.#take(list.parameterLength * elementSize));
    this.#buffers.set('running', this.#take(list.runningLength * elementSize));
    for (const spec of list.specs) {
      const buffer = this.#buffers.get(spec.storage);
      this.#places.push(
        buffer === undefined
          ? this.#take(spec.length * elementSize)
          : buffer + spec.offset * elementSize,
      );
    }
    const shared = this.#take(call.sharedSize);
    this.#scratch = { shared, own: [this.#take(call.ownSize), this.#take(call.ownSize)] };
    const pages = Math.ceil(this.#end / wasmPageSize);
    this.memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  }

  fill(): void {
    new Float32Array(this.memory.buffer).fill(NaN);
    for (const spec of this.#list.specs) {
      const values = this.#list.values[spec.id]!;
      if (spec.storage === 'labels')
        new Uint32Array(this.memory.buffer, this.#places[spec.id], spec.length).set(values);
      else this.#view(spec).set(values);
    }
  }

  operands(functions: Operands['functions'], thread: number): Operands {
    return {
      functions,
      parameters: this.#buffers.get('parameter')!,
      gradients: this.#buffers.get('gradient')!,
      velocities: this.#buffers.get('velocity')!,
      shared: this.#scratch.shared,
      own: this.#scratch.own[thread]!,
      address: (id) => this.#places[id]!,
    };
  }

  read(): Float32Array[] {
    return this.#list.specs.map((spec) => this.#view(spec).slice());
  }

  /** Nothing outside of tensors and scratch was written. */
  expectGapsUntouched(): void {
    const bits = new Uint32Array(this.memory.buffer.slice(0));
    const [poison] = new Uint32Array(Float32Array.of(NaN).buffer);
    for (const [id, spec] of this.#list.specs.entries()) {
      const first = this.#places[id]! / elementSize;
      bits.fill(poison!, first, first + spec.length);
    }
    bits.fill(poison!, this.#scratch.shared / elementSize);
    expect(bits.every((word) => word === poison)).toBe(true);
  }

  #view({ id, length }: TensorSpec): Float32Array {
    return new Float32Array(this.memory.buffer, this.#places[id], length);
  }

  #take(size: number): number {
    const start = this.#end;
    this.#end = Math.ceil((start + size + gap) / gap) * gap;
    return start;
  }
}

function runPhases(call: OpCall, threads: readonly Operands[], order: (typeof orders)[number]) {
  const phases = threads.map((operands) => call.phases(operands));
  for (const [at, { tiles }] of phases[0]!.entries())
    for (let step = 0; step < tiles; step++) {
      const tile = order === 'backwards' ? tiles - 1 - step : step;
      const thread = order === 'two threads' ? step % 2 : 0;
      phases[thread]![at]!.run(tile, rates);
    }
}

/**
 * Runs an op with both builds of the module, its tiles in every order, requires that a build gives
 * the same bits in any and for any cache, and gives the tensors as they are after each build.
 */
export async function runOnCpu(op: PlanOp, list: TensorList): Promise<Float32Array[][]> {
  const call = opCall(op);
  const smallCall = opCall(op, smallCaches);
  const results: Float32Array[][] = [];
  for (const module of modules.values()) {
    const memory = new PoisonedMemory(list, call);
    const { training } = await Kernels.instantiate(module, memory.memory);
    const runs = orders.map((order) => {
      memory.fill();
      const own = order === 'backwards' ? smallCall : call;
      runPhases(own, [memory.operands(training, 0), memory.operands(training, 1)], order);
      memory.expectGapsUntouched();
      return memory.read();
    });
    for (const run of runs.slice(1))
      for (const [id, tensor] of run.entries())
        expect(firstDifference(tensor, runs[0]![id]!), `tensor ${id}`).toBe(-1);
    results.push(runs[0]!);
  }
  return results;
}

/**
 * Holds an op to the reference. Each result is a sum of at most `terms` products: in whatever order
 * it is added up, it is off by at most (terms + 2) roundoffs of the sum of the products' magnitudes
 * (Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition, section 3.1), which the
 * reference makes from the operands' magnitudes. Other tensors stay as they were.
 */
export async function checkSums(
  op: TensorOp,
  list: TensorList,
  results: readonly number[],
  terms: number,
): Promise<void> {
  const reference = list.values.map((values) => values.slice());
  runReferenceOp(op, reference);
  const magnitudes = list.values.map((values) => values.map(Math.abs));
  runReferenceOp(op, magnitudes);
  for (const actual of await runOnCpu(op, list))
    for (const { id, storage } of list.specs) {
      if (storage === 'labels') continue;
      const most = results.includes(id) ? (terms + 2) * roundoff : 0;
      expectWithin(actual[id]!, reference[id]!, (at) => most * magnitudes[id]![at]!);
    }
  for (const id of results) expect(reference[id]!.some((value) => value !== 0)).toBe(true);
}
