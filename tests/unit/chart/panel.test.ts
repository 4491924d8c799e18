import { describe, expect, it } from 'vitest';
import { roofFrame, trajectoryFrame, type Frame } from '../../../src/core/chart/frame.ts';
import { describePanel } from '../../../src/core/chart/describe.ts';
import { defaultLayers, shownPanel } from '../../../src/core/chart/layers.ts';
import { chartPanel, panelMarks, type ChartPanel } from '../../../src/core/chart/panel.ts';
import { flags } from '../../../src/core/roofline/flags.ts';
import type { TrajectoryPoint } from '../../../src/core/roofline/types.ts';
import { summary } from '../../../src/core/run/summary.ts';
import { sampleRecord } from '../../support/sample-record.ts';

const whole = summary(sampleRecord);
const gpu = chartPanel(whole, 'gpu');
const cpu = chartPanel(whole, 'cpu');

/** The GPU's panel with one point of its batch trajectory changed. */
function panelWith(change: Partial<TrajectoryPoint>): ChartPanel {
  const [first, ...others] = whole.trajectories;
  if (!first) throw new Error('the record has no trajectory');
  const points = first.points.map((point, index) =>
    index === 2 ? Object.assign({}, point, change) : point,
  );
  return chartPanel({ ...whole, trajectories: [{ ...first, points }, ...others] }, 'gpu');
}

function holds({ x, y }: Frame, intensity: number, flopsPerSecond: number): boolean {
  return (
    intensity >= x.min && intensity <= x.max && flopsPerSecond >= y.min && flopsPerSecond <= y.max
  );
}

describe('chartPanel', () => {
  it('draws the very numbers of the summary', () => {
    const roofline = whole.rooflines.find(({ device }) => device === 'gpu');
    expect(gpu.ceilings.map(({ value }) => value)).toEqual(
      [...(roofline?.compute ?? []), ...(roofline?.bandwidth ?? [])].map(({ value }) => value),
    );
    expect(gpu.trajectories.map(({ parameter }) => parameter)).toEqual(['batch', 'workgroups']);
    const points = whole.trajectories[0]?.points ?? [];
    expect(gpu.trajectories[0]?.marks.map((mark) => mark.flopsPerSecond)).toEqual(
      points.map((point) => point.flopsPerSecond),
    );
  });

  it('lets the ceilings meet at their ridge points', () => {
    for (const { intensity, flopsPerSecond, role } of [...gpu.ridges, ...cpu.ridges]) {
      const memory = [...gpu.ceilings, ...cpu.ceilings].find(
        (line) => line.kind === 'bandwidth' && line.role === role && line.ridge === intensity,
      );
      expect((memory?.value ?? 0) * intensity).toBeCloseTo(flopsPerSecond, -3);
    }
  });

  it('takes all threads as the roof and one thread as a part of it', () => {
    const roof = cpu.ceilings.filter(({ role }) => role === 'roof');
    expect(roof.map(({ label }) => label.split(' ')[0])).toEqual(['f32', 'memory']);
    const parts = cpu.ceilings.filter(({ role }) => role === 'part');
    expect(parts.every(({ label }) => label.startsWith('1 thread: '))).toBe(true);
    expect(roof[0]?.value).toBeGreaterThan(parts[0]?.value ?? Infinity);
  });

  it('flags a point above the roof and still draws it where it is', () => {
    const panel = panelWith({ flopsPerSecond: 900e9, flags: [flags.aboveRoof] });
    const mark = panel.trajectories[0]?.marks[2];
    expect(mark).toMatchObject({ flopsPerSecond: 900e9, aboveRoof: true });
    expect(holds(roofFrame([panel]), mark?.intensity ?? 0, 900e9)).toBe(true);
  });

  it('draws no failed point', () => {
    const panel = panelWith({ status: 'failed', flopsPerSecond: 0 });
    expect(panel.trajectories[0]?.marks.map(({ value }) => value)).toEqual([1, 2, 8, 16, 32]);
  });

  it('is empty, not broken, without measurements', () => {
    const empty = chartPanel({ rooflines: [], trajectories: [] }, 'gpu');
    expect(panelMarks(empty)).toEqual([]);
    expect(describePanel(empty)).toContain('nothing measured');
  });
});

describe('describePanel', () => {
  it('says the roof, the ridge point and both ends of a trajectory', () => {
    expect(describePanel(gpu)).toMatch(
      /GPU .* 56\.9 GFLOP\/s.*memory 4\.\d\d GB\/s.*Ridge 13\.\d FLOP\/byte.*batch 1.*batch 32.*1,024 workgroups/,
    );
  });
});

describe('frames', () => {
  it('hold every mark and every compute ceiling of all panels, with room above', () => {
    const frame = roofFrame([gpu, cpu]);
    for (const mark of [...panelMarks(gpu), ...panelMarks(cpu)])
      expect(holds(frame, mark.intensity, mark.flopsPerSecond)).toBe(true);
    const top = Math.max(...panelMarks(cpu).map(({ flopsPerSecond }) => flopsPerSecond));
    expect(frame.y.max).toBeGreaterThan(1.2 * top);
  });

  it('come close to the trajectory and keep the roof in sight', () => {
    const frame = trajectoryFrame(shownPanel(gpu, { ...defaultLayers, sweeps: true }));
    for (const { marks } of gpu.trajectories)
      for (const mark of marks)
        expect(holds(frame, mark.intensity, mark.flopsPerSecond)).toBe(true);
    expect(frame.x.max / frame.x.min).toBeLessThan(5);
    const roof = gpu.ceilings.filter(({ role }) => role === 'roof');
    const intensity = gpu.trajectories[0]?.marks[0]?.intensity ?? 0;
    const attainable = Math.min(
      ...roof.map(({ kind, value }) => (kind === 'compute' ? value : value * intensity)),
    );
    expect(holds(frame, intensity, attainable)).toBe(true);
  });
});
