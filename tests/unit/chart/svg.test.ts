import { describe, expect, it } from 'vitest';
import { drawPanels } from '../../../src/core/chart/drawPanels.ts';
import { roofFrame } from '../../../src/core/chart/frame.ts';
import { overlaps, type Box } from '../../../src/core/chart/geometry.ts';
import { chartPanel, type ChartPanel } from '../../../src/core/chart/panel.ts';
import { plotOf, toPixels } from '../../../src/core/chart/plot.ts';
import { chartColors, textSize } from '../../../src/core/chart/scene.ts';
import { chartsSvg, type ChartTheme } from '../../../src/core/chart/svg.ts';
import { summary } from '../../../src/core/run/summary.ts';
import { sampleRecord } from '../../support/sample-record.ts';
import { readSeries } from '../../support/svg-series.ts';

const whole = summary(sampleRecord);
const panels = (['gpu', 'cpu'] as const).map((device) => chartPanel(whole, device));
const frame = roofFrame(panels);
const textWidth = (text: string): number => 0.55 * textSize * text.length;
const theme = {
  ...Object.fromEntries(chartColors.map((name) => [name, '#123456'])),
  font: 'sans-serif',
} as ChartTheme;

function svgOf(drawn: readonly ChartPanel[], note = ''): string {
  return chartsSvg(
    drawn.map((panel) => ({
      panels: [panel],
      frame,
      note,
      theme,
      textWidth,
      width: 640,
      height: 480,
      title: `${panel.device} <"&> roofline`,
      caption: ['Rooftrace 0.1.0', '2026-01-31'],
    })),
  );
}

describe('the SVG', () => {
  it('holds every trajectory: its lines read back to the numbers of the summary', () => {
    const svg = svgOf(panels);
    for (const { device, parameter, points } of whole.trajectories) {
      const read = readSeries(svg, `${device} ${parameter}`);
      expect(read).toHaveLength(points.length);
      for (const [index, point] of points.entries()) {
        expect((read[index]?.[0] ?? 0) / point.intensity).toBeCloseTo(1, 3);
        expect((read[index]?.[1] ?? 0) / point.flopsPerSecond).toBeCloseTo(1, 3);
      }
    }
  });

  it('holds every ceiling of the whole device at its value', () => {
    const svg = svgOf(panels);
    const roofline = whole.rooflines.find(({ device }) => device === 'gpu');
    for (const { id, value } of roofline?.compute ?? [])
      expect((readSeries(svg, `gpu ${id}`).at(-1)?.[1] ?? 0) / value).toBeCloseTo(1, 3);
    for (const { id, value } of roofline?.bandwidth ?? []) {
      const [intensity = 1, flops = 0] = readSeries(svg, `gpu ${id}`)[0] ?? [];
      expect(flops / intensity / value).toBeCloseTo(1, 2);
    }
  });

  it('says device, version and date, and lets no text break it', () => {
    const svg = svgOf(panels, 'published, <not> measured here');
    expect(svg).toContain('Rooftrace 0.1.0');
    expect(svg).toContain('2026-01-31');
    expect(svg).toContain('published, &lt;not&gt; measured here');
    expect(svg).toContain('gpu &lt;&quot;&amp;&gt; roofline');
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  });
});

describe('labels', () => {
  it.each([
    [320, 290],
    [640, 440],
    [1200, 600],
  ])('never lie over each other or over a mark at %i by %i', (width, height) => {
    for (const drawn of [...panels.map((panel) => [panel]), panels]) {
      const plot = plotOf(frame, { width, height }, textWidth);
      const scene = drawPanels(plot, drawn, 'software GPU');
      const boxes = scene.flatMap((mark): Box[] =>
        mark.kind === 'text'
          ? [{ x: mark.x, y: mark.y, width: textWidth(mark.text), height: 13, angle: mark.angle }]
          : [],
      );
      expect(boxes.length).toBeGreaterThan(3);
      const marks = drawn
        .flatMap(({ trajectories }) => trajectories.flatMap((line) => line.marks))
        .map((mark): Box => Object.assign(toPixels(plot, mark), { width: 7, height: 7, angle: 0 }));
      for (const [index, box] of boxes.entries())
        for (const other of [...boxes.slice(index + 1), ...marks])
          expect(overlaps(box, other)).toBe(false);
    }
  });
});
