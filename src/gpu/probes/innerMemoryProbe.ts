import {
  describeRotation,
  rotationPassSize,
  rotationShare,
  type RotationVariant,
} from '../../core/probes/rotation.ts';
import { fastestOf } from '../../core/probes/race.ts';
import { doubleUntilSaturated } from '../../core/probes/saturation.ts';
import { workingSets } from '../../core/probes/workingSets.ts';
import { thoroughnessOf } from '../../core/run/config.ts';
import { createComputePipeline } from '../buffers.ts';
import type { GpuContext } from '../context.ts';
import { createPatternBuffer } from './patternBuffer.ts';
import { createRotationKernel } from './rotationKernel.ts';
import { rotationShader } from './rotationShader.ts';
import { runTrial, type Effort, type Entrant } from './trial.ts';

const base = { space: 'storage', addresses: 'distinct', unroll: 2, workgroupSize: 64 } as const;
const scalar: RotationVariant = { ...base, element: 'u32', unroll: 4 };
const vector: RotationVariant = { ...base, element: 'vec4<u32>' };
/** So many in flight that few trips are left: llvmpipe ends a loop after 65,535 of them. */
const vectorTile: RotationVariant = { ...vector, space: 'workgroup', unroll: 8 };
const scalarTile: RotationVariant = { ...scalar, space: 'workgroup', unroll: 8 };
const line: RotationVariant = { ...base, element: 'mat4x4<f32>', unroll: 1 };

const profiles = {
  quick: {
    ratio: Math.SQRT2,
    largestSet: 2 ** 19,
    pairs: 2,
    settleSeconds: 0.15,
    tileVariants: [vectorTile],
  },
  full: {
    ratio: 2 ** 0.25,
    largestSet: 2 ** 22,
    pairs: 4,
    settleSeconds: 0.5,
    tileVariants: [vectorTile, scalarTile],
  },
} as const;

const smallestSet = 2 ** 11;
/** Where shapes are compared, and lanes load one address: it fits any innermost cache. */
const innermostSet = 2 ** 12;
/** Half of the workgroup memory that every device has: two workgroups can share a compute unit. */
const tileSize = 2 ** 13;
const sourceSize = 2 ** 26;
const workgroupsRange = { least: 4, most: 4096 };
const race = { seconds: 0.003, pairs: 2 };
/** Devices that run workgroups one after the other load the first pass of each from further out. */
const leastPasses = 24;
/** Two runs of these passes stay under the 50 ms of a watchdog. */
const mostSeconds = 0.024;
/** A fifth of a millisecond for each workgroup with barriers, as on SwiftShader, does not show in it. */
const tileRace = { seconds: 0.02, pairs: 1 };
/** Without timestamps a sample takes most of a second. */
const wallRatio = 4;

function broadcastOf(variant: RotationVariant): RotationVariant {
  return { ...variant, addresses: 'broadcast' };
}

/**
 * Measures what workgroups have to themselves: the private sweep, in which each reads its own bytes
 * from 2 KiB on, loads of one address by all lanes, and workgroup memory. Trials are told as samples.
 */
export async function innerMemoryProbe(context: GpuContext): Promise<void> {
  const source = await createPatternBuffer(context, sourceSize);
  try {
    await new InnerMemory(context, source).run();
  } finally {
    source.destroy();
  }
}

class InnerMemory {
  readonly #context: GpuContext;
  readonly #source: GPUBuffer;
  readonly #pipelines = new Map<string, Promise<GPUComputePipeline>>();

  constructor(context: GpuContext, source: GPUBuffer) {
    this.#context = context;
    this.#source = source;
  }

  async run(): Promise<void> {
    const { settleSeconds } = profiles[thoroughnessOf(this.#context.config.profile)];
    const tell = (share: number) => this.#context.progress('inner memory', share);
    tell(0);
    const workgroups = await doubleUntilSaturated(workgroupsRange, (count) =>
      this.#trial(vector, innermostSet, count, race),
    );
    const { variant: fastest, rate } = await fastestOf([vector, scalar, line], (variant) =>
      this.#trial(variant, innermostSet, workgroups, race),
    );
    tell(0.3);
    await this.#sweep(fastest, workgroups, rate, (share) => tell(0.3 + 0.4 * share));
    const broadcast = await fastestOf([broadcastOf(vector), broadcastOf(scalar)], (variant) =>
      this.#trial(variant, innermostSet, workgroups, race),
    );
    await this.#trial(broadcast.variant, innermostSet, workgroups, { ...race, settleSeconds });
    tell(0.8);
    await this.#tiles(workgroups);
  }

  /** Workgroup memory: first how many workgroups, then which elements. */
  async #tiles(saturating: number): Promise<void> {
    const { tileVariants, settleSeconds } = profiles[thoroughnessOf(this.#context.config.profile)];
    const range = { ...workgroupsRange, least: Math.max(workgroupsRange.least, saturating / 4) };
    const workgroups = await doubleUntilSaturated(range, (count) =>
      this.#trial(vectorTile, tileSize, count, tileRace),
    );
    const variant =
      tileVariants.length === 1
        ? tileVariants[0]
        : (
            await fastestOf(tileVariants, (each) =>
              this.#trial(each, tileSize, workgroups, tileRace),
            )
          ).variant;
    await this.#trial(variant, tileSize, workgroups, { ...tileRace, pairs: 3, settleSeconds });
  }

  /** Measures a shape over the sizes of a workgroup's own set, for as long as its passes are short. */
  async #sweep(
    variant: RotationVariant,
    workgroups: number,
    innermostRate: number,
    tell: (share: number) => void,
  ): Promise<void> {
    const { config, timer } = this.#context;
    const { ratio, largestSet, pairs } = profiles[thoroughnessOf(config.profile)];
    const largest = Math.max(smallestSet, Math.min(largestSet, this.#source.size / workgroups));
    const isWall = timer.source === 'wall-fit';
    let rate = innermostRate;
    let before = 0;
    const sets = workingSets(smallestSet, largest, isWall ? wallRatio : ratio);
    for (const [index, set] of sets.entries()) {
      tell(index / sets.length);
      const share = rotationShare(variant, set);
      const passesSeconds = (leastPasses * workgroups * rotationPassSize(variant, share)) / rate;
      if (passesSeconds > mostSeconds) return;
      // Small sets are few trips, and neighbours may come out the same.
      if (share === before) continue;
      before = share;
      const seconds = Math.max(race.seconds, passesSeconds);
      const found = await this.#trial(variant, set, workgroups, { seconds, pairs, rate });
      if (found > 0) rate = found;
    }
  }

  #trial(
    variant: RotationVariant,
    size: number,
    workgroups: number,
    effort: Effort,
  ): Promise<number> {
    const share = rotationShare(variant, size);
    const passSize = rotationPassSize(variant, share);
    const { space, addresses } = variant;
    const entrant: Entrant = {
      probe: space === 'workgroup' ? 'workgroup read' : 'private read',
      variant: describeRotation(variant, workgroups),
      measured: (passes) => ({
        kind: 'bandwidth',
        pattern: 'read',
        bytes: passes * workgroups * passSize,
        workingSetSize: passSize,
        sweep: 'private',
        ...(addresses === 'broadcast' && { addresses }),
        ...(space === 'workgroup' && { space }),
      }),
      create: async () =>
        createRotationKernel(
          this.#context.queue,
          variant,
          { workgroups, share },
          this.#source,
          await this.#pipeline(variant, share),
        ),
    };
    return runTrial(this.#context, entrant, effort);
  }

  /** Each shader is compiled once. */
  #pipeline(variant: RotationVariant, share: number): Promise<GPUComputePipeline> {
    const code = rotationShader(variant, share);
    const known = this.#pipelines.get(code);
    if (known !== undefined) return known;
    const made = createComputePipeline(this.#context.queue, 'rotation', code);
    this.#pipelines.set(code, made);
    return made;
  }
}
