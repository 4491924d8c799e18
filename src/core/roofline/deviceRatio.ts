import { formatCount, formatNumber } from '../units.ts';
import { noiseOfChange } from './noise.ts';
import { parameterLabel } from './parameterWords.ts';
import type { Trajectory, TrajectoryPoint } from './types.ts';
import { wholeSteps } from './wholeSteps.ts';

/** A GPU against the CPU of the same machine, training the same network. */
export interface DeviceRatio {
  readonly model: string;
  /** The largest batch at which both were timed. */
  readonly batch: number;
  /** Images a second of the GPU over those of the CPU, both at that batch. */
  readonly ratio: number;
  /** Half-width of the 95 % interval of its natural logarithm. */
  readonly noise: number;
  readonly gpu: TrajectoryPoint;
  readonly cpu: TrajectoryPoint;
  /** Likewise with each device at the batch that suits it best. */
  readonly best: { readonly ratio: number; readonly gpuBatch: number; readonly cpuBatch: number };
  /** How the CPU's cores were used, in words. */
  readonly cpuSetting: string;
}

/** One for each network whose batch grew on both devices, with a batch in common. */
export function deviceRatios(trajectories: readonly Trajectory[]): DeviceRatio[] {
  const batches = wholeSteps(trajectories).filter(({ parameter }) => parameter === 'batch');
  const models = [...new Set(batches.map(({ model }) => model))];
  return models.flatMap((model) => {
    const [gpuPoints] = pointsOf(batches, model, 'gpu');
    const [cpuPoints, cpuSweep] = pointsOf(batches, model, 'cpu');
    const common = gpuPoints.flatMap((gpu) => {
      const cpu = cpuPoints.find(({ value }) => value === gpu.value);
      return cpu ? [{ gpu, cpu }] : [];
    });
    const largest = common.toSorted((a, b) => b.gpu.value - a.gpu.value)[0];
    if (largest === undefined || cpuSweep === undefined) return [];
    const { gpu, cpu } = largest;
    const [gpuBest, cpuBest] = [fastest(gpuPoints), fastest(cpuPoints)];
    return [
      {
        model,
        batch: gpu.value,
        ratio: gpu.imagesPerSecond / cpu.imagesPerSecond,
        noise: noiseOfChange(timesOf(gpu), timesOf(cpu)),
        gpu,
        cpu,
        best: {
          ratio: gpuBest.imagesPerSecond / cpuBest.imagesPerSecond,
          gpuBatch: gpuBest.value,
          cpuBatch: cpuBest.value,
        },
        cpuSetting: settingOf(cpuSweep),
      },
    ];
  });
}

/** In a sentence or two; a difference within the noise is none. */
export function explainDevices(compared: DeviceRatio): string {
  const { model, batch, ratio, noise, gpu, cpu, best, cpuSetting } = compared;
  const speeds = `${formatCount(gpu.imagesPerSecond)} images/s against ${formatCount(cpu.imagesPerSecond)}`;
  const both = `${model} at ${parameterLabel('batch', batch)}: the GPU trains ${formatNumber(ratio)} times the images a second of the CPU on ${cpuSetting} (${speeds}${Math.abs(Math.log(ratio)) > noise ? '' : '; no change, within the noise'}).`;
  if (best.gpuBatch === batch && best.cpuBatch === batch) return both;
  return `${both} Each at its best batch (GPU ${best.gpuBatch}, CPU ${best.cpuBatch}): ${formatNumber(best.ratio)} times.`;
}

/** The good points of a network on a device, and the sweep that they are of: the first one that has any. */
function pointsOf(
  batches: readonly Trajectory[],
  model: string,
  device: Trajectory['device'],
): readonly [readonly TrajectoryPoint[], Trajectory?] {
  for (const trajectory of batches) {
    if (trajectory.model !== model || trajectory.device !== device) continue;
    const points = trajectory.points.filter(({ status }) => status === 'ok');
    if (points.length > 0) return [points, trajectory];
  }
  return [[]];
}

function fastest(points: readonly TrajectoryPoint[]): TrajectoryPoint {
  return points.reduce((best, each) => (each.imagesPerSecond > best.imagesPerSecond ? each : best));
}

function settingOf({ fixed: { threads = 1, replicas = 1 } }: Trajectory): string {
  const own = parameterLabel('threads', threads);
  return replicas === 1 ? own : `${parameterLabel('replicas', replicas)} of ${own}`;
}

function timesOf({ ciLow, ciHigh, samples }: TrajectoryPoint) {
  return { low: ciLow, high: ciHigh, samples };
}
