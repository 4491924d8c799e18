import type { ChainForm } from './fmaEmulation.ts';
import {
  mixedFlops,
  mixedLineSize,
  mixedShape,
  type MixedLayout,
  type MixedShape,
} from './mixed.ts';
import { alongValues, type Move } from './race.ts';

/** One shape of the knee's kernel on the GPU. */
export interface MixedVariant {
  readonly form: ChainForm;
  readonly layout: MixedLayout;
  /** Whether lines are only loaded, or stored as well. */
  readonly pattern: 'read' | 'copy';
  /** Vectors of a line that are worked on, where the intensity leaves the choice. */
  readonly columns: 2 | 3 | 4;
  /** Steps of each of them that stand in the source, at most. */
  readonly stepsPerTrip: number;
  readonly workgroupSize: number;
}

/** The work on a line, and how it is written: steps = segments x tripsPerSegment x stepsPerTrip. */
export interface UnrolledShape extends MixedShape {
  readonly segments: number;
  readonly tripsPerSegment: number;
  readonly stepsPerTrip: number;
}

/** So few steps need no loop. */
const mostStraightSteps = 24;
/** Trips are in two loops, the inner one's number known to the compiler: as in the chains' kernel. */
const tripsRange = { least: 2, most: 8 };
/** Numbers of steps so near to what the intensity asks are as good. */
const nearness = 0.02;

/** Bytes that are moved for each line. */
export function mixedMovedSize({ pattern }: Pick<MixedVariant, 'pattern'>): number {
  return pattern === 'copy' ? 2 * mixedLineSize : mixedLineSize;
}

/**
 * The work of a variant at an intensity in flop/byte. It comes within 2 % of that intensity or half a
 * step, whichever is more; `mixedIntensity` tells the true one.
 */
export function unrolledShape(variant: MixedVariant, intensity: number): UnrolledShape {
  const movedSize = mixedMovedSize(variant);
  const few = mixedShape(intensity, movedSize);
  if (few.steps === 1) return { ...few, segments: 1, tripsPerSegment: 1, stepsPerTrip: 1 };
  const { columns } = variant;
  const wanted = (few.columns * few.steps) / columns;
  return { columns, ...unrolledSteps(wanted, variant.stepsPerTrip) };
}

/** flop/byte of a variant with that work. */
export function mixedIntensity(variant: MixedVariant, shape: MixedShape): number {
  return mixedFlops(shape) / mixedMovedSize(variant);
}

/** About so many steps, in trips that are as long as they may be. */
function unrolledSteps(wanted: number, most: number): Omit<UnrolledShape, 'columns'> {
  const nearest = Math.max(1, Math.round(wanted));
  if (wanted <= mostStraightSteps)
    return { steps: nearest, segments: 1, tripsPerSegment: 1, stepsPerTrip: nearest };
  for (let stepsPerTrip = most; stepsPerTrip > 1; stepsPerTrip--)
    for (let trips = tripsRange.most; trips >= tripsRange.least; trips--) {
      const segments = Math.max(1, Math.round(wanted / stepsPerTrip / trips));
      const steps = segments * trips * stepsPerTrip;
      if (Math.abs(steps / wanted - 1) <= nearness)
        return { steps, segments, tripsPerSegment: trips, stepsPerTrip };
    }
  throw new RangeError(`unrolledSteps: no trips of up to ${most} make ${wanted} steps`);
}

/** Neighbours in how the steps are written. */
export function mixedMoves(): Move<MixedVariant>[] {
  return [
    ...alongValues<MixedVariant, 'columns'>('columns', [2, 3, 4]),
    ...alongValues<MixedVariant, 'stepsPerTrip'>('stepsPerTrip', [8, 16, 32]),
    ...alongValues<MixedVariant, 'form'>('form', ['affine', 'quadratic']),
  ];
}

/** The variant in words. */
export function describeMixed(variant: MixedVariant, shape: UnrolledShape, lanes: number): string {
  const { form, layout, pattern, workgroupSize } = variant;
  const lines = layout === 'line' ? 'one line' : 'rows';
  const statements = shape.columns * shape.stepsPerTrip;
  return `${pattern}, ${form}, ${shape.columns} vectors, ${statements} statements, a lane's vectors in ${lines}, ${lanes / workgroupSize} workgroups of ${workgroupSize}`;
}
