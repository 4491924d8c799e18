import { formatDuration, formatShare } from '../units.ts';
import type { CallBreakdown, StepBreakdown } from './breakdown.ts';

/** Where a step's time goes and which call to look at first: sentences made from its numbers. */
export function explainBreakdown(view: StepBreakdown): string[] {
  return [closingSentence(view), ...largestSentence(view), ...lossSentences(view)];
}

function closingSentence({ stepSeconds, callSeconds, remainderSeconds }: StepBreakdown): string {
  const calls = `The calls add up to ${formatDuration(callSeconds)} of a step's ${formatDuration(stepSeconds)}`;
  const share = formatShare(Math.abs(remainderSeconds) / stepSeconds);
  return remainderSeconds >= 0
    ? `${calls}; the other ${share} go by between them.`
    : `${calls}: one by one they take ${share} longer than in a step.`;
}

function largestSentence({ groups }: StepBreakdown): string[] {
  const [first] = groups;
  if (first === undefined) return [];
  const calls = first.calls === 1 ? '1 call' : `${first.calls} calls`;
  return [`The largest part is ${first.label}, ${calls} in ${formatDuration(first.seconds)}.`];
}

function lossSentences({ calls, callSeconds }: StepBreakdown): string[] {
  const [worst] = calls;
  if (worst?.bound === undefined || worst.lostSeconds <= 0) return [];
  const launches = calls.reduce((sum, { launchSeconds }) => sum + launchSeconds, 0);
  return [
    `Most is lost in ${worst.label}: ${formatDuration(worst.seconds)} where ` +
      `${formatDuration(worst.bound.seconds)} would do by ${limitOf(worst)}.`,
    ...(launches > 0
      ? [
          `Starting the calls explains at most ${formatShare(launches / callSeconds)} of their time.`,
        ]
      : []),
  ];
}

function limitOf({ bound }: CallBreakdown): string {
  return bound?.by === 'compute' ? 'arithmetic' : `the bandwidth of ${bound?.level.label}`;
}
