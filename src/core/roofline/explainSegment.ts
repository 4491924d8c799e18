import { formatShare } from '../units.ts';
import { parameterName } from './parameterWords.ts';
import type { Trajectory, TrajectoryPoint, TrajectorySegment } from './types.ts';

/** What changed along a segment, by which part, and what that says: sentences made from its numbers. */
export function explainSegment(segment: TrajectorySegment, trajectory: Trajectory): string[] {
  const to = trajectory.points.find(({ value }) => value === segment.to);
  return [
    changeSentence(segment, trajectory),
    partsSentence(segment),
    meaning(segment, trajectory, to),
  ];
}

function changeSentence(segment: TrajectorySegment, { parameter }: Trajectory): string {
  const { from, to, noise } = segment;
  const change = segment.locality + segment.throughput;
  const way = `From ${parameterName(parameter)} ${from} to ${to}`;
  if (noise === undefined) return `${way} one time each cannot tell a change from noise.`;
  if (Math.abs(change) <= noise) {
    return `${way} flop/s change by no more than the noise of ${formatShare(Math.expm1(noise))}.`;
  }
  const amount = formatShare(Math.abs(Math.expm1(change)));
  return `${way} flop/s ${change > 0 ? 'rise' : 'fall'} by ${amount}.`;
}

function partsSentence({ locality, throughput }: TrajectorySegment): string {
  const bytes = `bytes per second by ${signedShare(throughput)}`;
  return locality === 0
    ? `Intensity does not move; ${bytes}.`
    : `Intensity moves by ${signedShare(locality)}, ${bytes}.`;
}

/** A change of a natural logarithm as a signed percentage. */
function signedShare(logChange: number): string {
  const share = Math.expm1(logChange);
  return `${share > 0 ? '+' : ''}${formatShare(share)}`;
}

function meaning(
  segment: TrajectorySegment,
  { parameter }: Trajectory,
  to: TrajectoryPoint | undefined,
): string {
  const efficiency = formatShare(segment.efficiency);
  const fraction = formatShare(to?.roofFraction ?? Number.NaN);
  const name = parameterName(parameter);
  switch (segment.kind) {
    case 'no-change':
      return 'No change can be told from this.';
    case 'saturated':
      return `Scaling efficiency is ${efficiency}: growing the ${name} has stopped to pay.`;
    case 'ideal':
      return `Scaling efficiency is ${efficiency}: speed grows in proportion to the ${name}.`;
    case 'lost-parallelism':
      return (
        `Scaling efficiency is ${efficiency}: part of the added parallelism is lost, as too few ` +
        'tiles, a last wave that is not full, launches or barriers can do.'
      );
    case 'reuse':
      return `Each byte serves more operations${reuseEffect(segment)}.`;
    case 'extra-traffic':
      return 'Each operation needs more bytes than before; a smaller working set would need fewer.';
    case 'bandwidth-bound':
      return `It is at ${fraction} of a roof that is mostly memory's: only fewer bytes help.`;
    case 'compute-bound':
      return `It is at ${fraction} of a roof that is mostly arithmetic's: ${saturationAdvice(parameter)}.`;
    case 'load-limited': {
      const loads = formatShare(to?.loadFraction ?? Number.NaN);
      return (
        `It is at ${fraction} of its roof, but its code's own loads and stores take ${loads} of the ` +
        'fastest bandwidth that was measured: kernels that load less for each operation would help.'
      );
    }
    case 'latency':
      return (
        `It is at ${fraction} of its roof and no clear gain shows: latency, overhead or too little ` +
        'instruction-level parallelism holds it rather than a ceiling.'
      );
    case 'amortised':
      return 'Bytes per second carry the gain, as when more of the device is busy or fixed costs are shared.';
    case 'regression':
      return `It is slower than at ${name} ${segment.from}: contention, caches or clocks can do that.`;
  }
}

function reuseEffect({ locality, throughput, noise = Infinity }: TrajectorySegment): string {
  if (Math.abs(locality + throughput) <= noise) return ', but the step is no faster for it';
  return locality >= throughput
    ? ', which is the larger part of the gain'
    : ', but speed hardly grows';
}

function saturationAdvice(parameter: Trajectory['parameter']): string {
  switch (parameter) {
    case 'workgroups':
    case 'workgroupSize':
    case 'threads':
    case 'replicas':
      return 'more parallelism cannot help';
    case 'batch':
      return 'a larger batch cannot help';
    case 'depth':
    case 'width':
      return 'a larger model runs no closer to it';
  }
}
