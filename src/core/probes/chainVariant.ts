import { chainOperation, type ChainOperationName } from './chainOperations.ts';
import type { ChainForm } from './fmaEmulation.ts';
import { alongValues, type Move } from './race.ts';

/** One shape of an arithmetic probe on the GPU. */
export interface ChainVariant {
  readonly operation: ChainOperationName;
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

/** Operations of a dispatch of so many lanes that each run so many segments. */
export function operationsOf(
  { operation, chains, width }: ChainVariant,
  lanes: number,
  segments: number,
): number {
  const { operationsPerStep } = chainOperation(operation);
  return lanes * segments * stepsPerSegment * chains * width * operationsPerStep;
}

export function describeChainVariant(variant: ChainVariant, lanes: number): string {
  const { form, chains, width, stepsPerTrip, coefficients, workgroupSize } = variant;
  const type = width === 1 ? 'scalar' : `vec${width}`;
  const statements = chains * stepsPerTrip;
  return `${form}, ${chains} chains, ${type}, ${statements} statements, ${coefficients} coefficients, ${lanes / workgroupSize} workgroups of ${workgroupSize}`;
}

/** The shapes that the first race begins with; the first of them also finds how many lanes it takes. */
export function chainOpenings(
  operation: ChainOperationName,
): readonly [ChainVariant, ...ChainVariant[]] {
  const base = affineOf(operation, 4, 8);
  const eight = affineOf(operation, 8, 4);
  // Twelve vectors and their coefficients fit sixteen registers, which CPUs and small GPUs have.
  const three = affineOf(operation, 3, 32);
  if (!chainOperation(operation).forms.includes('quadratic')) return [base, eight, three];
  const quadratic = { form: 'quadratic' } as const;
  return [
    base,
    eight,
    { ...base, ...quadratic },
    { ...eight, ...quadratic },
    { ...three, ...quadratic },
  ];
}

/**
 * The shapes that the races of other operations begin with: the first race's winner, as far as the
 * operation has its form and width, and the fastest ones of two software adapters, one of which keeps
 * its coefficients in registers and has few left.
 */
export function laterOpenings(
  winner: ChainVariant,
  operation: ChainOperationName,
): readonly ChainVariant[] {
  const { forms, widths } = chainOperation(operation);
  const two = affineOf(operation, 2, 16);
  const alike = {
    ...winner,
    operation,
    form: forms.includes(winner.form) ? winner.form : two.form,
    width: widths.includes(winner.width) ? winner.width : two.width,
  };
  return [alike, affineOf(operation, 8, 4), two].filter(isPossible);
}

/** So many affine chains of the widest values, and so many steps of each in a trip. */
function affineOf(
  operation: ChainOperationName,
  chains: number,
  stepsPerTrip: number,
): ChainVariant {
  return {
    operation,
    form: 'affine',
    chains,
    width: Math.max(...chainOperation(operation).widths) as ChainVariant['width'],
    stepsPerTrip,
    coefficients: 'uniform',
    workgroupSize: 64,
  };
}

/** A body shorter than this is all loop; one longer takes some compilers many seconds. */
const statements = { least: 8, most: 256 };

/** Whether the variant's operation has its form and width, and its body a sensible length. */
export function isPossible({
  operation,
  form,
  width,
  chains,
  stepsPerTrip,
}: ChainVariant): boolean {
  const { forms, widths } = chainOperation(operation);
  const length = chains * stepsPerTrip;
  return (
    forms.includes(form) &&
    widths.includes(width) &&
    length >= statements.least &&
    length <= statements.most
  );
}

/** The neighbours of a variant, dimensions that matter most first. */
export function chainMoves(mostWorkgroupSize: number): Move<ChainVariant>[] {
  const along = <K extends keyof ChainVariant>(key: K, values: readonly ChainVariant[K][]) =>
    alongValues<ChainVariant, K>(
      key,
      values,
      (variant) => isPossible(variant) && variant.workgroupSize <= mostWorkgroupSize,
    );
  return [
    ...along('chains', [16, 12, 8, 6, 4, 3, 2, 1]),
    ...along('stepsPerTrip', [1, 2, 4, 8, 16, 32, 64, 128]),
    ...along('form', ['affine', 'quadratic']),
    ...along('width', [4, 2, 1]),
    ...along('coefficients', ['uniform', 'register']),
    ...along('workgroupSize', [32, 64, 128, 256]),
  ];
}
