/** Seconds of this thread's own clock. */
export function secondsNow(): number {
  return performance.now() / 1000;
}

const mostTicks = 20;
const mostMilliseconds = 60;

/**
 * The smallest step of `performance.now()`, in seconds: browsers coarsen it to 5 us up to 1 ms,
 * coarser on pages that are not cross-origin isolated, and some move the steps at random.
 */
export function clockStepSeconds(): number {
  const start = performance.now();
  let last = start;
  let smallest = Infinity;
  for (let ticks = 0; ticks < mostTicks && last - start < mostMilliseconds;) {
    const now = performance.now();
    if (now === last) continue;
    smallest = Math.min(smallest, now - last);
    last = now;
    ticks++;
  }
  return smallest / 1000;
}
