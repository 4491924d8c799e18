import { browserName } from './browserName.ts';
import { defaultConfig, withProfile } from './config.ts';
import type { DeviceEnvironment } from './events.ts';
import type { LinkForm } from './linkWriter.ts';
import type { SummarizedRun } from './record.ts';
import { trajectoryOf } from '../roofline/trajectories.ts';
import type { TrajectoryPoint } from '../roofline/types.ts';
import { wholeSteps } from '../roofline/wholeSteps.ts';

/** Leaves something out of a run. */
type Reduction = (run: SummarizedRun) => SummarizedRun;

/** What is tried in turn until a link fits: the least telling goes first. */
export const reductions: Readonly<Record<LinkForm, readonly Reduction[]>> = {
  full: [
    (run) => run,
    chain(withoutVariantsOfParts),
    chain(withoutVariantsOfParts, mainTrajectories(4)),
    chain(wholeDevices, mainTrajectories(4)),
    chain(wholeDevices, mainTrajectories(4), thinned(16)),
    chain(wholeDevices, withoutDetails, mainTrajectories(4), thinned(12)),
    chain(wholeDevices, withoutDetails, f32Only, mainTrajectories(2), thinned(8)),
  ],
  card: [
    ...[12, 8, 6].map((points) => chain(essentials, thinned(points))),
    ...[6, 4, 3, 2].map((points) => chain(essentials, roofsOnly, withoutFlags, thinned(points))),
  ],
};

/** What a card begins with: the f32 ceiling, the memory levels and one trajectory a device. */
function essentials(run: SummarizedRun): SummarizedRun {
  const steps = [profileOnly, wholeDevices, withoutDetails, f32Only, levelsOnly, withoutColdSteps];
  return chain(...steps, mainTrajectories(1))(run);
}

function chain(...steps: readonly Reduction[]): Reduction {
  return (run) => steps.reduce((reduced, step) => step(reduced), run);
}

function withSummary(run: SummarizedRun, summary: Partial<SummarizedRun['summary']>) {
  return { ...run, summary: { ...run.summary, ...summary } };
}

/** Of rooflines of a part of the threads, which variant won is left out. */
function withoutVariantsOfParts(run: SummarizedRun): SummarizedRun {
  const rooflines = run.summary.rooflines.map((roofline) =>
    isWhole(run, roofline) ? roofline : plain(roofline),
  );
  return withSummary(run, { rooflines });
}

function wholeDevices(run: SummarizedRun): SummarizedRun {
  return withSummary(run, {
    rooflines: run.summary.rooflines.filter((roofline) => isWhole(run, roofline)),
  });
}

type SummaryRoofline = SummarizedRun['summary']['rooflines'][number];

/** The device's roofline, on a CPU that of the most threads. */
function isWhole({ summary }: SummarizedRun, roofline: SummaryRoofline): boolean {
  return summary.rooflines.every(
    ({ device, threads = 0 }) => device !== roofline.device || threads <= (roofline.threads ?? 0),
  );
}

function plain(roofline: SummaryRoofline): SummaryRoofline {
  const strip = (ceilings: SummaryRoofline['compute']): SummaryRoofline['compute'] =>
    ceilings.map((ceiling) => ({ ...ceiling, variant: '' }));
  return { ...roofline, compute: strip(roofline.compute), bandwidth: strip(roofline.bandwidth) };
}

/** Of the configuration its profile: what was swept shows in what there is. */
function profileOnly(run: SummarizedRun): SummarizedRun {
  return { ...run, config: withProfile(defaultConfig, run.config.profile) };
}

/** Variants, features, evidence and the long name of the browser go. */
function withoutDetails(run: SummarizedRun): SummarizedRun {
  const { environment, rooflines } = run.summary;
  return withSummary(run, {
    rooflines: rooflines.map(plain),
    environment: {
      ...environment,
      userAgent: browserName(environment.userAgent),
      devices: environment.devices.map(plainDevice),
    },
  });
}

function plainDevice(device: DeviceEnvironment): DeviceEnvironment {
  if (device.device === 'cpu') return device;
  const { softwareEvidence: _evidence, ...rest } = device;
  return { ...rest, features: [] };
}

function f32Only(run: SummarizedRun): SummarizedRun {
  return withSummary(run, {
    rooflines: run.summary.rooflines.map((roofline) => ({
      ...roofline,
      compute: roofline.compute.filter(({ precision }) => precision === 'f32'),
    })),
  });
}

/** Bandwidths of main memory and the caches; those of broadcasts and of workgroup memory go. */
function levelsOnly(run: SummarizedRun): SummarizedRun {
  return withBandwidths(run, (bandwidth) => bandwidth.filter(({ level }) => level !== undefined));
}

/** Of the bandwidths main memory's. */
function roofsOnly(run: SummarizedRun): SummarizedRun {
  return withBandwidths(run, (bandwidth) => bandwidth.slice(-1));
}

function withBandwidths(
  run: SummarizedRun,
  kept: (bandwidth: SummaryRoofline['bandwidth']) => SummaryRoofline['bandwidth'],
): SummarizedRun {
  return withSummary(run, {
    rooflines: run.summary.rooflines.map((roofline) =>
      Object.assign({}, roofline, { bandwidth: kept(roofline.bandwidth) }),
    ),
  });
}

function withoutColdSteps(run: SummarizedRun): SummarizedRun {
  return withPoints(run, ({ coldSeconds: _cold, ...point }) => point);
}

function withoutFlags(run: SummarizedRun): SummarizedRun {
  const rooflines = run.summary.rooflines.map((roofline) => ({
    ...roofline,
    compute: roofline.compute.map(unflagged),
    bandwidth: roofline.bandwidth.map(unflagged),
  }));
  return withPoints(withSummary(run, { rooflines }), unflagged);
}

function unflagged<T>(of: T): T {
  return { ...of, flags: [] };
}

function withPoints(
  run: SummarizedRun,
  changed: (point: TrajectoryPoint) => TrajectoryPoint,
): SummarizedRun {
  return withSummary(run, {
    trajectories: run.summary.trajectories.map((trajectory) => ({
      ...trajectory,
      points: trajectory.points.map(changed),
    })),
  });
}

/** The first `most` trajectories of whole steps of each device, growing batches first. */
function mainTrajectories(most: number): Reduction {
  return (run) => {
    const sorted = wholeSteps(run.summary.trajectories).toSorted(
      (a, b) => Number(b.parameter === 'batch') - Number(a.parameter === 'batch'),
    );
    const kept = new Set(
      (['gpu', 'cpu'] as const).flatMap((kind) =>
        sorted.filter(({ device }) => device === kind).slice(0, most),
      ),
    );
    return withSummary(run, {
      trajectories: run.summary.trajectories.filter((trajectory) => kept.has(trajectory)),
    });
  };
}

/** At most so many points of each trajectory, the first and the last among them. */
function thinned(most: number): Reduction {
  return (run) =>
    withSummary(run, {
      trajectories: run.summary.trajectories.map((trajectory) => {
        const {
          points,
          segments: _segments,
          saturation: _value,
          optimum: _best,
          ...subject
        } = trajectory;
        if (points.length <= most) return trajectory;
        const kept = Array.from(
          { length: most },
          (_, index) => points[Math.round((index * (points.length - 1)) / (most - 1))]!,
        );
        return trajectoryOf(subject, kept);
      }),
    });
}
