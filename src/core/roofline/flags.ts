/** Flags of samples, ceilings and points. The texts are shown as they are. */
export const flags = {
  /** Ceiling or point: the 95 % interval reaches further than 3 % from the value. */
  noisy: 'noisy',
  /** Beside `noisy`, why: the times fall in two groups, the later ones differ, or neither. */
  twoSpeeds: 'two speeds',
  drifting: 'drifting',
  scattered: 'scattered',
  /** Ceiling or point: fewer than six times, so the interval is [min, max] and covers less than 95 %. */
  fewSamples: 'few samples',
  /** Bandwidth sample: a larger working set was wanted and the device's buffer limit forbade it. */
  bufferLimit: 'buffer limit',
  /** Bandwidth sample: a larger working set was wanted and one pass over it would take too long. */
  timeLimit: 'time limit',
  /**
   * Last bandwidth ceiling: a cache may hold it all. Its sweep was stopped by a limit, or it is
   * faster than so many threads get from memory.
   */
  possiblyCacheResident: 'possibly cache-resident',
  /** Last bandwidth ceiling: bandwidth still fell where its sweep ended, so memory may be slower. */
  stillFalling: 'still falling',
  /** Compute: results show one rounding of each multiply-add. */
  fused: 'fused',
  /** Compute: results show two roundings where a fused multiply-add was asked for. */
  notFused: 'not fused',
  /** Compute: results are near the emulation's, but fit neither rounding bit for bit. */
  roundingUnknown: 'rounding unknown',
  /** Point: a step that was measured again later in its sweep took another time. */
  drifted: 'drifted',
  /** Point: faster than the measured ceilings allow. One of the two is wrong; drawn all the same. */
  aboveRoof: 'above roof',
} as const;

/** Whether a flag warns of the number that it stands beside; the others only describe it. */
export function isWarning(flag: string): boolean {
  return flag !== flags.fused && flag !== flags.notFused;
}

/** Point: the memory roof is passed because calls are small enough for an inner level. */
export function servedBy(level: string): string {
  return `served by ${level}`;
}
