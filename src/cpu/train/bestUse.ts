import { groupBy } from '../../core/groupBy.ts';
import { noiseOfChange } from '../../core/roofline/noise.ts';
import { medianInterval } from '../../core/stats/interval.ts';
import type { PointTiming } from './sweepPoint.ts';
import { fixedBatch, type CoreUse, type SweepPoint } from './sweepPoints.ts';

/** A point of a sweep and how it went. */
export interface TimedPoint {
  readonly point: Pick<SweepPoint, 'batches' | 'threads'>;
  readonly timing: Pick<PointTiming, 'status' | 'seconds'>;
}

/**
 * How the cores train a batch of 32 fastest, by what was timed: as `usual` unless another way is
 * faster by more than the noise of both.
 */
export function bestUse(timed: readonly TimedPoint[], usual: CoreUse): CoreUse {
  const good = timed.filter(
    ({ point, timing }) => timing.status === 'ok' && imagesOf(point) === fixedBatch,
  );
  const candidates = groupBy(
    good,
    ({ point: { batches, threads } }) => `${batches.length} ${threads}`,
  )
    .map((same) => {
      const { batches, threads } = same[0]!.point;
      const seconds = same.flatMap(({ timing }) => timing.seconds);
      const use = { replicas: batches.length, threads };
      return { use, interval: medianInterval(seconds), samples: seconds.length };
    })
    .toSorted((a, b) => a.interval.median - b.interval.median);
  const own = candidates.find(
    ({ use }) => use.replicas === usual.replicas && use.threads === usual.threads,
  );
  const [best] = candidates;
  if (own === undefined || best === undefined) return usual;
  const noise = noiseOfChange(
    { ...own.interval, samples: own.samples },
    { ...best.interval, samples: best.samples },
  );
  return Math.log(own.interval.median / best.interval.median) > noise ? best.use : usual;
}

function imagesOf({ batches }: Pick<SweepPoint, 'batches'>): number {
  return batches.reduce((sum, batch) => sum + batch, 0);
}
