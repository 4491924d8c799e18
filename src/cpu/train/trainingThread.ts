import type { StepRates } from '../../core/nn/plan.ts';
import { Barrier } from '../barrier.ts';
import { Kernels } from '../kernels.ts';
import { averagePhase, type ReplicaShares } from './averagePhase.ts';
import type { CacheSizes } from './caches.ts';
import type { Operands } from './opCall.ts';
import type { StepPlan } from './replicas.ts';
import { addressOf, stepLayout } from './stepLayout.ts';
import { StepRunner, type StepProgram, type StepTimes } from './stepRunner.ts';
import { TileCounter } from './tileCounter.ts';
import { controlPage, replicaBase, trainingMemory } from './trainingMemory.ts';

/** A thread's place in a training run. */
export interface TrainingPlace {
  readonly module: WebAssembly.Module;
  /** Of the replica that it belongs to. */
  readonly plan: StepPlan;
  /** Memory of all replicas; absent where every replica is a thread with memory of its own. */
  readonly memory?: WebAssembly.Memory;
  readonly replica: number;
  readonly replicas: ReplicaShares;
  /** Threads of each replica, and which of them this is. */
  readonly threads: number;
  readonly index: number;
  readonly caches?: CacheSizes;
}

/** What one thread does of a training run. Addresses are in bytes of its memory. */
export class TrainingThread {
  readonly #memory: WebAssembly.Memory;
  readonly #runner: StepRunner;

  private constructor(memory: WebAssembly.Memory, runner: StepRunner) {
    this.#memory = memory;
    this.#runner = runner;
  }

  /** Undefined where there is no memory. */
  static async create(place: TrainingPlace): Promise<TrainingThread | undefined> {
    const { module, plan, threads, index, replica, replicas, caches } = place;
    const memory = place.memory ?? trainingMemory(1, replicas.regionSize, false);
    if (memory === undefined) return undefined;
    const layout = stepLayout(plan, threads, caches);
    const { training: functions } = await Kernels.instantiate(module, memory);
    // Alone on its memory a replica is the first and only one.
    const shared = place.memory !== undefined;
    const [count, own] = shared ? [replicas.shares.length, replica] : [1, 0];
    const base = replicaBase(count, replicas.regionSize, own);
    const operands: Operands = {
      functions,
      parameters: base + layout.parameters,
      gradients: base + layout.gradients,
      velocities: base + layout.velocities,
      shared: base + layout.shared,
      own: base + layout.own + index * layout.ownSize,
      address: (id) => addressOf(layout, base, id),
    };
    const update = plan.ops.findIndex(({ kind }) => kind === 'momentum.update');
    const program: StepProgram = {
      ops: layout.calls.map((call) => call.phases(operands)),
      update: update === -1 ? plan.ops.length : update,
      ...(count > 1 && {
        average: averagePhase(functions, replicas, layout.gradients, plan.parameterLength),
      }),
    };
    const crew = (page: number, members: number) => ({
      barrier: new Barrier(memory, members, controlPage(page)),
      counter: new TileCounter(memory, controlPage(page)),
    });
    const all = crew(0, shared ? threads * count : 1);
    return new TrainingThread(memory, new StepRunner(program, crew(1 + own, threads), all));
  }

  step(rates: StepRates): StepTimes {
    return this.#runner.step(rates);
  }

  part(part: 'gradients' | 'update', rates: StepRates): StepTimes {
    return this.#runner.part(part, rates);
  }

  write(address: number, bytes: Uint8Array): void {
    new Uint8Array(this.#memory.buffer).set(bytes, address);
  }

  read(address: number, size: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#memory.buffer).slice(address, address + size);
  }
}
