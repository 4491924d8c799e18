import { mixedFlops, mixedIntensities } from '../../core/probes/mixed.ts';
import {
  describeMixed,
  mixedMovedSize,
  mixedMoves,
  unrolledShape,
  type MixedVariant,
} from '../../core/probes/mixedVariant.ts';
import { coordinateDescent, fastestOf } from '../../core/probes/race.ts';
import { doubleUntilSaturated } from '../../core/probes/saturation.ts';
import { thoroughnessOf } from '../../core/run/config.ts';
import { createBuffer, createComputePipeline } from '../buffers.ts';
import type { GpuContext } from '../context.ts';
import { createMixedKernel, type MixedBuffers } from './mixedKernel.ts';
import { mixedShader } from './mixedShader.ts';
import { createPatternBuffer } from './patternBuffer.ts';
import { runTrial, type Effort, type Entrant } from './trial.ts';

const profiles = {
  quick: { arraySize: 2 ** 26, pipelines: 6, point: { seconds: 0.003, pairs: 3 } },
  full: {
    arraySize: 2 ** 27,
    pipelines: 14,
    point: { seconds: 0.006, pairs: 8, settleSeconds: 0.5 },
  },
} as const;

const search = { seconds: 0.003, pairs: 2 };
/** Powers of two. */
const lanesRange = { least: 512, most: 2 ** 17 };
/** From here on, in flop/byte, the shape that computes best takes part too. */
const firstWorking = 6;
/** A run of fewer lines is mostly the beginning and the end of its lanes. */
const leastLines = 5;

const line: MixedVariant = {
  form: 'affine',
  layout: 'line',
  pattern: 'copy',
  columns: 4,
  stepsPerTrip: 16,
  workgroupSize: 64,
};
/** Raced where memory limits. */
const patterns: readonly [MixedVariant, ...MixedVariant[]] = [
  line,
  { ...line, layout: 'rows' },
  { ...line, pattern: 'read' },
  { ...line, pattern: 'read', layout: 'rows' },
];

/** A shape with as many lanes as suit it. */
interface Walker {
  readonly variant: MixedVariant;
  readonly lanes: number;
}

/**
 * Walks the roof: a kernel that streams through main memory and does so many flops on each byte, from
 * 1/8 to 256. Two shapes walk: the one that is fastest at the low end, where memory limits, and from 6
 * flop/byte on the one that is fastest at the high end, where arithmetic does.
 */
export async function kneeProbe(context: GpuContext): Promise<void> {
  const { arraySize } = profiles[thoroughnessOf(context.config.profile)];
  context.progress('knee', 0);
  const source = await createPatternBuffer(context, arraySize);
  const { STORAGE, COPY_SRC } = GPUBufferUsage;
  const usage = STORAGE | COPY_SRC;
  const destination = await createBuffer(context.queue, { size: source.size, usage });
  try {
    await new KneeWalk(context, { source, destination }).run();
  } finally {
    for (const buffer of [source, destination]) buffer.destroy();
  }
}

class KneeWalk {
  readonly #context: GpuContext;
  readonly #buffers: MixedBuffers;
  readonly #pipelines = new Map<string, Promise<GPUComputePipeline>>();
  /** The best flop/s so far at each intensity. */
  readonly #rates = new Map<number, number>();

  constructor(context: GpuContext, buffers: MixedBuffers) {
    this.#context = context;
    this.#buffers = buffers;
  }

  async run(): Promise<void> {
    const streaming = await this.#streaming(mixedIntensities[0] ?? 1 / 8);
    this.#context.progress('knee', 0.15);
    const working = await this.#working(streaming.variant, mixedIntensities.at(-1) ?? 256);
    // Seconds that the streaming shape takes for a line of every lane.
    let lineSeconds = 0;
    const { seconds } = this.#profile.point;
    for (const [index, intensity] of mixedIntensities.entries()) {
      this.#context.progress('knee', 0.3 + (0.7 * index) / mixedIntensities.length);
      const isWorking = intensity >= firstWorking;
      if (!isWorking || leastLines * lineSeconds < seconds) {
        const rate = await this.#point(streaming, intensity);
        if (rate > 0) lineSeconds = this.#lineFlops(streaming, intensity) / rate;
      }
      if (isWorking) await this.#point(working, intensity);
    }
  }

  get #profile() {
    return profiles[thoroughnessOf(this.#context.config.profile)];
  }

  /** The fastest lanes, pattern and layout where memory limits. */
  async #streaming(intensity: number): Promise<Walker> {
    const lanes = await this.#saturating(line, intensity);
    const { variant } = await fastestOf(patterns, (each) =>
      this.#trial({ variant: each, lanes }, intensity, search),
    );
    return { variant, lanes };
  }

  /** The fastest way to write the steps where arithmetic limits, from a few that are fast on CPUs. */
  async #working(variant: MixedVariant, intensity: number): Promise<Walker> {
    const three: MixedVariant = { ...variant, columns: 3, form: 'quadratic' };
    const lanes = await this.#saturating(three, intensity);
    const openings = [three, { ...variant, stepsPerTrip: 8 }];
    const order = coordinateDescent(openings, mixedMoves(), this.#profile.pipelines);
    let next = order.next();
    while (!next.done)
      next = order.next(await this.#trial({ variant: next.value, lanes }, intensity, search));
    return { variant: next.value[0] ?? three, lanes };
  }

  #saturating(variant: MixedVariant, intensity: number): Promise<number> {
    return doubleUntilSaturated(lanesRange, (lanes) =>
      this.#trial({ variant, lanes }, intensity, search),
    );
  }

  async #point(walker: Walker, intensity: number): Promise<number> {
    const { point } = this.#profile;
    // Once more where it was refused: a gap in the walk tells less than a second try.
    return (
      (await this.#trial(walker, intensity, point)) || (await this.#trial(walker, intensity, point))
    );
  }

  /** Flops of a line of every lane. */
  #lineFlops({ variant, lanes }: Walker, intensity: number): number {
    return lanes * mixedFlops(unrolledShape(variant, intensity));
  }

  /** What may be expected at an intensity: what was reached there, or at lower ones, where less can be. */
  #expected(intensity: number): number {
    const lower = [...this.#rates].filter(([known]) => known <= intensity);
    return Math.max(0, ...lower.map(([, rate]) => rate));
  }

  async #trial(walker: Walker, intensity: number, effort: Effort): Promise<number> {
    const { variant, lanes } = walker;
    const movedSize = mixedMovedSize(variant);
    const shape = unrolledShape(variant, intensity);
    const arrays = variant.pattern === 'copy' ? 2 : 1;
    const entrant: Entrant = {
      probe: 'mixed',
      variant: describeMixed(variant, shape, lanes),
      measured: (lines) => ({
        kind: 'mixed',
        precision: 'f32',
        flops: lines * this.#lineFlops(walker, intensity),
        bytes: lines * lanes * movedSize,
        workingSetSize: arrays * this.#buffers.source.size,
      }),
      create: async () => {
        const pipeline = await this.#pipeline(mixedShader(variant, shape));
        const { queue } = this.#context;
        return createMixedKernel(queue, variant, shape, lanes, this.#buffers, pipeline);
      },
    };
    const expected = this.#expected(intensity);
    const rate = await runTrial(this.#context, entrant, { ...effort, rate: expected });
    this.#rates.set(intensity, Math.max(rate, this.#rates.get(intensity) ?? 0));
    return rate;
  }

  /** Intensities that are written alike share a shader. */
  #pipeline(code: string): Promise<GPUComputePipeline> {
    const known = this.#pipelines.get(code);
    if (known !== undefined) return known;
    const made = createComputePipeline(this.#context.queue, 'mixed', code);
    this.#pipelines.set(code, made);
    return made;
  }
}
