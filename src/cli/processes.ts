import type { RunRecord } from '../core/run/record.ts';
import { explainProcesses, processPairs } from '../core/roofline/processes.ts';
import { formatDuration, formatNumber, formatShare } from '../core/units.ts';
import { table } from './table.ts';

/** One process against many as text for a terminal; empty where a run has not timed both. */
export function processReport({ events }: RunRecord): string {
  const pairs = processPairs(
    events.flatMap((event) => (event.kind === 'step' ? [event.step] : [])),
  );
  if (pairs.length === 0) return '';
  const rows = pairs.map((pair) => [
    pair.model,
    String(pair.cores),
    String(pair.batch),
    formatDuration(pair.singleSeconds),
    pair.barrierShare === undefined ? '' : formatShare(pair.barrierShare),
    `${pair.replicas} x ${pair.threadsPerReplica}`,
    formatDuration(pair.multiSeconds),
    pair.allReduceShare === undefined ? '' : formatShare(pair.allReduceShare),
    formatNumber(pair.ratio),
  ]);
  const header = [
    'model',
    'cores',
    'batch',
    'one process',
    'at barriers',
    'replicas x threads',
    'replicas',
    'all-reduce',
    'ratio',
  ];
  const models = [...new Set(pairs.map(({ model }) => model))];
  return [
    'One process against many',
    table(header, rows),
    ...models.map((model) => `${model}: ${explainProcesses(pairs, model)}`),
  ].join('\n');
}
