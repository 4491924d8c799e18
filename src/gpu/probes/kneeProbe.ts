import {
  mixedFlops,
  mixedIntensities,
  mixedLineSize,
  mixedShape,
  type MixedVariant,
} from '../../core/probes/mixed.ts';
import { doubleUntilSaturated } from '../../core/probes/saturation.ts';
import { thoroughnessOf } from '../../core/run/config.ts';
import { createComputePipeline } from '../buffers.ts';
import type { GpuContext } from '../context.ts';
import { createMixedKernel } from './mixedKernel.ts';
import { mixedShader } from './mixedShader.ts';
import { createPatternBuffer } from './patternBuffer.ts';
import { runTrial, type Effort } from './trial.ts';

const profiles = {
  quick: { sourceSize: 2 ** 27, point: { seconds: 0.003, pairs: 4 } },
  full: { sourceSize: 2 ** 28, point: { seconds: 0.006, pairs: 8, settleSeconds: 1 } },
} as const;

const search = { seconds: 0.003, pairs: 2 };
/** Powers of two. */
const lanesRange = { least: 1024, most: 2 ** 17 };

const variants: readonly [MixedVariant, ...MixedVariant[]] = [
  { form: 'affine', layout: 'line', workgroupSize: 64 },
  { form: 'affine', layout: 'rows', workgroupSize: 64 },
  { form: 'quadratic', layout: 'line', workgroupSize: 64 },
  { form: 'quadratic', layout: 'rows', workgroupSize: 64 },
];

/**
 * Walks the roof: a kernel that streams from main memory and does so many flops on each byte, from
 * 1/8 to 256. The layout that is fastest at the low end and the form that is fastest at the high end
 * are measured at every intensity.
 */
export async function kneeProbe(context: GpuContext): Promise<void> {
  const { sourceSize, point } = profiles[thoroughnessOf(context.config.profile)];
  context.progress('knee', 0);
  const source = await createPatternBuffer(context, sourceSize);
  try {
    const knee = new KneeWalk(context, source);
    const [lowest = 1 / 8] = mixedIntensities;
    const highest = mixedIntensities.at(-1) ?? 256;
    const lanes = await doubleUntilSaturated(lanesRange, (count) =>
      knee.trial(variants[0], lowest, count, search),
    );
    const { layout } = await knee.fastest(variants.slice(0, 2), lowest, lanes);
    const inLayout = variants.filter((variant) => variant.layout === layout);
    const winner = await knee.fastest(inLayout, highest, lanes);
    for (const [index, intensity] of mixedIntensities.entries()) {
      context.progress('knee', 0.3 + (0.7 * index) / mixedIntensities.length);
      await knee.trial(winner, intensity, lanes, point);
    }
  } finally {
    source.destroy();
  }
}

class KneeWalk {
  readonly #context: GpuContext;
  readonly #source: GPUBuffer;
  readonly #pipelines = new Map<string, Promise<GPUComputePipeline>>();

  constructor(context: GpuContext, source: GPUBuffer) {
    this.#context = context;
    this.#source = source;
  }

  /** The fastest of some variants at an intensity. */
  async fastest(
    among: readonly MixedVariant[],
    intensity: number,
    lanes: number,
  ): Promise<MixedVariant> {
    let best = variants[0];
    let rate = -1;
    for (const variant of among) {
      const found = await this.trial(variant, intensity, lanes, search);
      if (found > rate) [best, rate] = [variant, found];
    }
    return best;
  }

  trial(variant: MixedVariant, intensity: number, lanes: number, effort: Effort): Promise<number> {
    const shape = mixedShape(intensity);
    const { form, layout, workgroupSize } = variant;
    const entrant = {
      probe: 'mixed',
      variant: `${form}, a lane's vectors in ${layout === 'line' ? 'one line' : 'rows'}, ${lanes / workgroupSize} workgroups of ${workgroupSize}`,
      measured: (lines: number) =>
        ({
          kind: 'mixed',
          precision: 'f32',
          flops: lines * lanes * mixedFlops(shape),
          bytes: lines * lanes * mixedLineSize,
          workingSetSize: this.#source.size,
        }) as const,
      create: async () => {
        const pipeline = await this.#pipeline(mixedShader(variant, shape));
        const { queue } = this.#context;
        return createMixedKernel(queue, variant, shape, lanes, this.#source, pipeline);
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
