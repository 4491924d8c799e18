import { describe, expect, it } from 'vitest';
import {
  availableLayers,
  defaultLayers,
  layerNames,
  shownPanel,
  withoutKinds,
  type ChartLayers,
} from '../../../src/core/chart/layers.ts';
import { chartPanel, type ChartPanel } from '../../../src/core/chart/panel.ts';
import { readables, type Readable } from '../../../src/core/chart/readables.ts';
import { roofFrame } from '../../../src/core/chart/frame.ts';
import { summary } from '../../../src/core/run/summary.ts';
import { fashionShape } from '../../../src/core/nn/fashionMnist.ts';
import { trainingPlan } from '../../../src/core/nn/trainingPlan.ts';
import { trajectories } from '../../../src/core/roofline/trajectories.ts';
import { sampleRecord } from '../../support/sample-record.ts';
import { stepOf } from '../roofline/samples.ts';

const whole = summary(sampleRecord);
const gpu = chartPanel(whole, 'gpu');
const cpu = chartPanel(whole, 'cpu');
const everything = Object.fromEntries(layerNames.map((name) => [name, true])) as ChartLayers;

/** What says how small an intensity can be. */
function saying(panel: ChartPanel): readonly Readable[] {
  return readables([panel], roofFrame([panel])).filter(({ reading }) =>
    reading.endsWith('at least.'),
  );
}

describe('layers', () => {
  it('show the f32 roof, the memory roof, their ridge and one batch trajectory at first', () => {
    const shown = shownPanel(gpu, defaultLayers);
    expect(shown.ceilings.map(({ role, kind }) => `${role} ${kind}`)).toEqual([
      'roof compute',
      'roof bandwidth',
    ]);
    expect(shown.ridges.map(({ role }) => role)).toEqual(['roof']);
    expect(shown.trajectories.map(({ parameter }) => parameter)).toEqual(['batch']);
    expect(shown.knee).toEqual([]);
    for (const line of shown.ceilings) expect(line).not.toHaveProperty('band');
    for (const mark of shown.trajectories[0]?.marks ?? []) expect(mark.whiskers).toEqual([]);
  });

  it('let the compute roof begin where what is shown meets it', () => {
    const roofOf = (layers: ChartLayers) =>
      shownPanel(gpu, layers).ceilings.find(
        ({ role, kind }) => role === 'roof' && kind === 'compute',
      );
    const ridge = gpu.ridges.find(({ role }) => role === 'roof')?.intensity;
    expect(roofOf(defaultLayers)?.ridge).toBe(ridge);
    expect(roofOf(everything)?.ridge).toBeLessThan(ridge ?? 0);
  });

  it('show everything when all are on', () => {
    expect(shownPanel(gpu, everything)).toEqual(gpu);
    expect(shownPanel(cpu, everything)).toEqual(cpu);
  });

  it('show whiskers to the left of their points, each with what it is', () => {
    const bound = shownPanel(gpu, { ...defaultLayers, bound: true });
    const marks = bound.trajectories.flatMap((line) => line.marks);
    expect(marks.length).toBeGreaterThan(0);
    for (const { whiskers, intensity } of marks) {
      expect(whiskers.map(({ kind, label }) => [kind, label.replace(/ [\d.,]+$/, '')])).toEqual([
        ['bound', 'at least'],
      ]);
      expect(whiskers[0]!.intensity).toBeLessThan(intensity);
      expect(whiskers[0]!.intensity).toBeGreaterThanOrEqual(roofFrame([bound]).x.min);
    }
    expect(saying(bound)).toHaveLength(marks.length);
    expect(saying(shownPanel(gpu, defaultLayers))).toEqual([]);
  });

  it('show all kinds of kernel calls along the sweep, or those that are chosen', () => {
    const plan = trainingPlan('resnet8', 8, fashionShape);
    const calls = plan.ops.map((_, op) => ({
      ops: [op],
      variant: 'default',
      seconds: [1e-3],
      timer: 'timestamp' as const,
      flags: [],
    }));
    const steps = [4, 8].map((value) => stepOf({ value, batch: value, calls }));
    const panel = chartPanel({ rooflines: [], trajectories: trajectories(steps, []) }, 'gpu');
    const kinds = new Set(panel.kernels.map(({ kind }) => kind));
    expect(kinds.size).toBeGreaterThan(3);
    expect(panel.kernels).toHaveLength(2 * kinds.size);
    expect(panel.kernels.filter(({ last }) => last)).toHaveLength(kinds.size);
    const [hidden] = kinds;
    const rest = shownPanel(withoutKinds(panel, new Set([hidden!])), everything).kernels;
    expect(rest).toEqual(panel.kernels.filter(({ kind }) => kind !== hidden));
    const frame = roofFrame([panel]);
    for (const { intensity } of rest) expect(intensity).toBeGreaterThanOrEqual(frame.x.min);
  });

  it('are offered where there is something to show', () => {
    expect(availableLayers(gpu)).toEqual([
      'compute',
      'memory',
      'ridge',
      'trajectory',
      'sweeps',
      'caches',
      'bound',
      'bands',
    ]);
    expect(availableLayers(cpu)).toContain('threads');
    expect(availableLayers(chartPanel({ rooflines: [], trajectories: [] }, 'gpu'))).toEqual([]);
  });
});

it('every line and mark that is shown can be read, within the frame, and says something', () => {
  const frame = roofFrame([gpu]);
  const all = readables([gpu], frame);
  expect(all.length).toBe(
    gpu.ceilings.length +
      gpu.ridges.length +
      gpu.trajectories.flatMap(({ marks, segments }) => [marks, segments]).flat().length,
  );
  for (const { reading, intensity, flopsPerSecond } of all) {
    expect(reading).toMatch(/\d/);
    expect(intensity).toBeGreaterThanOrEqual(frame.x.min);
    expect(intensity).toBeLessThanOrEqual(frame.x.max);
    expect(flopsPerSecond).toBeLessThanOrEqual(frame.y.max);
  }
});
