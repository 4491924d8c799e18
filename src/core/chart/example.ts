import type { DeviceKind } from '../run/config.ts';
import { formatNumber, formatRate } from '../units.ts';
import { chartPanel, type CeilingLine, type ChartPanel } from './panel.ts';

/** What a chart shows before anything was measured, and whose numbers they are. */
export interface ExamplePanel {
  readonly panel: ChartPanel;
  readonly note: string;
}

interface Published {
  readonly note: string;
  readonly computeLabel: string;
  /** flop/s and byte/s */
  readonly compute: number;
  readonly memory: number;
}

/** Double precision of a data centre's GPU. */
const published: Readonly<Record<DeviceKind, Published>> = {
  // Yang, Kurth and Williams, Hierarchical roofline analysis for GPUs, 2020 (ERT on an NVIDIA V100).
  gpu: {
    note: 'Example: published for an NVIDIA V100, not measured here',
    computeLabel: 'f64 multiply-add',
    compute: 7068.86e9,
    memory: 828.758e9,
  },
  // Williams, Waterman and Patterson, Roofline, CACM 52(4), 2009, figure 1 (AMD Opteron X2).
  cpu: {
    note: 'Example: published for an AMD Opteron X2 of 2005, not measured here',
    computeLabel: 'f64 arithmetic',
    compute: 17.6e9,
    memory: 15e9,
  },
};

/** A roofline that somebody published, to show what a measurement will look like. */
export function examplePanel(device: DeviceKind): ExamplePanel {
  const { note, computeLabel, compute, memory } = published[device];
  const intensity = compute / memory;
  const empty = chartPanel({ rooflines: [], trajectories: [] }, device);
  const line = (id: string, kind: CeilingLine['kind'], label: string): CeilingLine => {
    const value = kind === 'compute' ? compute : memory;
    const rate = formatRate(value, kind === 'compute' ? 'flop/s' : 'byte/s');
    return {
      id,
      kind,
      role: 'roof',
      label: `${label} ${rate}`,
      rate,
      value,
      ridge: intensity,
      reading: note,
    };
  };
  const label = `ridge ${formatNumber(intensity)}`;
  return {
    note,
    panel: {
      ...empty,
      ceilings: [
        line('compute.f64', 'compute', computeLabel),
        line('bandwidth.memory', 'bandwidth', 'memory'),
      ],
      ridges: [{ role: 'roof', label, reading: note, intensity, flopsPerSecond: compute }],
    },
  };
}
