import { lifetimes, type Lifetime } from './lifetimes.ts';
import type { EvaluationPlan, TensorId, TrainingPlan } from './plan.ts';

/** Where a tensor lies; bytes. */
export interface Placement {
  readonly arena: number;
  /** A multiple of 256: WebGPU's grain of a binding's offset. */
  readonly offset: number;
  readonly size: number;
}

/** Places of a plan's activations and statistics in a few buffers, by lifetime. */
export interface MemoryPlan {
  /** Bytes of each arena. */
  readonly arenaSizes: readonly number[];
  /** By TensorId; undefined for a tensor that has a buffer elsewhere, or that no op touches. */
  readonly places: readonly (Placement | undefined)[];
  /** The most bytes that live at one call: what the arenas cannot be smaller than in sum. */
  readonly liveSize: number;
}

export interface MemoryOptions {
  /**
   * `separate`: what a call reads and what it writes lie in different arenas, since WebGPU refuses
   * a buffer bound to read and to write in one dispatch. `flat`: one arena.
   */
  readonly arenas: 'separate' | 'flat';
  /** Indices in `plan.ops` that run as one call, in order; absent, each op is its own call. */
  readonly calls?: readonly (readonly number[])[];
  /** No arena grows past this many bytes unless one tensor does. */
  readonly largestArenaSize?: number;
}

/**
 * Gives every activation and statistics tensor a place that it shares with tensors that are dead
 * while it lives. Losses, logits and `correct` live on to be read after the last call.
 *
 * Tensors are placed in turn, each at the lowest free offset of the arena that grows least. In
 * which turn is tried several ways (largest first does best for most nets), and the smallest sum
 * of arenas is taken. Source of largest first: Pisarchyk and Lee, Efficient memory management for
 * deep neural net inference, 2020 (arXiv:2001.03288), section 5.2.
 */
export function memoryPlan(
  plan: TrainingPlan | EvaluationPlan,
  { arenas, calls, largestArenaSize = Infinity }: MemoryOptions,
): MemoryPlan {
  const living = lifetimes(plan, calls);
  const placed = turns.map((turn) =>
    placeAll(living.toSorted(turn), arenas === 'separate', largestArenaSize),
  );
  const best = placed.reduce((a, b) => (total(b.sizes) < total(a.sizes) ? b : a));
  const places = plan.tensors.map(({ id }) => best.places.get(id));
  return { arenaSizes: best.sizes, places, liveSize: liveSize(living) };
}

export function total(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0);
}

type Turn = (a: Lifetime, b: Lifetime) => number;

const bySize: Turn = (a, b) => b.size - a.size || a.first - b.first;
const turns: readonly Turn[] = [
  bySize,
  (a, b) => b.size * (b.last - b.first) - a.size * (a.last - a.first) || bySize(a, b),
  (a, b) => a.first - b.first || bySize(a, b),
  (a, b) => b.last - a.last || bySize(a, b),
];

interface Arena {
  size: number;
  readonly held: { readonly lifetime: Lifetime; readonly offset: number }[];
}

function placeAll(
  tensors: readonly Lifetime[],
  separate: boolean,
  largestArenaSize: number,
): { readonly sizes: number[]; readonly places: ReadonlyMap<TensorId, Placement> } {
  const arenas: Arena[] = [];
  const places = new Map<TensorId, Placement>();
  for (const tensor of tensors) {
    let best: { arena: number; offset: number; growth: number } | undefined;
    for (const [index, arena] of arenas.entries()) {
      if (separate && arena.held.some(({ lifetime }) => tensor.conflicts.has(lifetime.id)))
        continue;
      const offset = lowestOffset(tensor, arena);
      const end = offset + tensor.size;
      const growth = Math.max(0, end - arena.size);
      if (growth > 0 && end > largestArenaSize) continue;
      if (best === undefined || growth < best.growth) best = { arena: index, offset, growth };
    }
    if (best === undefined) {
      best = { arena: arenas.length, offset: 0, growth: tensor.size };
      arenas.push({ size: 0, held: [] });
    }
    const { arena: index, offset } = best;
    const arena = arenas[index]!;
    arena.size += best.growth;
    arena.held.push({ lifetime: tensor, offset });
    places.set(tensor.id, { arena: index, offset, size: tensor.size });
  }
  return { sizes: arenas.map(({ size }) => size), places };
}

/** The first gap between tensors of overlapping lifetime that holds this one. */
function lowestOffset(tensor: Lifetime, { held }: Arena): number {
  const inTheWay = held
    .filter(({ lifetime }) => overlap(lifetime, tensor))
    .toSorted((a, b) => a.offset - b.offset);
  let offset = 0;
  for (const { lifetime, offset: at } of inTheWay) {
    if (at - offset >= tensor.size) break;
    offset = Math.max(offset, at + lifetime.size);
  }
  return offset;
}

function overlap(a: Lifetime, b: Lifetime): boolean {
  return a.first <= b.last && b.first <= a.last;
}

function liveSize(living: readonly Lifetime[]): number {
  const sizes = living.map(({ first }) =>
    total(
      living.filter((other) => other.first <= first && first <= other.last).map(({ size }) => size),
    ),
  );
  return Math.max(0, ...sizes);
}
