import { describe, expect, it } from 'vitest';
import {
  roofOf,
  roofText,
  runName,
  type ComparedRun,
} from '../../../src/core/compare/comparedRun.ts';
import { dotPlot } from '../../../src/core/compare/dots.ts';
import { environmentRows } from '../../../src/core/compare/environment.ts';
import { runPanels } from '../../../src/core/compare/panels.ts';
import { mostLinks, pastedLinks } from '../../../src/core/compare/pastedLinks.ts';
import { defaultSides, ratioRows } from '../../../src/core/compare/sides.ts';
import { measuredSpread } from '../../../src/core/compare/spread.ts';
import { comparedRun } from './runs.ts';

const repeats = [0.99, 1, 1.01].map((speed, index) => comparedRun(`old ${index}`, speed));
const newer = { app: { version: '9.9.9', commit: 'next' } };
const later = [1.98, 2, 2.02].map((speed, index) => comparedRun(`new ${index}`, speed, newer));

describe('sides', () => {
  it('hold repeats together and tell versions apart', () => {
    const sides = defaultSides([...repeats, ...later]);
    expect([...sides.values()].join('')).toBe('AAABBB');
  });

  it('are compared figure by figure', () => {
    const runs = [...repeats, ...later];
    const rows = ratioRows(runs, defaultSides(runs), {});
    const peak = rows.find(({ figure }) => figure.key === 'gpu.compute.f32');
    expect(peak?.base).toBeCloseTo(57e9, -9);
    expect(peak?.others).toHaveLength(1);
    expect(peak?.others[0]?.ratio?.ratio).toBeCloseTo(2, 6);
    expect(peak?.others[0]?.ratio?.verdict).toBe('differs');
    const ridge = rows.find(({ figure }) => figure.key === 'gpu.ridge');
    expect(ridge?.others[0]?.ratio?.ratio).toBeCloseTo(1, 6);
    expect(rows.some(({ figure }) => figure.label.startsWith('resnet8 training, batch 8'))).toBe(
      true,
    );
  });

  it('of single runs under one profile read within the noise that the profile has', () => {
    const spreads = { quick: measuredSpread([repeats.map(({ run }) => run.summary)]) };
    const runs = [comparedRun('before'), comparedRun('after', 1.01, newer)];
    const rows = ratioRows(runs, defaultSides(runs), spreads);
    const verdict = (key: string): string | undefined =>
      rows.find(({ figure }) => figure.key === key)?.others[0]?.ratio?.verdict;
    expect(verdict('gpu.compute.f32')).toBe('noise');
    const [first] = runs;
    const full = comparedRun('full', 1, { config: { ...first!.run.config, profile: 'full' } });
    const mixed = [...runs, full];
    const mixedRows = ratioRows(mixed, defaultSides(mixed), spreads);
    expect(mixedRows[0]?.others[0]?.ratio?.verdict).toBe('unknown');
  });

  it('have no rows without a second side', () => {
    expect(ratioRows(repeats, defaultSides(repeats), {})).toEqual([]);
  });
});

describe('environment', () => {
  it('tells what differs first, each value beside its run', () => {
    const rows = environmentRows([repeats[0]!, later[0]!]);
    expect(rows[0]).toEqual({
      name: 'Rooftrace version',
      values: ['0.0.0 (test)', '9.9.9 (next)'],
      differs: true,
    });
    expect(rows.slice(1).every(({ differs }) => !differs)).toBe(true);
    expect(rows.find(({ name }) => name === 'GPU')?.values[0]).toBe(
      'software GPU, SwiftShader Device (Subzero)',
    );
  });
});

describe('names', () => {
  it('say software GPU, unless the user gave a name', () => {
    const { run } = repeats[0]!;
    expect(runName(run)).toContain('software GPU, SwiftShader');
    expect(runName({ ...run, label: 'desk' })).toBe('desk');
    expect(roofText(roofOf(run.summary, 'gpu')!)).toMatch(
      /^5[67]\.\d GFLOP\/s, 4\.\d\d GB\/s, ridge 1\d\.\d FLOP\/byte$/,
    );
  });
});

describe('pasted links', () => {
  it('are found among names, times and other addresses', () => {
    const text = `Ada 10:02\nhttps://example.org/rooftrace/?view=measure#r=AbC-_1, "https://x.y/#r=Zz9"
      see https://example.org/paper and #r=AbC-_1`;
    expect(pastedLinks(text)).toEqual({
      links: ['AbC-_1', 'Zz9'],
      refused: ['https://example.org/paper'],
      leftOut: 0,
    });
  });

  it('are at most 200, and long words are shortened', () => {
    const many = Array.from({ length: mostLinks + 3 }, (_, index) => `https://x/#r=a${index}`);
    const { links, refused, leftOut } = pastedLinks(`${many.join('\n')} http://${'y'.repeat(99)}`);
    expect([links.length, leftOut]).toEqual([200, 3]);
    expect(refused[0]).toHaveLength(40);
  });
});

describe('dot plot', () => {
  const runs = [...repeats, ...later];
  it('has a dot a device, on whole decades, none on another', () => {
    for (const kind of ['peak', 'bandwidth', 'ridge'] as const) {
      const { dots, range } = dotPlot(runs, kind);
      expect(dots).toHaveLength(12);
      expect(Number.isInteger(Math.log10(range.min))).toBe(true);
      for (const dot of dots) {
        expect(dot.position).toBeGreaterThanOrEqual(0);
        expect(dot.position).toBeLessThanOrEqual(1);
        const near = dots.filter(
          (other) =>
            other !== dot &&
            other.row === dot.row &&
            Math.abs(other.position - dot.position) < 0.02,
        );
        expect(near).toEqual([]);
      }
    }
  });
  it('is empty without runs', () => {
    expect(dotPlot([], 'peak')).toMatchObject({ dots: [], rows: 0 });
  });
});

describe('panels over each other', () => {
  it('have a roof, one trajectory, a name and a colour a run', () => {
    const panels = runPanels([repeats[0]!, later[0]!], 'gpu');
    expect(panels.map(({ overlay }) => overlay)).toEqual([
      { name: 'old 0', accent: 0 },
      { name: 'new 0', accent: 1 },
    ]);
    for (const { ceilings, trajectories } of panels) {
      expect(ceilings.every(({ role }) => role === 'roof')).toBe(true);
      expect(ceilings).toHaveLength(2);
      expect(trajectories).toHaveLength(1);
    }
    // A run keeps its colour where another has no such device.
    expect(runPanels([withoutDevices(repeats[0]!), later[0]!], 'gpu')[0]?.overlay?.accent).toBe(1);
  });
});

function withoutDevices(compared: ComparedRun): ComparedRun {
  const summary = { ...compared.run.summary, rooflines: [], trajectories: [] };
  return { ...compared, run: { ...compared.run, summary } };
}
