import {
  describeStreamVariant,
  streamArrays,
  streamShape,
  workingSetOf,
  type StreamVariant,
} from '../../core/probes/streamVariant.ts';
import { createComputePipeline } from '../buffers.ts';
import type { GpuQueue } from '../queue.ts';
import type { StreamBuffers } from './streamBuffers.ts';
import { StreamKernel } from './streamKernel.ts';
import { streamShader } from './streamShader.ts';
import type { Entrant } from './trial.ts';

/** A shape of a bandwidth probe at one working set, ready to be measured. */
export interface StreamTrial {
  readonly entrant: Entrant;
  /** Bytes that it really touches: whole trips of every lane. */
  readonly workingSet: number;
}

/** Makes trials over the same arrays; each variant is compiled once. */
export class StreamTrials {
  readonly #queue: GpuQueue;
  readonly #buffers: StreamBuffers;
  readonly #pipelines = new Map<string, Promise<GPUComputePipeline>>();

  constructor(queue: GpuQueue, buffers: StreamBuffers) {
    this.#queue = queue;
    this.#buffers = buffers;
  }

  /** The largest working set in bytes, which every pattern can have. */
  get largest(): number {
    return this.#buffers.size;
  }

  /** A trial of a shape at about `set` bytes over at most so many workgroups. */
  trial(variant: StreamVariant, set: number, workgroups: number): StreamTrial {
    const { pattern } = variant;
    const shape = streamShape(variant, set / streamArrays[pattern], workgroups);
    const workingSet = workingSetOf(variant, shape);
    const entrant: Entrant = {
      probe: pattern,
      variant: `${describeStreamVariant(variant)}, at most ${workgroups} of them`,
      measured: (passes) => ({
        kind: 'bandwidth',
        pattern,
        bytes: passes * workingSet,
        workingSetSize: workingSet,
      }),
      create: async () => {
        const pipeline = await this.#pipeline(variant);
        return StreamKernel.create(this.#queue, variant, shape, this.#buffers, pipeline);
      },
    };
    return { entrant, workingSet };
  }

  #pipeline(variant: StreamVariant): Promise<GPUComputePipeline> {
    const key = JSON.stringify(variant);
    const known = this.#pipelines.get(key);
    if (known !== undefined) return known;
    const made = createComputePipeline(this.#queue, variant.pattern, streamShader(variant));
    this.#pipelines.set(key, made);
    return made;
  }
}
