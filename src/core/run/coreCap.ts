import type { CpuEnvironment } from './events.ts';

/** Firefox that resists fingerprinting rounds its clocks to a sixtieth of a second or more. */
const resistingStepSeconds = 0.015;

/**
 * Where the browser is known to tell fewer logical cores than a machine may have: what it tells at
 * the most. Undefined where nothing is known; the number may then be right or not (Brave tells a
 * random one up to the true one, and cannot be told from Chrome).
 */
export function coreCap(
  userAgent: string,
  { logicalCores, clockStepSeconds = 0 }: Pick<CpuEnvironment, 'logicalCores' | 'clockStepSeconds'>,
): string | undefined {
  if (/Firefox\//.test(userAgent) && clockStepSeconds >= resistingStepSeconds)
    return `this Firefox resists fingerprinting and tells ${logicalCores} whatever there are`;
  // Others name Safari too, and Chrome first.
  if (!/Version\/.*Safari\//.test(userAgent) || /Chrom/.test(userAgent)) return undefined;
  const most = /iPhone|iPad/.test(userAgent) ? 2 : 8;
  return logicalCores === most ? `Safari tells ${most} at the most, there may be more` : undefined;
}
