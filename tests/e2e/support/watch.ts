import type { Page } from '@playwright/test';

interface WatchedWindow {
  longTasks: { readonly start: number; readonly milliseconds: number }[];
  frameTimes: number[];
}

/** Starts to record the page's long tasks (where the browser tells them) and frame times. */
export async function watchResponsiveness(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const watched = window as unknown as WatchedWindow;
    watched.longTasks = [];
    watched.frameTimes = [];
    if (PerformanceObserver.supportedEntryTypes.includes('longtask'))
      new PerformanceObserver((list) => {
        for (const { startTime, duration } of list.getEntries())
          watched.longTasks.push({ start: startTime, milliseconds: duration });
      }).observe({ type: 'longtask', buffered: true });
    function frame(): void {
      watched.frameTimes.push(performance.now());
      requestAnimationFrame(frame);
    }
    requestAnimationFrame(frame);
  });
}

/** Durations of the main thread's tasks over 50 ms between two page times. */
export function longTasks(page: Page, from: number, to: number): Promise<readonly number[]> {
  return page.evaluate(
    ([start, end]) =>
      (window as unknown as WatchedWindow).longTasks
        .filter((task) => task.start >= start && task.start <= end)
        .map(({ milliseconds }) => milliseconds),
    [from, to] as const,
  );
}

/** Gaps between animation frames between two page times, longest first. */
export function frameGaps(page: Page, from: number, to: number): Promise<readonly number[]> {
  return page.evaluate(
    ([start, end]) => {
      const times = (window as unknown as WatchedWindow).frameTimes.filter(
        (time) => time >= start && time <= end,
      );
      return times
        .slice(1)
        .map((time, index) => time - (times[index] ?? time))
        .toSorted((a, b) => b - a);
    },
    [from, to] as const,
  );
}

/** The page's clock. */
export function pageTime(page: Page): Promise<number> {
  return page.evaluate(() => performance.now());
}

/** Starts to record the page times of clicks. */
export async function watchClicks(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const watched = window as unknown as { clickTimes: number[] };
    watched.clickTimes = [];
    window.addEventListener('click', () => watched.clickTimes.push(performance.now()), true);
  });
}

export function clickTimes(page: Page): Promise<readonly number[]> {
  return page.evaluate(() => (window as unknown as { clickTimes: number[] }).clickTimes);
}
