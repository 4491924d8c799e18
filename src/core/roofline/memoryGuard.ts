import { flags } from './flags.ts';
import type { Ceiling, Roofline } from './types.ts';

/** Measurements of two thread counts may lie this far apart by noise and neighbours alone. */
const tolerance = 1.15;

/**
 * Each thread waits for its own loads, so that T threads get no more from memory than T times what
 * one gets. A `memory` ceiling above that is a cache's: it is flagged. All rooflines are of one
 * device; without one of a single thread nothing can be said.
 */
export function guardMemory(rooflines: readonly Roofline[]): Roofline[] {
  const alone = memoryOf(rooflines.find(({ threads }) => threads === 1));
  if (alone === undefined) return [...rooflines];
  return rooflines.map((roofline) => {
    const memory = memoryOf(roofline);
    const most = alone.value * (roofline.threads ?? 1) * tolerance;
    if (memory === undefined || memory.value <= most) return roofline;
    return { ...roofline, bandwidth: roofline.bandwidth.map(flaggedIf(memory)) };
  });
}

function memoryOf(roofline: Roofline | undefined): Ceiling | undefined {
  return roofline?.bandwidth.find(({ level }) => level === 'memory');
}

function flaggedIf(memory: Ceiling): (ceiling: Ceiling) => Ceiling {
  return (ceiling) =>
    ceiling !== memory || ceiling.flags.includes(flags.possiblyCacheResident)
      ? ceiling
      : { ...ceiling, flags: [...ceiling.flags, flags.possiblyCacheResident] };
}
