import type { Precision } from '../roofline/sample.ts';
import type { ChainForm, Rounding } from './fmaEmulation.ts';
import { laneTypes, type LaneType } from './laneTypes.ts';

/** A family of WASM kernels: the same arithmetic in every chain form and number of chains. */
export interface ComputeKernel {
  /** Name of the probe in samples. */
  readonly probe: string;
  readonly precision: Precision;
  readonly lane: LaneType;
  /** Operations of one step of one lane: a multiply and an add are two. */
  readonly operationsPerStep: number;
  /** The roundings that the kernel may have; which one it had is found from its results. */
  readonly roundings: readonly Rounding[];
  readonly forms: readonly ChainForm[];
  /** Only in the relaxed-simd build. */
  readonly relaxed: boolean;
  /** Of the roof over f32 SIMD work, which is what training does; the others are side shows. */
  readonly main: boolean;
}

export type ComputeKernelName =
  | 'multiplyAddF32'
  | 'fmaF32'
  | 'scalarF32'
  | 'multiplyAddF64'
  | 'fmaF64'
  | 'multiplyAddI32'
  | 'dotI8';

const bothForms: readonly ChainForm[] = ['affine', 'quadratic'];

const multiplyAdd = {
  probe: 'multiply+add',
  operationsPerStep: 2,
  roundings: ['unfused'],
  forms: bothForms,
  relaxed: false,
  main: false,
} as const;

const fma = {
  probe: 'fma',
  operationsPerStep: 2,
  roundings: ['fused', 'separate'],
  forms: bothForms,
  relaxed: true,
  main: false,
} as const;

/** By the start of the names of their WASM functions, `<name>_<form>_<chains>`. */
export const computeKernels: Readonly<Record<ComputeKernelName, ComputeKernel>> = {
  multiplyAddF32: { ...multiplyAdd, precision: 'f32', lane: laneTypes.f32, main: true },
  fmaF32: { ...fma, precision: 'f32', lane: laneTypes.f32, main: true },
  scalarF32: {
    ...multiplyAdd,
    probe: 'scalar multiply+add',
    precision: 'f32',
    lane: laneTypes.scalarF32,
  },
  multiplyAddF64: { ...multiplyAdd, precision: 'f64', lane: laneTypes.f64 },
  fmaF64: { ...fma, precision: 'f64', lane: laneTypes.f64 },
  multiplyAddI32: { ...multiplyAdd, precision: 'i32', lane: laneTypes.i32 },
  dotI8: {
    probe: 'dot product',
    precision: 'i8',
    lane: laneTypes.dotI8,
    // Four multiplies and four adds in each i32 lane.
    operationsPerStep: 8,
    roundings: ['unfused'],
    forms: ['affine'],
    relaxed: true,
    main: false,
  },
};

export const computeKernelNames = Object.keys(computeKernels) as readonly ComputeKernelName[];

/** One shape of a kernel: what races against the others of its family. */
export interface ComputeVariant {
  readonly kernel: ComputeKernelName;
  readonly form: ChainForm;
  readonly chains: number;
}

export const chainCounts: readonly number[] = [4, 8, 10, 12, 14];

/** Every shape of a kernel that the WASM module holds. */
export function variantsOf(kernel: ComputeKernelName): ComputeVariant[] {
  return computeKernels[kernel].forms.flatMap((form) =>
    chainCounts.map((chains) => ({ kernel, form, chains })),
  );
}

/** The WASM function of a variant. */
export function functionName({ kernel, form, chains }: ComputeVariant): string {
  return `${kernel}_${form}_${chains}`;
}

/** A variant in words, for samples. */
export function describeVariant({ kernel, form, chains }: ComputeVariant): string {
  const width = computeKernels[kernel].lane.lanes === 1 ? 'scalar' : '128-bit SIMD';
  return `${form}, ${chains} accumulators, ${width}`;
}
