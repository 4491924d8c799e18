import type { ChainForm } from './fmaEmulation.ts';
import { alongValues, type Move } from './race.ts';

/** One shape of an arithmetic probe on the GPU. */
export interface ChainVariant {
  readonly form: ChainForm;
  /** Independent chains a lane. */
  readonly chains: number;
  /** Components of a chain's value. */
  readonly width: 1 | 2 | 4;
  /** Steps of every chain that stand in the source for one trip of the inner loop. */
  readonly stepsPerTrip: number;
  /** `uniform`: the same for all lanes, and known to be; `register`: each lane holds its own. */
  readonly coefficients: 'uniform' | 'register';
  readonly workgroupSize: number;
}

/** Steps of a chain from one seed to the next. */
export const stepsPerSegment = 128;

/** A fused multiply-add is two flops, and so are a multiply and an add. */
const flopsPerStep = 2;

/** Flops of a dispatch of so many lanes that each run so many segments. */
export function chainFlops(
  { chains, width }: ChainVariant,
  lanes: number,
  segments: number,
): number {
  return lanes * segments * stepsPerSegment * chains * width * flopsPerStep;
}

export function describeChainVariant(variant: ChainVariant, lanes: number): string {
  const { form, chains, width, stepsPerTrip, coefficients, workgroupSize } = variant;
  const type = width === 1 ? 'scalar' : `vec${width}`;
  const statements = chains * stepsPerTrip;
  return `${form}, ${chains} chains, ${type}, ${statements} statements, ${coefficients} coefficients, ${lanes / workgroupSize} workgroups of ${workgroupSize}`;
}

const base: ChainVariant = {
  form: 'affine',
  chains: 4,
  width: 4,
  stepsPerTrip: 8,
  coefficients: 'uniform',
  workgroupSize: 64,
};

/** The variants that every race begins with; the first also finds how many lanes it takes. */
export const chainOpenings: readonly [ChainVariant, ...ChainVariant[]] = [
  base,
  { ...base, chains: 8, stepsPerTrip: 4 },
  { ...base, form: 'quadratic' },
  { ...base, form: 'quadratic', chains: 8, stepsPerTrip: 4 },
  // Twelve vectors and their coefficients fit sixteen registers, which CPUs and small GPUs have.
  { ...base, form: 'quadratic', chains: 3, stepsPerTrip: 32 },
];

/** A body shorter than this is all loop; one longer takes some compilers many seconds. */
const statements = { least: 8, most: 256 };

/** The neighbours of a variant, dimensions that matter most first. */
export function chainMoves(mostWorkgroupSize: number): Move<ChainVariant>[] {
  const isAllowed = ({ chains, stepsPerTrip, workgroupSize }: ChainVariant) =>
    chains * stepsPerTrip >= statements.least &&
    chains * stepsPerTrip <= statements.most &&
    workgroupSize <= mostWorkgroupSize;
  return [
    ...alongValues<ChainVariant, 'chains'>('chains', [16, 12, 8, 6, 4, 3, 2, 1], isAllowed),
    ...alongValues<ChainVariant, 'stepsPerTrip'>(
      'stepsPerTrip',
      [1, 2, 4, 8, 16, 32, 64, 128],
      isAllowed,
    ),
    ...alongValues<ChainVariant, 'form'>('form', ['affine', 'quadratic']),
    ...alongValues<ChainVariant, 'width'>('width', [4, 2, 1]),
    ...alongValues<ChainVariant, 'coefficients'>('coefficients', ['uniform', 'register']),
    ...alongValues<ChainVariant, 'workgroupSize'>('workgroupSize', [32, 64, 128, 256], isAllowed),
  ];
}
