import { deviceRatios, explainDevices } from '../core/roofline/deviceRatio.ts';
import { explainProcesses, processPoints, type ProcessPoint } from '../core/roofline/processes.ts';
import type { RunSummary } from '../core/run/record.ts';
import { formatDuration, formatNumber, formatShare } from '../core/units.ts';
import { table } from './table.ts';

/**
 * One process against many, and the GPU against the CPU, as text for a terminal; empty where a run has
 * timed neither pair.
 */
export function comparisonReport({ trajectories }: Pick<RunSummary, 'trajectories'>): string {
  const devices = deviceRatios(trajectories).map(explainDevices);
  return [
    processSection(processPoints(trajectories)),
    ...(devices.length === 0 ? [] : [['GPU against CPU', ...devices].join('\n')]),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function processSection(points: readonly ProcessPoint[]): string {
  if (points.length === 0) return '';
  const header = [
    'model',
    'replicas x threads',
    'batch',
    'step',
    'images/s',
    'at barriers',
    'all-reduce',
    'over 1 thread',
    'against one process',
  ];
  const models = [...new Set(points.map(({ model }) => model))];
  return [
    'One process against many',
    table(header, points.map(row)),
    ...models.flatMap((model) => explainProcesses(points, model) ?? []),
  ].join('\n');
}

function row({ model, replicas, threads, batch, point, speedUp, againstOne }: ProcessPoint) {
  const { seconds, imagesPerSecond, barrierShare, allReduceShare } = point;
  return [
    model,
    `${replicas} x ${threads}`,
    String(batch),
    formatDuration(seconds),
    formatNumber(imagesPerSecond),
    shareText(barrierShare),
    shareText(allReduceShare),
    ratioText(speedUp),
    ratioText(againstOne?.ratio),
  ];
}

function shareText(share: number | undefined): string {
  return share === undefined ? '' : formatShare(share);
}

function ratioText(ratio: number | undefined): string {
  return ratio === undefined ? '' : `${formatNumber(ratio)} x`;
}
