import { formatNumber } from '../units.ts';
import { fixedInWords } from './parameterWords.ts';
import type { TuningSummary } from './tuning.ts';

/** What one kind of tuning brought, and how the step is run then: a sentence made from its numbers. */
export function explainTuning(tuning: TuningSummary): string {
  const { ratio, low, high } = tuning.gain;
  const range = `${formatNumber(low)} to ${formatNumber(high)} by the intervals`;
  const subject = `${subjectOf(tuning)} (${howTuned(tuning)})`;
  if (tuning.tuned === undefined && changedKernels(tuning).length === 0)
    return `${subject}: nothing faster was found.`;
  return low <= 1 && high >= 1
    ? `${subject}: no gain that the noise allows to tell, ${formatNumber(ratio)} times the images a second (${range}).`
    : `${subject}: ${formatNumber(ratio)} times the images a second (${range}).`;
}

function subjectOf({ scope }: TuningSummary): string {
  switch (scope) {
    case 'kernels':
      return 'Other kernels alone';
    case 'configuration':
      return 'Another configuration alone';
    case 'together':
      return 'Both together';
  }
}

/** `batch 32, 512 workgroups; 7 of 9 kernels`; what stays at its default is said. */
export function howTuned(tuning: TuningSummary): string {
  const { scope, batch, tuned, choices } = tuning;
  const configuration = fixedInWords(tuned ?? { batch });
  const kernels = `${changedKernels(tuning).length} of ${choices.length} kernels are others`;
  switch (scope) {
    case 'kernels':
      return `${configuration}, ${kernels}`;
    case 'configuration':
      return tuned ? configuration : `${configuration}, the default`;
    case 'together':
      return `${configuration}, ${kernels}`;
  }
}

function changedKernels({ choices }: TuningSummary): TuningSummary['choices'] {
  return choices.filter(({ variant, defaultVariant }) => variant !== defaultVariant);
}
