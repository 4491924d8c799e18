import { describe, expect, it } from 'vitest';
import { drawPanels } from '../../../src/core/chart/drawPanels.ts';
import { chartPanel, type ChartPanel, type TrajectoryMark } from '../../../src/core/chart/panel.ts';
import { plotOf } from '../../../src/core/chart/plot.ts';
import { textSize } from '../../../src/core/chart/scene.ts';
import { mostMarks, visiblePanels } from '../../../src/core/chart/visible.ts';
import { shortened, wrapText } from '../../../src/core/chart/wrapText.ts';
import { linearCongruential } from '../../../src/core/nn/random.ts';
import { crowdedPanel } from '../../support/crowded-panel.ts';

const frame = { x: { min: 1, max: 1000 }, y: { min: 1e9, max: 1e12 } };
const plot = plotOf(frame, { width: 500, height: 340 }, (text) => 0.55 * textSize * text.length);

function marksOf(panels: readonly ChartPanel[]): readonly TrajectoryMark[] {
  return panels.flatMap(({ trajectories }) => trajectories.flatMap(({ marks }) => marks));
}

describe('visiblePanels', () => {
  it('shows all of a chart of few marks, inside and outside of the frame', () => {
    const panel = crowdedPanel(mostMarks);
    const narrow = plotOf({ ...frame, x: { min: 1, max: 2 } }, plot, plot.textWidth);
    expect(marksOf(visiblePanels(narrow, [panel]))).toEqual(marksOf([panel]));
  });

  it('shows one mark for each place of a crowded one, in every part of the plot', () => {
    const panel = crowdedPanel(2000);
    const shown = marksOf(visiblePanels(plot, [panel]));
    expect(shown.length).toBeLessThanOrEqual(mostMarks);
    expect(shown.length).toBeGreaterThan(mostMarks / 8);
    // Every mark has one that is shown within a cell's diagonal.
    for (const mark of marksOf([panel])) {
      const nearest = Math.min(
        ...shown.map((other) =>
          Math.hypot(
            plot.x(other.intensity) - plot.x(mark.intensity),
            plot.y(other.flopsPerSecond) - plot.y(mark.flopsPerSecond),
          ),
        ),
      );
      expect(nearest).toBeLessThan(46);
    }
  });

  it('shows every mark again where few are left in the frame', () => {
    const panel = crowdedPanel(2000);
    const first = panel.trajectories[0]!.marks[0]!;
    const close = {
      x: { min: first.intensity / 1.05, max: first.intensity * 1.05 },
      y: { min: first.flopsPerSecond / 1.05, max: first.flopsPerSecond * 1.05 },
    };
    const zoomed = plotOf(close, plot, plot.textWidth);
    const inside = marksOf([panel]).filter(
      ({ intensity, flopsPerSecond }) =>
        intensity > close.x.min &&
        intensity < close.x.max &&
        flopsPerSecond > close.y.min &&
        flopsPerSecond < close.y.max,
    );
    const shown = new Set(marksOf(visiblePanels(zoomed, [panel])));
    expect(inside.length).toBeGreaterThan(0);
    for (const mark of inside) expect(shown.has(mark)).toBe(true);
  });

  it('prefers the mark above the roof, and draws the line through what is shown', () => {
    const next = linearCongruential(3);
    const marks = Array.from({ length: 1000 }, (_, index): TrajectoryMark => ({
      value: index,
      label: '',
      reading: '',
      intensity: 10 * (1 + 1e-4 * next()),
      flopsPerSecond: 1e10,
      whiskers: [],
      aboveRoof: index === 700,
    }));
    const empty = chartPanel({ rooflines: [], trajectories: [] }, 'gpu');
    const trajectory = { parameter: 'batch', main: true, marks, segments: [] } as const;
    const panel = { ...empty, trajectories: [trajectory] };
    const [line] = visiblePanels(plot, [panel])[0]!.trajectories;
    expect(line!.marks).toEqual([marks[700]]);
    expect(line!.path).toEqual([
      { x: plot.x(marks[700]!.intensity), y: plot.y(marks[700]!.flopsPerSecond) },
    ]);
  });

  it('draws a line that only crosses the plot', () => {
    const panel = crowdedPanel(2000);
    const [first, second] = panel.trajectories[0]!.marks;
    // Between two neighbours: no mark in it, and the line through it.
    const middle = {
      intensity: Math.sqrt(first!.intensity * second!.intensity),
      flopsPerSecond: Math.sqrt(first!.flopsPerSecond * second!.flopsPerSecond),
    };
    const close = {
      x: { min: middle.intensity * 0.9999, max: middle.intensity * 1.0001 },
      y: { min: middle.flopsPerSecond * 0.9999, max: middle.flopsPerSecond * 1.0001 },
    };
    const zoomed = plotOf(close, plot, plot.textWidth);
    const [line] = visiblePanels(zoomed, [panel])[0]!.trajectories;
    expect(line!.marks).toEqual([]);
    expect(line!.path.slice(0, 2)).toEqual(
      [first!, second!].map((mark) => ({
        x: zoomed.x(mark.intensity),
        y: zoomed.y(mark.flopsPerSecond),
      })),
    );
  });

  it('draws a scene of two thousand marks that is as large as one of two hundred', () => {
    const few = drawPanels(plot, [crowdedPanel(200)]).length;
    expect(drawPanels(plot, [crowdedPanel(2000)]).length).toBeLessThan(1.5 * few);
  });
});

function widthOf(text: string): number {
  return text.length;
}

describe('texts in narrow places', () => {
  it('wraps between words', () => {
    expect(wrapText('one two three', 7, widthOf)).toEqual(['one two', 'three']);
    expect(wrapText('incomprehensible to me', 5, widthOf)).toEqual(['incomprehensible', 'to me']);
    expect(wrapText('', 5, widthOf)).toEqual([]);
  });

  it('shortens with an ellipsis', () => {
    expect(shortened('Firefox', 7, widthOf)).toBe('Firefox');
    expect(shortened('Firefox 153 on Linux', 9, widthOf)).toBe('Firefox…');
  });
});
