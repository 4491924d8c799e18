import {
  mixedFlops,
  mixedIntensities,
  mixedMovedSize,
  mixedShape,
  type MixedVariant,
} from '../../core/probes/mixed.ts';
import { doubleUntilSaturated } from '../../core/probes/saturation.ts';
import { thoroughnessOf } from '../../core/run/config.ts';
import { createBuffer, createComputePipeline } from '../buffers.ts';
import type { GpuContext } from '../context.ts';
import { createMixedKernel, type MixedBuffers } from './mixedKernel.ts';
import { mixedShader } from './mixedShader.ts';
import { createPatternBuffer } from './patternBuffer.ts';
import { runTrial, type Effort, type Entrant } from './trial.ts';

const profiles = {
  quick: { arraySize: 2 ** 26, point: { seconds: 0.003, pairs: 4 } },
  full: { arraySize: 2 ** 27, point: { seconds: 0.006, pairs: 8, settleSeconds: 0.5 } },
} as const;

const search = { seconds: 0.003, pairs: 2 };
/** Powers of two. */
const lanesRange = { least: 1024, most: 2 ** 17 };

const first: MixedVariant = { form: 'affine', layout: 'line', pattern: 'copy', workgroupSize: 64 };
/** Raced where memory limits, and where arithmetic does. */
const patterns: readonly MixedVariant[] = [
  first,
  { ...first, layout: 'rows' },
  { ...first, pattern: 'read' },
  { ...first, pattern: 'read', layout: 'rows' },
];

/**
 * Walks the roof: a kernel that streams through main memory and does so many flops on each byte, from
 * 1/8 to 256. The pattern and layout that are fastest at the low end, and then the form that is fastest
 * at the high end, are measured at every intensity.
 */
export async function kneeProbe(context: GpuContext): Promise<void> {
  const { arraySize, point } = profiles[thoroughnessOf(context.config.profile)];
  context.progress('knee', 0);
  const source = await createPatternBuffer(context, arraySize);
  const { STORAGE, COPY_SRC } = GPUBufferUsage;
  const usage = STORAGE | COPY_SRC;
  const destination = await createBuffer(context.queue, { size: source.size, usage });
  try {
    const knee = new KneeWalk(context, { source, destination });
    const [lowest = 1 / 8] = mixedIntensities;
    const highest = mixedIntensities.at(-1) ?? 256;
    const lanes = await doubleUntilSaturated(lanesRange, (count) =>
      knee.trial(first, lowest, count, search),
    );
    const streaming = await knee.fastest(patterns, lowest, lanes);
    const forms: readonly MixedVariant[] = [streaming, { ...streaming, form: 'quadratic' }];
    const winner = await knee.fastest(forms, highest, lanes);
    for (const [index, intensity] of mixedIntensities.entries()) {
      context.progress('knee', 0.3 + (0.7 * index) / mixedIntensities.length);
      const rate = await knee.trial(winner, intensity, lanes, point);
      // Once more: a gap in the walk tells less than a second try.
      if (rate === 0) await knee.trial(winner, intensity, lanes, point);
    }
  } finally {
    for (const buffer of [source, destination]) buffer.destroy();
  }
}

class KneeWalk {
  readonly #context: GpuContext;
  readonly #buffers: MixedBuffers;
  readonly #pipelines = new Map<string, Promise<GPUComputePipeline>>();

  constructor(context: GpuContext, buffers: MixedBuffers) {
    this.#context = context;
    this.#buffers = buffers;
  }

  /** The fastest of some variants at an intensity. */
  async fastest(
    among: readonly MixedVariant[],
    intensity: number,
    lanes: number,
  ): Promise<MixedVariant> {
    let best = { variant: among[0] ?? first, rate: 0 };
    for (const variant of among) {
      const rate = await this.trial(variant, intensity, lanes, search);
      if (rate > best.rate) best = { variant, rate };
    }
    return best.variant;
  }

  trial(variant: MixedVariant, intensity: number, lanes: number, effort: Effort): Promise<number> {
    const { form, layout, pattern, workgroupSize } = variant;
    const movedSize = mixedMovedSize(variant);
    const shape = mixedShape(intensity, movedSize);
    const arrays = pattern === 'copy' ? 2 : 1;
    const entrant: Entrant = {
      probe: 'mixed',
      variant: `${pattern}, ${form}, a lane's vectors in ${layout === 'line' ? 'one line' : 'rows'}, ${lanes / workgroupSize} workgroups of ${workgroupSize}`,
      measured: (lines) => ({
        kind: 'mixed',
        precision: 'f32',
        flops: lines * lanes * mixedFlops(shape),
        bytes: lines * lanes * movedSize,
        workingSetSize: arrays * this.#buffers.source.size,
      }),
      create: async () => {
        const pipeline = await this.#pipeline(mixedShader(variant, shape));
        const { queue } = this.#context;
        return createMixedKernel(queue, variant, shape, lanes, this.#buffers, pipeline);
      },
    };
    return runTrial(this.#context, entrant, effort);
  }

  /** Intensities whose trips are alike share a shader. */
  #pipeline(code: string): Promise<GPUComputePipeline> {
    const known = this.#pipelines.get(code);
    if (known !== undefined) return known;
    const made = createComputePipeline(this.#context.queue, 'mixed', code);
    this.#pipelines.set(code, made);
    return made;
  }
}
