import { afterEach, describe, expect, it, vi } from 'vitest';
import { keepAwake } from '../../../src/app/wakeLock.ts';

/** A page that can be hidden, and a browser that counts its locks or refuses them. */
function setUp(refuses = false) {
  const page = Object.assign(new EventTarget(), { hidden: false }) as Document & {
    hidden: boolean;
  };
  const counts = { asked: 0, released: 0 };
  const request = (): Promise<Pick<WakeLockSentinel, 'release'>> => {
    counts.asked += 1;
    if (refuses) return Promise.reject(new DOMException('low battery', 'NotAllowedError'));
    const release = (): Promise<void> => {
      counts.released += 1;
      return Promise.resolve();
    };
    return Promise.resolve({ release } as WakeLockSentinel);
  };
  vi.stubGlobal('navigator', { wakeLock: { request } });
  const hide = (hidden: boolean): void => {
    page.hidden = hidden;
    page.dispatchEvent(new Event('visibilitychange'));
  };
  return { page, counts, hide };
}

afterEach(() => vi.unstubAllGlobals());

describe('the screen while it measures', () => {
  it('is kept on, again after the page was hidden, until it is released', async () => {
    const { page, counts, hide } = setUp();
    const awake = keepAwake(page);
    expect(counts.asked).toBe(1);
    hide(true);
    expect(counts.asked).toBe(1);
    hide(false);
    expect(counts.asked).toBe(2);
    awake.release();
    await vi.waitFor(() => expect(counts.released).toBe(1));
    hide(false);
    expect(counts.asked).toBe(2);
  });

  it('may go off where the browser refuses or cannot', async () => {
    const { page, counts } = setUp(true);
    keepAwake(page).release();
    await Promise.resolve();
    expect(counts).toEqual({ asked: 1, released: 0 });
    vi.stubGlobal('navigator', {});
    expect(() => keepAwake(page).release()).not.toThrow();
  });
});
