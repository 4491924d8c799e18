import type { GoldenCase, GoldenResult } from './golden.ts';

/** How far an executor may be off; tests/golden/README.md. Errors are relative to a scale. */
export interface GoldenTolerances {
  /** Of the first five steps, and of later ones: errors grow as training goes on. */
  readonly firstLosses: number;
  readonly laterLosses: number;
  /** Relative to the largest |logit|. */
  readonly logits: number;
  readonly gradientNorm: number;
  /** Norms below this are compared as if they were this large. */
  readonly gradientNormFloor: number;
  /** Relative to the tensor's norm: a permuted gradient keeps its norm, not its first entries. */
  readonly gradientEntries: number;
}

export const goldenTolerances = {
  /** For the float64 interpreter. */
  reference: {
    firstLosses: 1e-9,
    laterLosses: 1e-9,
    logits: 1e-9,
    gradientNorm: 1e-9,
    gradientNormFloor: 0.1,
    gradientEntries: 1e-9,
  },
  /** For kernels in f32. */
  kernels: {
    firstLosses: 1e-4,
    laterLosses: 1e-3,
    logits: 1e-4,
    gradientNorm: 1e-3,
    gradientNormFloor: 1e-3,
    gradientEntries: 1e-3,
  },
} as const satisfies Record<string, GoldenTolerances>;

/** The losses below this are compared as if they were this large. */
const lossFloor = 0.1;

/** One compared number: how far off, where, and how far it may be. */
export interface GoldenDeviation {
  readonly quantity: keyof GoldenResult;
  /** E.g. `step 3`, `image 0 class 7`, `stage2.block1.conv1`. */
  readonly where: string;
  /** |value - reference| / scale; NaN where there is no value. */
  readonly error: number;
  readonly tolerance: number;
}

export interface GoldenComparison {
  readonly within: boolean;
  /** Of each quantity the one nearest to its tolerance, or furthest past it. */
  readonly worst: readonly GoldenDeviation[];
}

/** Compares what an executor made of a case with the recorded run. */
export function compareGolden(
  golden: GoldenCase,
  result: GoldenResult,
  tolerances: GoldenTolerances,
): GoldenComparison {
  const worst = [
    losses(golden, result, tolerances),
    logits(golden, result, tolerances),
    gradientNorms(golden, result, tolerances),
    gradientEntries(golden, result, tolerances),
  ].map((deviations) => deviations.reduce(worse));
  return { within: worst.every(isWithin), worst };
}

/** False for NaN too. */
export function isWithin({ error, tolerance }: GoldenDeviation): boolean {
  return error <= tolerance;
}

function worse(a: GoldenDeviation, b: GoldenDeviation): GoldenDeviation {
  if (Number.isNaN(a.error)) return a;
  return b.error / b.tolerance <= a.error / a.tolerance ? a : b;
}

/** Equal numbers do not deviate, even where the scale is 0. */
function deviation(value: number | undefined, reference: number, scale: number): number {
  return value === reference ? 0 : Math.abs((value ?? NaN) - reference) / scale;
}

function losses(
  golden: GoldenCase,
  result: GoldenResult,
  { firstLosses, laterLosses }: GoldenTolerances,
): GoldenDeviation[] {
  return golden.losses.map((reference, step) => ({
    quantity: 'losses',
    where: `step ${step}`,
    error: deviation(result.losses[step], reference, Math.max(Math.abs(reference), lossFloor)),
    tolerance: step < 5 ? firstLosses : laterLosses,
  }));
}

function logits(
  golden: GoldenCase,
  result: GoldenResult,
  { logits: tolerance }: GoldenTolerances,
): GoldenDeviation[] {
  const references = golden.logitsFirstStep;
  const classes = references.length / golden.batch;
  const largest = references.reduce((max, logit) => Math.max(max, Math.abs(logit)), 0);
  return references.map((reference, at) => ({
    quantity: 'logitsFirstStep',
    where: `image ${Math.floor(at / classes)} class ${at % classes}`,
    error: deviation(result.logitsFirstStep[at], reference, largest),
    tolerance,
  }));
}

function gradientNorms(
  golden: GoldenCase,
  result: GoldenResult,
  { gradientNorm: tolerance, gradientNormFloor }: GoldenTolerances,
): GoldenDeviation[] {
  return Object.entries(golden.gradL2).map(([name, reference]) => ({
    quantity: 'gradL2',
    where: name,
    error: deviation(result.gradL2[name], reference, Math.max(reference, gradientNormFloor)),
    tolerance,
  }));
}

function gradientEntries(
  golden: GoldenCase,
  result: GoldenResult,
  { gradientEntries: tolerance }: GoldenTolerances,
): GoldenDeviation[] {
  return Object.entries(golden.gradFirst4).flatMap(([name, references]) =>
    references.map((reference, at) => ({
      quantity: 'gradFirst4' as const,
      where: `${name}[${at}]`,
      error: deviation(result.gradFirst4[name]?.[at], reference, golden.gradL2[name] ?? NaN),
      tolerance,
    })),
  );
}
