import { defaultLayers, shownPanel } from '../chart/layers.ts';
import { accents, chartPanel, type ChartPanel } from '../chart/panel.ts';
import type { DeviceKind } from '../run/config.ts';
import type { ComparedRun } from './comparedRun.ts';

/**
 * Runs over each other in one chart of a device: of each the roof and the main trajectory, in the
 * colour of its place among the runs. A run without that device has no panel.
 */
export function runPanels(runs: readonly ComparedRun[], device: DeviceKind): readonly ChartPanel[] {
  return runs.flatMap(({ name, run }, index) => {
    const panel = shownPanel(chartPanel(run.summary, device), defaultLayers);
    if (panel.ceilings.length === 0 && panel.trajectories.length === 0) return [];
    const accent = accents[index % accents.length] ?? 0;
    return [Object.assign(panel, { overlay: { name, accent } })];
  });
}
