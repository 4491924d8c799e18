import {
  chainCounts,
  computeKernels,
  variantsOf,
  type ComputeKernelName,
  type ComputeVariant,
} from '../core/probes/cpuKernels.ts';
import { streamNames, type StreamName } from '../core/probes/streams.ts';
import type { Thoroughness } from '../core/run/config.ts';

const mebibyte = 2 ** 20;

/** How thoroughly the CPU is measured. Times are in seconds. */
export interface ProfileSettings {
  /** Threads that work together, one measurement each: one and all, or the powers of two between too. */
  readonly teams: 'ends' | 'powers';
  /** The least time of a repeat; the clock's step may ask for more. */
  readonly repeatSeconds: number;
  /** All works in turn, before anything is measured. */
  readonly warmUpSeconds: number;
  /** Of each shape in a race: under six repeats, so that only the winner's interval counts as full. */
  readonly raceWarmUpSeconds: number;
  readonly raceRepeats: number;
  /** Chains with which the main kernels race, and the others. */
  readonly mainChains: readonly number[];
  readonly sideChains: readonly number[];
  /** The longest that a winner is measured on for its confidence interval. */
  readonly settleSeconds: number;
  readonly pointWarmUpSeconds: number;
  readonly pointRepeats: number;
  /** Working sets, in bytes: the first one is for each thread. */
  readonly smallestPerThread: number;
  readonly largest: number;
  /** Of the pointer chase, which one thread runs. */
  readonly largestChase: number;
  /** The teams whose knee is measured: that of all threads, or that of one too. */
  readonly kneeTeams: 'all threads' | 'ends';
  /** Of the knee's kernel, over all threads: past every cache. */
  readonly kneeSize: number;
  readonly kneeRepeats: number;
  readonly ratio: number;
}

export const cpuProfiles: Readonly<Record<Thoroughness, ProfileSettings>> = {
  quick: {
    teams: 'ends',
    repeatSeconds: 1.2e-3,
    warmUpSeconds: 0.25,
    raceWarmUpSeconds: 3e-3,
    raceRepeats: 5,
    mainChains: chainCounts,
    sideChains: [12, 14],
    settleSeconds: 0.25,
    pointWarmUpSeconds: 0.5e-3,
    pointRepeats: 3,
    smallestPerThread: 4096,
    largest: 128 * mebibyte,
    largestChase: 64 * mebibyte,
    kneeTeams: 'all threads',
    kneeSize: 128 * mebibyte,
    kneeRepeats: 6,
    ratio: 1.42,
  },
  full: {
    teams: 'powers',
    repeatSeconds: 5e-3,
    warmUpSeconds: 0.5,
    raceWarmUpSeconds: 20e-3,
    raceRepeats: 5,
    mainChains: chainCounts,
    sideChains: chainCounts,
    settleSeconds: 1.5,
    pointWarmUpSeconds: 3e-3,
    pointRepeats: 6,
    smallestPerThread: 4096,
    largest: 512 * mebibyte,
    largestChase: 128 * mebibyte,
    kneeTeams: 'ends',
    kneeSize: 256 * mebibyte,
    kneeRepeats: 12,
    ratio: 1.19,
  },
};

/** The settings on a given clock. */
export interface CpuProfile extends ProfileSettings {
  readonly clockStepSeconds: number;
  /** A clock so coarse that time is short: latency is one thread's. */
  readonly isCoarse: boolean;
  readonly streams: readonly StreamName[];
}

/**
 * Steps of the clock in a repeat, at the least. The repeats of a sample follow each other without a
 * gap, so that a step which one has too many another lacks.
 */
const leastClockSteps = 30;
/**
 * From here on a repeat takes so long that a sample is one repeat, a sweep makes do with fewer points,
 * and f32 SIMD, in fewer shapes, is the only arithmetic.
 */
const coarseSeconds = 0.02;

/**
 * Makes repeats long enough for a clock of this step: pages that are not cross-origin isolated have
 * clocks of 100 us or 1 ms.
 */
export function fitToClock(settings: ProfileSettings, clockStepSeconds: number): CpuProfile {
  const repeatSeconds = Math.max(settings.repeatSeconds, leastClockSteps * clockStepSeconds);
  const isCoarse = repeatSeconds >= coarseSeconds;
  const fitted = { ...settings, repeatSeconds, clockStepSeconds, isCoarse, streams: streamNames };
  if (!isCoarse) return fitted;
  return {
    ...fitted,
    raceRepeats: 1,
    pointRepeats: 1,
    kneeRepeats: 1,
    kneeTeams: 'all threads',
    ratio: 2,
    streams: ['read', 'copy', 'triad'],
    mainChains: [8, 12, 14],
    sideChains: [],
  };
}

/** The shapes of a kernel that race under a profile. */
export function racersOf(
  kernel: ComputeKernelName,
  { mainChains, sideChains }: CpuProfile,
): ComputeVariant[] {
  const allowed = computeKernels[kernel].main ? mainChains : sideChains;
  return variantsOf(kernel).filter(({ chains }) => allowed.includes(chains));
}

/** The numbers of threads to measure with, rising, of so many at the most. */
export function teamLengths(threads: number, { teams }: ProfileSettings): number[] {
  const lengths = [1];
  if (teams === 'powers') for (let length = 2; length < threads; length *= 2) lengths.push(length);
  return threads === 1 ? lengths : [...lengths, threads];
}
