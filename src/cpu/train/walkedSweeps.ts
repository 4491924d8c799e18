import { groupBy } from '../../core/groupBy.ts';
import type { ModelName } from '../../core/nn/zoo.ts';
import type { PointBudget, VisitBudget } from '../../core/sweeps/pointBudget.ts';
import { SweepPlanner } from '../../core/sweeps/sweepPlanner.ts';
import type { Sweep } from '../../core/sweeps/sweep.ts';
import { skippedPoint, type PointTiming } from './sweepPoint.ts';
import type { SweepPoint } from './sweepPoints.ts';

const seed = 1;

/**
 * Visits the points of a parameter's sweeps in the order of a `SweepPlanner` until `end` (see
 * `performance.now`); the trajectories share the time evenly.
 */
export async function walkPoints(
  model: ModelName,
  points: readonly SweepPoint[],
  budget: PointBudget,
  end: number,
  time: (point: SweepPoint, budget: VisitBudget) => Promise<PointTiming>,
  tell: (point: SweepPoint, timing: PointTiming) => void,
): Promise<void> {
  // Replicas of one batch and replicas of a batch each are trajectories of their own.
  const trajectories = groupBy(points, trajectoryOf);
  for (const [index, own] of trajectories.entries()) {
    const planner = new SweepPlanner(sweepOf(model, own), { budget, seed });
    const begin = performance.now();
    const ownEnd = begin + Math.max(0, end - begin) / (trajectories.length - index);
    const next = () => planner.next((ownEnd - performance.now()) / 1000);
    for (let visit = next(); visit !== undefined; visit = next()) {
      const { value, skip } = visit;
      const point = own.find((candidate) => candidate.value === value)!;
      const timing = skip === undefined ? await time(point, visit.budget) : skippedPoint(skip);
      tell(point, timing);
      planner.report({ value, ...timing });
    }
  }
}

/** The sweep that points make; a point says itself how its batch is dealt out. */
function sweepOf(model: ModelName, points: readonly SweepPoint[]): Sweep {
  const { parameter } = points[0]!;
  const values = points.map(({ value }) => value).toSorted((a, b) => a - b);
  return { parameter, base: { model, batch: imagesOf(points[0]!) }, values };
}

/** Equal for points of one trajectory: alike but for the parameter. */
function trajectoryOf(point: SweepPoint): string {
  const { parameter, scaling, batches, threads } = point;
  switch (parameter) {
    case 'batch':
      return JSON.stringify([batches.length, threads]);
    case 'threads':
      return JSON.stringify(batches);
    case 'replicas':
    case 'workgroups':
    case 'workgroupSize':
    case 'depth':
    case 'width':
      return JSON.stringify([scaling, threads, scaling === 'weak' ? batches[0] : imagesOf(point)]);
  }
}

function imagesOf({ batches }: SweepPoint): number {
  return batches.reduce((sum, batch) => sum + batch, 0);
}
