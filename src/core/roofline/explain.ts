import { opGroupLabels } from '../nn/opGroups.ts';
import {
  formatDuration,
  formatIntensity,
  formatNumber,
  formatRate,
  formatShare,
} from '../units.ts';
import { capacityInterval, capacityInWords } from './capacityWords.ts';
import { flags } from './flags.ts';
import { fixedInWords, parameterLabel, parameterName } from './parameterWords.ts';
import { atRoof, growthOf } from './segments.ts';
import type { Ceiling, Roofline, Trajectory, TrajectoryPoint } from './types.ts';

/** What a ceiling is, how surely it is known, and what to mind: sentences made from its numbers. */
export function explainCeiling(ceiling: Ceiling, roofline: Roofline): string[] {
  const { unit, value, variant } = ceiling;
  return [
    `${ceilingSubject(ceiling, roofline)} ${formatRate(value, unit)} at most, with "${variant}".`,
    ceilingInterval(ceiling),
    ...capacitySentences(ceiling),
    ...(roofline.device === 'cpu' && unit !== 'byte/s' ? [observedOnCpu] : []),
    ...ridgeSentences(ceiling, roofline),
    ...ceiling.flags.flatMap((flag) => ceilingRemark(flag, ceiling)),
  ];
}

/** Engines may join vectors into wider ones, and hardware may have more: 128 bits bound neither. */
const observedOnCpu =
  'It is what was observed of WebAssembly, whose vectors have 128 bits: the hardware may do more.';

function ceilingSubject(ceiling: Ceiling, { bandwidth }: Roofline): string {
  const { id, label, unit } = ceiling;
  if (unit !== 'byte/s') return `${label} reaches`;
  const capacity = capacityInWords(ceiling);
  if (capacity !== undefined) return `Data of up to about ${capacity} (${label}) moves at`;
  if (id !== bandwidth.at(-1)?.id) return `${label} reaches`;
  return bandwidth.length > 1 ? 'Data too large for the caches moves at' : 'Data moves at';
}

function ceilingInterval({ unit, ciLow, ciHigh, samples, flags: own }: Ceiling): string {
  const range = `from ${formatRate(ciLow, unit)} to ${formatRate(ciHigh, unit)}`;
  return own.includes(flags.fewSamples)
    ? `${times(samples)} ${samples === 1 ? 'was' : 'were'} measured, too few for a 95 % interval, and lie ${range}.`
    : `By ${times(samples)} the true median lies ${range} with 95 % confidence.`;
}

function capacitySentences(ceiling: Ceiling): string[] {
  const interval = capacityInterval(ceiling);
  return interval === undefined ? [] : [`Its capacity lies within ${interval}.`];
}

function times(count: number): string {
  return count === 1 ? '1 time' : `${count} times`;
}

/** Where the last memory level and a compute ceiling meet. */
function ridgeSentences({ id }: Ceiling, { ridge, bandwidth }: Roofline): string[] {
  const memory = bandwidth.at(-1)?.id;
  const met = ridge.find((point) => point.compute === id && point.bandwidth === memory);
  if (met === undefined) return [];
  const intensity = formatIntensity(met.intensity, met.unit);
  return [`Below ${intensity} memory is the lower roof, above it this is.`];
}

/** Why an interval is wide, by the flag that says so. */
const noiseReasons: Readonly<Record<string, string>> = {
  [flags.twoSpeeds]: ', for the times fall in two groups',
  [flags.drifting]: ', for later times differ from earlier ones',
  [flags.scattered]: ', for the times scatter',
};

function ceilingRemark(flag: string, { value, ciLow, ciHigh, flags: own }: Ceiling): string[] {
  switch (flag) {
    case flags.noisy: {
      const reach = formatShare(Math.max(ciHigh - value, value - ciLow) / value);
      const why = own.map((other) => noiseReasons[other] ?? '').join('');
      return [
        `The interval reaches ${reach} from the value${why}; measure again on an idle machine.`,
      ];
    }
    case flags.possiblyCacheResident:
      return ['A limit ended the sweep: a cache may hold all of it, and memory be slower.'];
    case flags.stillFalling:
      return ['Bandwidth still fell where the sweep ended: memory may be slower.'];
    default:
      return [];
  }
}

/** What a point measured, what the ceilings allow, and what could make it faster. */
export function explainPoint(point: TrajectoryPoint, trajectory: Trajectory): string[] {
  const where = placeOf(point.value, trajectory);
  if (point.status !== 'ok') {
    return [`${where} there is no result: ${point.reason ?? point.status}.`];
  }
  const { flopsPerSecond, intensity } = point;
  return [
    `${where} ${timeInWords(point, trajectory)}, ` +
      `${formatRate(flopsPerSecond, 'flop/s')} at ${formatIntensity(intensity)}.`,
    ...roofSentences(point),
    ...(point.flags.includes(flags.drifted)
      ? [
          'A step of this sweep took another time when it was measured again: heat or clocks changed.',
        ]
      : []),
  ];
}

/** `a step takes 100 ms: 80.0 images/s`, `batch-norm takes 20.0 ms, 20 % of the calls' time`. */
function timeInWords(
  { seconds, imagesPerSecond, timeShare = NaN }: TrajectoryPoint,
  { scope }: Trajectory,
): string {
  const duration = formatDuration(seconds);
  return scope === 'step'
    ? `a step takes ${duration}: ${formatNumber(imagesPerSecond)} images/s`
    : `${opGroupLabels[scope]} takes ${duration}, ${formatShare(timeShare)} of the calls' time`;
}

/** `At batch 32`, `With 4 workgroups at batch 8`. */
function placeOf(value: number, { parameter, fixed }: Trajectory): string {
  const at = fixedInWords(fixed);
  const label = parameterLabel(parameter, value);
  switch (growthOf(parameter)) {
    case 'work':
      return `At ${[label, ...(at === '' ? [] : [at])].join(', ')}`;
    case 'parallelism':
      return `With ${label}${at === '' ? '' : ` at ${at}`}`;
  }
}

function roofSentences({
  seconds,
  roofFraction,
  threadsRoofFraction,
  bound,
  flags: own,
}: TrajectoryPoint): string[] {
  if (roofFraction === undefined || bound === undefined) return [];
  const least = roofFraction * seconds;
  const threadsRoof =
    threadsRoofFraction === undefined
      ? ''
      : `, ${formatShare(threadsRoofFraction)} of that of as many threads`;
  const shares =
    `${formatShare(bound.memory)} of that is memory's, ` +
    `${formatShare(bound.compute)} arithmetic's`;
  return [
    `The ceilings allow ${formatDuration(least)} at best (${shares}), ` +
      `so it reaches ${formatShare(roofFraction)} of its roof${threadsRoof}.`,
    own.includes(flags.aboveRoof)
      ? 'That is more than the roof: a ceiling or this time is wrong, so measure again.'
      : roofFraction >= atRoof
        ? `It is at its roof: only ${bound.memory >= 0.5 ? 'moving fewer bytes' : 'fewer operations'} would make it much faster.`
        : `The other ${formatDuration(seconds - least)} go to neither: faster kernels or fewer launches can cut them.`,
  ];
}

/** Where a trajectory is fastest and from where on growth gains little. */
export function explainTrajectory(trajectory: Trajectory): string[] {
  const { parameter, optimum, saturation } = trajectory;
  const name = parameterName(parameter);
  const best =
    optimum &&
    `It is fastest at ${name} ${optimum.value}` +
      (optimum.tied.length === 0
        ? '.'
        : `, which the intervals cannot tell from ${optimum.tied.join(', ')}.`);
  if (best === undefined) return [];
  if (saturation === undefined) return [best, 'The sweep ended before the rate levelled off.'];
  const { value, earliest, latest } = saturation;
  const range = earliest === latest ? '' : ` (${earliest} to ${latest} by the intervals)`;
  return [best, `From ${name} ${value}${range} on, growing it gains 5 % at most.`];
}
