import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { fashionFiles, type FashionBytes } from '../../../src/core/nn/fashionMnist.ts';
import {
  goldenInput,
  goldenPlan,
  parseGolden,
  runGolden,
  type GoldenCase,
} from '../../../src/core/nn/golden.ts';
import { compareGolden, goldenTolerances } from '../../../src/core/nn/goldenComparison.ts';
import { initialParameters } from '../../../src/core/nn/initialParameters.ts';
import { ReferenceTrainer } from '../../../src/core/nn/referenceTrainer.ts';

const root = new URL('../../../', import.meta.url);
const names = ['resnet8-synthetic', 'resnet8-fashion'] as const;

function readJson(name: string): Record<string, unknown> {
  const text = readFileSync(new URL(`tests/golden/${name}.json`, root), 'utf8');
  return JSON.parse(text) as Record<string, unknown>;
}

function readCase(name: string): GoldenCase {
  const parsed = parseGolden(readJson(name));
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.errors));
  return parsed.value;
}

function readPacked(file: string): Uint8Array {
  return gunzipSync(readFileSync(new URL(`public/data/fashion-mnist/${file}`, root)));
}

function readFashion(): FashionBytes {
  const { images, labels } = fashionFiles.train;
  return { images: readPacked(images), labels: readPacked(labels) };
}

async function runReference(golden: GoldenCase) {
  const plan = goldenPlan(golden);
  const input = await goldenInput(golden, readFashion);
  const trainer = new ReferenceTrainer(plan, initialParameters(plan, golden.seed));
  return runGolden(golden, input, trainer);
}

describe.each(names)('%s', (name) => {
  test('the interpreter reproduces it within 1e-9', async () => {
    const golden = readCase(name);
    const comparison = compareGolden(
      golden,
      await runReference(golden),
      goldenTolerances.reference,
    );
    expect(comparison.worst.map(({ quantity }) => quantity)).toEqual([
      'losses',
      'logitsFirstStep',
      'gradL2',
      'gradFirst4',
    ]);
    expect(comparison).toMatchObject({ within: true });
  });
});

describe('the comparison', () => {
  const golden = readCase('resnet8-synthetic');
  const kernels = goldenTolerances.kernels;

  test('the recorded numbers agree with themselves', () => {
    const comparison = compareGolden(golden, golden, goldenTolerances.reference);
    expect(comparison.worst.map(({ error }) => error)).toEqual([0, 0, 0, 0]);
  });

  test('a loss is held to 1e-4 in the first five steps and to 1e-3 later', () => {
    const [fourth, fifth] = [4, 5].map((wrong) => {
      const losses = golden.losses.map((loss, step) => (step === wrong ? loss * 1.0005 : loss));
      return compareGolden(golden, { ...golden, losses }, kernels);
    });
    expect(fourth).toMatchObject({ within: false });
    expect(fourth?.worst[0]).toMatchObject({ quantity: 'losses', where: 'step 4' });
    expect(fifth).toMatchObject({ within: true });
  });

  test('a gradient with the right norm and permuted entries is refused', () => {
    const [a = 0, b = 0, ...rest] = golden.gradFirst4['stem.conv'] ?? [];
    const gradFirst4 = { ...golden.gradFirst4, 'stem.conv': [b, a, ...rest] };
    const comparison = compareGolden(golden, { ...golden, gradFirst4 }, kernels);
    expect(comparison.within).toBe(false);
    expect(comparison.worst[3]?.where).toMatch(/^stem\.conv\[[01]\]$/);
  });

  test.each(['losses', 'logitsFirstStep'] as const)(
    'NaN and missing %s are refused',
    (quantity) => {
      const withNaN = golden[quantity].map((value, at) => (at === 3 ? NaN : value));
      expect(compareGolden(golden, { ...golden, [quantity]: withNaN }, kernels).within).toBe(false);
      const short = golden[quantity].slice(0, -1);
      expect(compareGolden(golden, { ...golden, [quantity]: short }, kernels).within).toBe(false);
    },
  );

  test('a missing gradient is refused by its name', () => {
    const gradL2 = { ...golden.gradL2 };
    delete gradL2['head.bias'];
    const comparison = compareGolden(golden, { ...golden, gradL2 }, kernels);
    expect(comparison.within).toBe(false);
    expect(comparison.worst[2]).toMatchObject({ quantity: 'gradL2', where: 'head.bias' });
  });
});

describe('the golden format', () => {
  test.each([
    ['n', { n: 0 }],
    ['n', { n: 'one' }],
    ['batch', { batch: 1.5 }],
    ['seed', { seed: -1 }],
    ['input', { input: 'noise' }],
    ['losses', { losses: [1, 2] }],
    ['losses.0', { losses: [null] }],
    ['logitsFirstStep', { logitsFirstStep: [] }],
    ['gradL2.stem.conv', { gradL2: {} }],
    ['gradFirst4.stem.conv', { gradFirst4: {} }],
    ['parameters.stem.conv', { cin: 5 }],
    ['parameters', { n: 2 }],
    ['cin', { input: 'fashion' }],
    ['hw', { input: 'fashion', cin: 1, hw: 27 }],
  ])('names %s', (field, change) => {
    const parsed = parseGolden({ ...readJson('resnet8-synthetic'), ...change });
    const errors = parsed.kind === 'invalid' ? parsed.errors : [];
    expect(errors.map((error) => error.field)).toContain(field);
  });

  test.each([null, 3, 'text', []])('refuses %j', (json) => {
    expect(parseGolden(json).kind).toBe('invalid');
  });
});
