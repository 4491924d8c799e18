import type { BlockTimes } from '../core/probes/blockWindows.ts';
import type { Barrier } from './barrier.ts';
import { secondsNow } from './clock.ts';

/**
 * Runs blocks together with the other threads of a barrier until each of them has worked for
 * `seconds` while all were at work.
 */
export function blocksTogether(
  runBlock: () => void,
  barrier: Barrier,
  seconds: number,
): BlockTimes {
  const ends: number[] = [];
  let start: number | undefined;
  let finished = false;
  barrier.wait();
  barrier.start();
  for (;;) {
    runBlock();
    const now = secondsNow();
    // The others stopped while this block ran: it does not count.
    if (barrier.cancelled() || (finished && barrier.allFinished())) break;
    if (start !== undefined) ends.push(now);
    else if (barrier.allStarted()) start = now;
    if (!finished && start !== undefined && now - start >= seconds) {
      finished = true;
      barrier.finish();
      if (barrier.allFinished()) break;
    }
  }
  return { start: start ?? 0, ends };
}

/** Runs blocks for `seconds` after a first one that does not count, whatever other threads do. */
export function blocksAlone(runBlock: () => void, seconds: number): BlockTimes {
  const ends: number[] = [];
  runBlock();
  const start = secondsNow();
  let now = start;
  while (now - start < seconds) {
    runBlock();
    now = secondsNow();
    ends.push(now);
  }
  return { start, ends };
}
