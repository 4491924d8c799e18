import {
  readChainSums,
  roundingOf,
  seedRows,
  writeChainState,
} from '../../core/probes/cpuChainState.ts';
import type { ComputeVariant } from '../../core/probes/cpuKernels.ts';
import type { Kernels } from '../kernels.ts';
import type { Runner } from './runner.ts';

/** Arithmetic chains; repetitions are trips. The results are compared bit by bit. */
export function chainRunner(kernels: Kernels, state: number, variant: ComputeVariant): Runner {
  const chains = kernels.chains(variant);
  const view = new DataView(kernels.memory.buffer);
  return {
    unit: seedRows,
    reset: () => writeChainState(view, state, variant),
    run: (trips) => chains(state, trips),
    check: (trips) => {
      const rounding = roundingOf(variant, readChainSums(view, state, variant), trips);
      return rounding === undefined
        ? { kind: 'wrong', reason: 'the chains ended in other bits than the arithmetic gives' }
        : { kind: 'right', rounding };
    },
  };
}
