import { coordinateDescent } from '../../core/probes/race.ts';
import { doubleUntilSaturated } from '../../core/probes/saturation.ts';
import {
  describeStreamVariant,
  streamArrays,
  streamMoves,
  streamOpenings,
  streamShape,
  workingSetOf,
  type StreamPattern,
  type StreamVariant,
} from '../../core/probes/streamVariant.ts';
import { workingSets } from '../../core/probes/workingSets.ts';
import { flags } from '../../core/roofline/flags.ts';
import { thoroughnessOf } from '../../core/run/config.ts';
import { createComputePipeline } from '../buffers.ts';
import type { GpuContext } from '../context.ts';
import { createStreamBuffers, type StreamBuffers } from './streamBuffers.ts';
import { StreamKernel } from './streamKernel.ts';
import { streamShader } from './streamShader.ts';
import { runTrial, type Entrant } from './trial.ts';
import { sizeWorkload } from './workload.ts';

const profiles = {
  quick: {
    arraySize: 128 * 2 ** 20,
    ratio: Math.SQRT2,
    pipelines: 8,
    sampleSeconds: 0.03,
    sweepSeconds: 2,
  },
  full: {
    arraySize: 256 * 2 ** 20,
    ratio: 2 ** 0.25,
    pipelines: 16,
    sampleSeconds: 0.1,
    sweepSeconds: 20,
  },
} as const;
/** Without timestamps a sample takes most of a second. */
const wallRatio = 2.25;

const patterns: readonly StreamPattern[] = ['copy', 'read', 'write', 'triad'];
const smallestSet = 16 * 2 ** 10;

/** Many short runs: some of them fall between the disturbances of other programs. */
const search = { seconds: 0.003, pairs: 2 };
const race = { seconds: 0.003, pairs: 2 };
const runSeconds = 0.002;
/** Two passes stay under the 50 ms of a watchdog. */
const mostPassSeconds = 0.024;
/** The race is held where memory itself is the limit, if the device is fast enough for that. */
const raceSet = 64 * 2 ** 20;
const workgroupsRange = { least: 4, most: 16_384 };
/** The largest power of two within WebGPU's 65,535 workgroups a dimension. */
const mostWorkgroups = 32_768;

/** A shape with as many lanes as saturate the device. */
interface Contender {
  readonly variant: StreamVariant;
  readonly lanes: number;
}

/**
 * Sweeps the working sets of copy, read, write and triad from 16 KiB to as far as limits and dispatch
 * times allow, each with the shape that won its race. Every trial is told as a sample.
 */
export async function streamProbe(context: GpuContext): Promise<void> {
  const { arraySize } = profiles[thoroughnessOf(context.config.profile)];
  const { maxStorageBufferBindingSize = 0, maxBufferSize = 0 } = context.environment.limits;
  const bindable = Math.min(maxStorageBufferBindingSize, maxBufferSize, arraySize);
  const buffers = await createStreamBuffers(context.queue, bindable);
  try {
    await new StreamSweeps(context, buffers).run();
  } finally {
    buffers.destroy();
  }
}

class StreamSweeps {
  readonly #context: GpuContext;
  readonly #buffers: StreamBuffers;
  readonly #pipelines = new Map<string, Promise<GPUComputePipeline>>();

  constructor(context: GpuContext, buffers: StreamBuffers) {
    this.#context = context;
    this.#buffers = buffers;
  }

  async run(): Promise<void> {
    const [copy] = streamOpenings('copy');
    const rate = await this.#roughRate(copy);
    const lanes = await this.#saturatingLanes(copy, this.#raceSet(copy, rate));
    for (const [index, pattern] of patterns.entries()) {
      const tell = (share: number) =>
        this.#context.progress(`${pattern} sweep`, (index + share) / patterns.length);
      tell(0);
      const winner = { variant: await this.#fastest(pattern, lanes, rate), lanes };
      await this.#sweep(winner, (share) => tell(0.2 + 0.8 * share));
    }
  }

  /** Bytes a second of a small set, roughly. */
  async #roughRate(variant: StreamVariant): Promise<number> {
    const { entrant, workingSet } = this.#trial(variant, 4 * 2 ** 20, 64);
    const kernel = await entrant.create();
    const { amount, seconds } = await sizeWorkload(this.#context.timer, kernel, 0.01);
    kernel.destroy();
    return (workingSet * amount) / seconds;
  }

  /** The working set of a race: one that a pass moves in time. */
  #raceSet({ pattern }: StreamVariant, rate: number): number {
    const largest = streamArrays[pattern] * this.#buffers.size;
    return Math.min(raceSet, largest, mostPassSeconds * rate);
  }

  /** How many lanes keep memory busy. */
  async #saturatingLanes(variant: StreamVariant, set: number): Promise<number> {
    const workgroups = await doubleUntilSaturated(workgroupsRange, (count) => {
      const { entrant } = this.#trial(variant, set, count);
      const name = `${entrant.variant}, ${count} of them`;
      return runTrial(this.#context, { ...entrant, variant: name }, search);
    });
    // More than saturate: an uneven end then matters less.
    return 4 * workgroups * variant.workgroupSize;
  }

  /** The fastest shape of a pattern. */
  async #fastest(pattern: StreamPattern, lanes: number, rate: number): Promise<StreamVariant> {
    const { config, environment } = this.#context;
    const openings = streamOpenings(pattern);
    const set = this.#raceSet(openings[0], rate);
    const mostWorkgroupSize = environment.limits['maxComputeInvocationsPerWorkgroup'] ?? 64;
    const { pipelines } = profiles[thoroughnessOf(config.profile)];
    const order = coordinateDescent(openings, streamMoves(mostWorkgroupSize), pipelines);
    let next = order.next();
    while (!next.done) {
      const { entrant } = this.#contender({ variant: next.value, lanes }, set);
      next = order.next(await runTrial(this.#context, entrant, race));
    }
    return next.value[0] ?? openings[0];
  }

  /** Measures a shape at every working set whose passes are short enough for a dispatch. */
  async #sweep(contender: Contender, tell: (share: number) => void): Promise<void> {
    const { ratio, sampleSeconds, sweepSeconds, arraySize } =
      profiles[thoroughnessOf(this.#context.config.profile)];
    const isLimited = this.#buffers.size < arraySize;
    const largest = streamArrays[contender.variant.pattern] * this.#buffers.size;
    const isWall = this.#context.timer.source === 'wall-fit';
    const sets = workingSets(smallestSet, largest, isWall ? wallRatio : ratio);
    const begin = performance.now();
    let rate = 0;
    let before = 0;
    for (const [index, set] of sets.entries()) {
      tell(index / sets.length);
      // A machine too slow or too busy for its share of the time gets every second set.
      const isLate =
        (performance.now() - begin) / 1000 > (sweepSeconds * (index + 4)) / sets.length;
      if (isLate && index % 2 === 1) continue;
      const { entrant, workingSet } = this.#contender(contender, set);
      // Small sets are few workgroups' trips, and neighbours may come out the same.
      if (workingSet === before) continue;
      before = workingSet;
      const next = sets[index + 1];
      const isTooLong = next !== undefined && rate > 0 && next / rate > mostPassSeconds;
      const limits = [
        ...(isTooLong ? [flags.timeLimit] : []),
        ...(next === undefined && isLimited ? [flags.bufferLimit] : []),
      ];
      const first = Math.max(1, Math.floor((rate * runSeconds) / workingSet / 2));
      const passSeconds = rate > 0 ? workingSet / rate : 0;
      const pairs = Math.round(sampleSeconds / 3 / Math.max(runSeconds, passSeconds));
      const effort = { seconds: runSeconds, pairs: Math.max(2, pairs), first };
      const found = await runTrial(this.#context, { ...entrant, flags: limits }, effort);
      if (found > 0) rate = found;
      if (isTooLong) return;
    }
  }

  #contender({ variant, lanes }: Contender, set: number) {
    return this.#trial(variant, set, Math.min(lanes / variant.workgroupSize, mostWorkgroups));
  }

  /** A trial of a shape at about a working set, and the working set that it really has. */
  #trial(variant: StreamVariant, set: number, workgroups: number) {
    const { queue } = this.#context;
    const { pattern } = variant;
    const shape = streamShape(variant, set / streamArrays[pattern], workgroups);
    const workingSet = workingSetOf(variant, shape);
    const entrant: Entrant = {
      probe: pattern,
      variant: describeStreamVariant(variant),
      measured: (passes) => ({
        kind: 'bandwidth',
        pattern,
        bytes: passes * workingSet,
        workingSetSize: workingSet,
      }),
      create: async () =>
        StreamKernel.create(queue, variant, shape, this.#buffers, await this.#pipeline(variant)),
    };
    return { entrant, workingSet };
  }

  /** Each variant is compiled once. */
  #pipeline(variant: StreamVariant): Promise<GPUComputePipeline> {
    const key = JSON.stringify(variant);
    const known = this.#pipelines.get(key);
    if (known !== undefined) return known;
    const { queue } = this.#context;
    const made = createComputePipeline(queue, variant.pattern, streamShader(variant));
    this.#pipelines.set(key, made);
    return made;
  }
}
