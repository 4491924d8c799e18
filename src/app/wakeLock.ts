/** A screen that is kept on. */
export interface Awake {
  release(): void;
}

/**
 * Keeps the screen on where the browser can: a machine that falls asleep measures nothing. A hidden
 * page loses the lock, so that it is asked for again when the page is seen. Refusals are no fault.
 */
export function keepAwake(page: Document): Awake {
  let lock: Promise<WakeLockSentinel | undefined> | undefined;
  function ask(): void {
    if (page.hidden || !('wakeLock' in navigator)) return;
    lock = navigator.wakeLock.request('screen').catch(() => undefined);
  }
  page.addEventListener('visibilitychange', ask);
  ask();
  return {
    release() {
      page.removeEventListener('visibilitychange', ask);
      void lock?.then((held) => held?.release());
    },
  };
}
