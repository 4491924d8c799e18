import { roofFrame } from '../../src/core/chart/frame.ts';
import { RooflineChart } from '../../src/ui/roofline-chart.ts';
import { crowdedPanel } from '../support/crowded-panel.ts';

async function chartOf(markCount: number): Promise<RooflineChart> {
  const chart = new RooflineChart();
  const panel = crowdedPanel(markCount);
  chart.panels = [panel];
  chart.frame = roofFrame([panel]);
  chart.style.width = '560px';
  document.body.append(chart);
  await chart.updateComplete;
  await new Promise(requestAnimationFrame);
  return chart;
}

/** Milliseconds of one redraw, from the key to the canvas's pixels. */
async function redraw(chart: RooflineChart, key: string): Promise<number> {
  const plot = chart.renderRoot.querySelector('#plot');
  const canvas = chart.renderRoot.querySelector('canvas');
  const context = canvas?.getContext('2d');
  if (!plot || !context) throw new Error('the chart has not been drawn');
  const start = performance.now();
  plot.dispatchEvent(new KeyboardEvent('keydown', { key }));
  await chart.updateComplete;
  // uPlot draws in a microtask; what it drew is waited for by reading a pixel.
  await Promise.resolve();
  context.getImageData(0, 0, 1, 1);
  return performance.now() - start;
}

/** In, out, and over the whole frame again. */
const keys = ['+', '+', '+', '+', '-', '-', '-', '-', '-', '+'];

/** Milliseconds of zoom redraws of charts with so many marks, in turns. */
async function benchChart(markCounts: readonly number[], rounds: number): Promise<number[][]> {
  const charts = await Promise.all(markCounts.map(chartOf));
  const times = charts.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1)
    for (const key of keys)
      for (const [index, chart] of charts.entries()) times[index]?.push(await redraw(chart, key));
  return times;
}

Object.assign(window, { benchChart });
