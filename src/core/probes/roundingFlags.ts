import { flags } from '../roofline/flags.ts';
import type { ChainRounding } from './chainNumbers.ts';

/** What a sample says of its rounding; nothing where the operation leaves no choice. */
export const roundingFlags = {
  fused: [flags.fused],
  separate: [flags.notFused],
  unfused: [],
  exact: [],
} as const satisfies Record<ChainRounding, readonly string[]>;
