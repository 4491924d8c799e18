import { describe, expect, it } from 'vitest';
import { shouldReload, type PageSituation } from '../../../src/app/isolationReload.ts';

const willing: PageSituation = {
  isolated: false,
  controlled: true,
  topLevel: true,
  reloadedBefore: false,
  occupied: false,
};

describe('reload for isolation', () => {
  it('happens where the worker is in charge and nobody is disturbed', () => {
    expect(shouldReload(willing)).toBe(true);
  });

  it.each([
    ['an isolated page', { isolated: true }],
    ['a page that no worker answers for', { controlled: false }],
    ['a page in a frame', { topLevel: false }],
    ['a second time', { reloadedBefore: true }],
    ['during a run, a lesson or a link', { occupied: true }],
  ])('never happens: %s', (_, change) => {
    expect(shouldReload({ ...willing, ...change })).toBe(false);
  });
});
