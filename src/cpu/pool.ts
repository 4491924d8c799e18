import { CpuFault, cpuFault } from './faults.ts';
import { allocate } from './memory.ts';
import { BarrierMeeting, clockOffsetsOf, OverlapMeeting } from './meeting.ts';
import { Team } from './team.ts';
import type { CpuThread } from './thread.ts';

/** `CpuThread` as it is called from another worker. */
export type ThreadClient = {
  readonly [Method in keyof CpuThread]: (
    ...parameters: Parameters<CpuThread[Method]>
  ) => Promise<Awaited<ReturnType<CpuThread[Method]>>>;
};

/** A running thread worker, however it was started. */
export interface ThreadWorker {
  readonly client: ThreadClient;
  /** Rejects with a message when the worker fails; calls to it then never end. */
  readonly failed: Promise<never>;
  terminate(): void;
}

/** A thread of the pool; its calls end when it dies. */
export class ThreadHandle {
  readonly client: ThreadClient;
  /** Reject the calls that are under way. */
  readonly #waiting = new Set<(reason: unknown) => void>();
  #fault: CpuFault | undefined;

  constructor({ client, failed }: ThreadWorker) {
    this.client = client;
    // A thread that dies between calls is met by the next.
    failed.catch((error: unknown) => {
      this.#fault = new CpuFault(cpuFault('worker', String(error)));
      for (const reject of this.#waiting) reject(this.#fault);
    });
  }

  /** What the thread answers. A race against its death would keep a little of each call until then. */
  async call<T>(result: Promise<T>): Promise<T> {
    if (this.#fault !== undefined) throw this.#fault;
    return new Promise<T>((resolve, reject) => {
      this.#waiting.add(reject);
      const end = (): boolean => this.#waiting.delete(reject);
      result.then(resolve, reject).then(end, end);
    });
  }
}

/** All threads of a run, started once; teams of the first few of them measure in turn. */
export class Pool {
  readonly #workers: readonly ThreadWorker[];
  readonly #threads: readonly ThreadHandle[];
  readonly module: WebAssembly.Module;
  readonly sharedMemory: boolean;
  readonly signal: AbortSignal;
  #clockStep: Promise<number> | undefined;

  constructor(
    workers: readonly ThreadWorker[],
    module: WebAssembly.Module,
    sharedMemory: boolean,
    signal: AbortSignal,
  ) {
    this.#workers = workers;
    this.#threads = workers.map((worker) => new ThreadHandle(worker));
    this.module = module;
    this.sharedMemory = sharedMemory;
    this.signal = signal;
  }

  /** The smallest step of the threads' clock, in seconds. */
  clockStep(): Promise<number> {
    const thread = this.#threads[0]!;
    this.#clockStep ??= thread.call(thread.client.clockStep());
    return this.#clockStep;
  }

  /** The first `length` threads. */
  first(length: number): readonly ThreadHandle[] {
    return this.#threads.slice(0, length);
  }

  /**
   * Lets the first `length` threads work on at least `leastSize` and at best `dataSize` bytes of
   * data: in shared memory, or in equal parts in memories of their own. Throws a `CpuFault` where
   * there is not even that.
   */
  async gather(length: number, dataSize: number, leastSize: number): Promise<Team> {
    this.signal.throwIfAborted();
    const threads = this.first(length);
    const allocation = this.sharedMemory ? allocate(length, dataSize, leastSize, true) : undefined;
    if (this.sharedMemory && allocation === undefined) throw outOfMemory(leastSize);
    const sizes = await Promise.all(
      threads.map((thread, index) =>
        thread.call(
          thread.client.join({
            module: this.module,
            index,
            threads: length,
            dataSize: allocation?.dataSize ?? dataSize,
            leastSize,
            ...(allocation && { memory: allocation.memory }),
          }),
        ),
      ),
    );
    const size = Math.min(...sizes);
    if (size < leastSize) throw outOfMemory(leastSize);
    const meeting = allocation
      ? new BarrierMeeting(allocation.memory, length)
      : new OverlapMeeting(await clockOffsetsOf(threads, await this.clockStep()));
    return new Team(threads, size, meeting, this.signal);
  }

  terminate(): void {
    for (const worker of this.#workers) worker.terminate();
  }
}

function outOfMemory(size: number): CpuFault {
  return new CpuFault(cpuFault('out-of-memory', `${size} bytes were refused`));
}
