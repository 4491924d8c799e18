import type { OpGroup } from '../nn/opGroups.ts';
import type { Band, CeilingLine, ChartPanel, TrajectoryLine, WhiskerKind } from './panel.ts';

/** What can be shown or hidden, in the order of the switches. */
export const layerNames = [
  'compute',
  'memory',
  'ridge',
  'trajectory',
  'sweeps',
  'caches',
  'precisions',
  'threads',
  'knee',
  'kernels',
  'issued',
  'bound',
  'bands',
] as const;
export type LayerName = (typeof layerNames)[number];

export type ChartLayers = Readonly<Record<LayerName, boolean>>;

/** The best f32 roof, the memory roof, their ridge point and one trajectory. */
export const defaultLayers: ChartLayers = {
  compute: true,
  memory: true,
  ridge: true,
  trajectory: true,
  sweeps: false,
  caches: false,
  precisions: false,
  threads: false,
  knee: false,
  kernels: false,
  issued: false,
  bound: false,
  bands: false,
};

/** The layers for which a panel has something to show. */
export function availableLayers(panel: ChartPanel): readonly LayerName[] {
  return layerNames.filter((name) => contents[name](panel));
}

const contents: Readonly<Record<LayerName, (panel: ChartPanel) => boolean>> = {
  compute: ({ ceilings }) => ceilings.some((line) => layerOfCeiling(line) === 'compute'),
  memory: ({ ceilings }) => ceilings.some((line) => layerOfCeiling(line) === 'memory'),
  ridge: ({ ridges }) => ridges.length > 0,
  trajectory: ({ trajectories }) => trajectories.some(({ main }) => main),
  sweeps: ({ trajectories }) => trajectories.some(({ main }) => !main),
  caches: ({ ceilings }) => ceilings.some(({ role }) => role === 'level'),
  precisions: ({ ceilings }) => ceilings.some(({ role }) => role === 'precision'),
  threads: ({ ceilings }) => ceilings.some(({ role }) => role === 'part'),
  knee: ({ knee }) => knee.length > 0,
  kernels: ({ kernels }) => kernels.length > 0,
  issued: (panel) => hasWhiskers(panel, 'issued'),
  bound: (panel) => hasWhiskers(panel, 'bound'),
  bands: ({ ceilings }) => ceilings.some(({ band }) => band !== undefined),
};

function hasWhiskers({ trajectories }: ChartPanel, wanted: WhiskerKind): boolean {
  return trajectories.some(({ marks }) =>
    marks.some(({ whiskers }) => whiskers.some(({ kind }) => kind === wanted)),
  );
}

function layerOfCeiling({ kind, role }: CeilingLine): LayerName {
  switch (role) {
    case 'roof':
      return kind === 'compute' ? 'compute' : 'memory';
    case 'level':
      return 'caches';
    case 'precision':
      return 'precisions';
    case 'part':
      return 'threads';
  }
}

/** The panel with what its layers show, and nothing else. */
export function shownPanel(panel: ChartPanel, layers: ChartLayers): ChartPanel {
  return {
    ...panel,
    ceilings: panel.ceilings
      .filter((line) => layers[layerOfCeiling(line)])
      .map((line) => (layers.bands ? line : withoutBand(line)))
      .map((line) => (layers.caches ? line : endingAtRoof(line, panel))),
    ridges: layers.ridge
      ? panel.ridges.filter(
          ({ role }) =>
            role === 'roof' ||
            (role === 'level' && layers.caches) ||
            (role === 'part' && layers.threads),
        )
      : [],
    trajectories: panel.trajectories
      .filter(({ main }) => (main ? layers.trajectory : layers.sweeps))
      .map((line) => withWhiskers(line, layers))
      .map((line) =>
        layers.bands ? line : Object.assign({}, line, { marks: line.marks.map(withoutBand) }),
      ),
    knee: layers.knee ? panel.knee : [],
    kernels: layers.kernels ? panel.kernels : [],
  };
}

/** A panel without some of its kinds of kernel calls. */
export function withoutKinds(panel: ChartPanel, hidden: ReadonlySet<OpGroup>): ChartPanel {
  return { ...panel, kernels: panel.kernels.filter(({ kind }) => !hidden.has(kind)) };
}

/** A trajectory with the whiskers that its layers show. */
export function withWhiskers(line: TrajectoryLine, layers: ChartLayers): TrajectoryLine {
  return {
    ...line,
    marks: line.marks.map((mark) => ({
      ...mark,
      whiskers: mark.whiskers.filter(({ kind }) => layers[kind]),
    })),
  };
}

/** Where no cache is shown, the compute roof begins at the memory's ridge point. */
function endingAtRoof(line: CeilingLine, { ridges }: ChartPanel): CeilingLine {
  const ridge = ridges.find(({ role }) => role === 'roof')?.intensity;
  if (line.role !== 'roof' || line.kind !== 'compute' || ridge === undefined) return line;
  return { ...line, ridge };
}

function withoutBand<T extends { readonly band?: Band }>(drawn: T): T {
  const { band: _band, ...rest } = drawn;
  return rest as T;
}
