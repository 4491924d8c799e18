import { chartPanel, type ChartPanel, type TrajectoryMark } from '../../src/core/chart/panel.ts';
import { linearCongruential } from '../../src/core/nn/random.ts';

/** A panel of so many marks on ten trajectories that wander over three decades of both axes. */
export function crowdedPanel(markCount: number): ChartPanel {
  const next = linearCongruential(7);
  const perLine = markCount / 10;
  const lines = Array.from({ length: 10 }, (_, line) => {
    const height = 1e9 * 10 ** (0.3 * line);
    return Array.from({ length: perLine }, (__, index): TrajectoryMark => {
      const flopsPerSecond = height * 10 ** (0.3 * next());
      const label = `batch ${line} ${index}`;
      return {
        value: index + 1,
        label,
        reading: `${label} reads`,
        intensity: 10 ** ((3 * (index + next())) / perLine),
        flopsPerSecond,
        band: { low: 0.97 * flopsPerSecond, high: 1.03 * flopsPerSecond },
        whiskers: [],
        aboveRoof: false,
      };
    });
  });
  return {
    ...chartPanel({ rooflines: [], trajectories: [] }, 'gpu'),
    ceilings: [
      {
        id: 'compute.f32',
        kind: 'compute',
        role: 'roof',
        label: 'f32 multiply-add 1.00 TFLOP/s',
        rate: '1.00 TFLOP/s',
        value: 1e12,
        reading: 'compute',
      },
      {
        id: 'bandwidth.memory',
        kind: 'bandwidth',
        role: 'roof',
        label: 'memory 50.0 GB/s',
        rate: '50.0 GB/s',
        value: 50e9,
        reading: 'memory',
      },
    ],
    trajectories: lines.map((marks, index) => ({
      parameter: 'batch',
      main: index === 0,
      marks,
      segments: [],
    })),
  };
}
