import type { Precision } from '../roofline/sample.ts';
import type { ChainNumberName, ChainRounding } from './chainNumbers.ts';
import type { ChainForm } from './fmaEmulation.ts';

/** What the chains of an arithmetic probe do at each step. */
export interface ChainOperation {
  /** Name of the probe in samples. */
  readonly probe: string;
  readonly precision: Precision;
  readonly number: ChainNumberName;
  readonly forms: readonly ChainForm[];
  readonly widths: readonly (1 | 2 | 4)[];
  /** Operations of a step of one component: a multiply and an add are two. */
  readonly operationsPerStep: number;
  /** The roundings that its results may show, likeliest first. */
  readonly roundings: readonly ChainRounding[];
}

const floating = { operationsPerStep: 2, widths: [4, 2, 1] } as const;

export const chainOperations = {
  fmaF32: {
    ...floating,
    probe: 'fma',
    precision: 'f32',
    number: 'f32',
    forms: ['affine', 'quadratic'],
    roundings: ['fused', 'separate'],
  },
  /** (x + b) a: no compiler may contract it, so it is what a device does without fusing. */
  multiplyAddF32: {
    ...floating,
    probe: 'multiply+add',
    precision: 'f32',
    number: 'f32',
    forms: ['affine'],
    roundings: ['unfused'],
  },
  fmaF16: {
    ...floating,
    probe: 'fma',
    precision: 'f16',
    number: 'f16',
    forms: ['affine', 'quadratic'],
    roundings: ['fused', 'separate'],
  },
  multiplyAddI32: {
    ...floating,
    probe: 'multiply+add',
    precision: 'i32',
    number: 'u32',
    forms: ['affine'],
    roundings: ['exact'],
  },
  /** x + dot4I8Packed(x, a): four multiplies and four adds. */
  dotI8: {
    probe: 'dot product',
    precision: 'i8',
    number: 'bytes',
    forms: ['affine'],
    widths: [1],
    operationsPerStep: 8,
    roundings: ['exact'],
  },
} as const satisfies Record<string, ChainOperation>;

export type ChainOperationName = keyof typeof chainOperations;

export function chainOperation(name: ChainOperationName): ChainOperation {
  return chainOperations[name];
}
