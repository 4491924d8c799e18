import { expect, test } from 'vitest';
import { importRules } from '../../support/import-rules.ts';
import { forbiddenImports } from '../../support/imports.ts';

const check = (file: string, source: string): readonly string[] =>
  forbiddenImports(file, source, importRules);

test.each([
  ['src/core/stats/median.ts', `import { GpuTimer } from '../../gpu/timer.ts';`],
  ['src/core/units.ts', `import type { Store } from '../app/store.ts';`],
  ['src/core/units.ts', `import { readFileSync } from 'node:fs';`],
  ['src/core/units.ts', `export * from '../gpu/device.ts';`],
  ['src/gpu/device.ts', `const page = await import('../ui/device-card.ts');`],
  ['src/gpu/train/trainer.ts', `import code from '../../../shaders/nn/conv.wgsl?raw';`],
  ['src/cpu/pool.ts', `import { openDevice } from '../gpu/device.ts';`],
  ['src/workers/gpu.worker.ts', `import { strings } from '../ui/strings.ts';`],
  ['src/app/store.ts', `import { wrap } from 'comlink';`],
  ['src/app/store.ts', `new Worker(new URL('../workers/gpu.worker.ts', import.meta.url));`],
  ['src/ui/device-card.ts', `import uPlot from 'uplot';`],
  ['src/ui/device-card.ts', `import { openDevice } from '../gpu/device.ts';`],
  ['src/cli/bench.ts', `import { Runner } from '../app/runner.ts';`],
  ['src/unheard-of.ts', ``],
])('%s refuses %s', (file, source) => {
  expect(check(file, source)).toHaveLength(1);
});

test('a refusal names file, line, target and reason', () => {
  expect(check('src/core/units.ts', `\nimport { html } from 'lit';`)[0]).toMatch(
    /^src\/core\/units\.ts:2: may not import lit: core is pure/,
  );
});

test.each([
  ['src/core/stats/median.ts', `import { median } from 'simple-statistics';`],
  ['src/gpu/kernels/conv.ts', `import code from '../../../shaders/nn/conv.wgsl?raw';`],
  ['src/app/runner.ts', `new Worker(new URL('../workers/gpu.worker.ts', import.meta.url));`],
  ['src/workers/gpu.worker.ts', `import { expose } from 'comlink';`],
  ['src/ui/roofline-chart.ts', `import uPlot from 'uplot'; import { html } from 'lit';`],
])('%s allows %s', (file, source) => {
  expect(check(file, source)).toEqual([]);
});
