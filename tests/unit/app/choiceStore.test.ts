import { describe, expect, it, vi } from 'vitest';
import { openChoices, type DeviceShelf, type KeptDevice } from '../../../src/app/choiceStore.ts';
import type { Tuning } from '../../../src/core/run/events.ts';
import { foundOn } from '../../../src/core/tuning/keptChoices.ts';

const app = { version: '1.0.0', commit: 'abc' };
const first = '2026-11-30T10:00:00.000Z';
const later = '2026-12-01T10:00:00.000Z';

const tuning: Tuning = {
  device: 'gpu',
  deviceId: 'gpu-1',
  model: 'resnet8',
  batch: 8,
  defaultSeconds: [0.3],
  tunedSeconds: [0.2],
  timer: 'timestamp',
  choices: [
    { key: 'a', defaultVariant: 'x', variant: 'y', defaultSeconds: 0.02, seconds: 0.01 },
    { key: 'b', defaultVariant: 'x', variant: 'x', defaultSeconds: 0.06, seconds: 0.06 },
  ],
};
const [a, b] = tuning.choices as [Tuning['choices'][number], Tuning['choices'][number]];

/** A database that outlives its page. */
function shelf(): DeviceShelf {
  const devices = new Map<string, KeptDevice>();
  return {
    all: () => Promise.resolve([...devices.values()]),
    put: (device) => Promise.resolve(void devices.set(device.key, device)),
    remove: (key) => Promise.resolve(void devices.delete(key)),
  };
}

describe('openChoices', () => {
  it('gives a later run on the same device what an earlier one found, and when', async () => {
    const database = shelf();
    const open = () => Promise.resolve(database);
    await openChoices(app, open).keep(tuning, { startedAt: first, thoroughness: 'quick' });
    const kept = await openChoices(app, open).load('quick');
    expect(kept).toEqual({
      'gpu-1': [
        { ...a, foundAt: first },
        { ...b, foundAt: first },
      ],
    });
    expect(foundOn(kept['gpu-1']!)).toBe(first);
  });

  it('keeps apart devices, and versions of the app whatever their part that differs', async () => {
    const database = shelf();
    const open = () => Promise.resolve(database);
    const run = { startedAt: first, thoroughness: 'quick' } as const;
    await openChoices(app, open).keep(tuning, run);
    await openChoices(app, open).keep({ ...tuning, deviceId: 'gpu-2', choices: [b] }, run);
    expect(Object.keys(await openChoices(app, open).load('quick'))).toEqual(['gpu-1', 'gpu-2']);
    for (const other of [
      { ...app, version: '1.0.1' },
      { ...app, commit: 'abd' },
    ])
      expect(await openChoices(other, open).load('quick')).toEqual({});
  });

  it('drops what other versions kept once this one keeps its own', async () => {
    const database = shelf();
    const open = () => Promise.resolve(database);
    const run = { startedAt: first, thoroughness: 'quick' } as const;
    await openChoices(app, open).keep(tuning, run);
    await openChoices({ ...app, version: '2.0.0' }, open).keep(tuning, run);
    expect((await database.all()).map((device) => device.app.version)).toEqual(['2.0.0']);
  });

  it('lets a full run look again where a quick one did, and a quick one start from a full one', async () => {
    const store = openChoices(app, () => Promise.resolve(shelf()));
    await store.keep(tuning, { startedAt: first, thoroughness: 'quick' });
    expect(await store.load('full')).toEqual({ 'gpu-1': [] });
    const again = { ...tuning, choices: [{ ...a, variant: 'z' }] };
    await store.keep(again, { startedAt: later, thoroughness: 'full' });
    const found = { ...a, variant: 'z', foundAt: later };
    expect(await store.load('full')).toEqual({ 'gpu-1': [found] });
    expect(await store.load('quick')).toEqual({ 'gpu-1': [{ ...b, foundAt: first }, found] });
  });

  it('leaves a choice its date when a run has started from it', async () => {
    const store = openChoices(app, () => Promise.resolve(shelf()));
    await store.keep(tuning, { startedAt: first, thoroughness: 'full' });
    const { 'gpu-1': choices } = await store.load('quick');
    await store.keep({ ...tuning, choices: choices! }, { startedAt: later, thoroughness: 'quick' });
    expect(await store.load('full')).toEqual({ 'gpu-1': choices });
  });

  it('keeps no choices that were made for another configuration of the step', async () => {
    const store = openChoices(app, () => Promise.resolve(shelf()));
    const run = { startedAt: first, thoroughness: 'full' } as const;
    for (const scope of ['configuration', 'together'] as const)
      await store.keep({ ...tuning, scope }, run);
    expect(await store.load('quick')).toEqual({});
  });

  it('forgets all, and says so', async () => {
    const store = openChoices(app, () => Promise.resolve(shelf()));
    const changed = vi.fn();
    store.subscribe(changed);
    await store.keep(tuning, { startedAt: first, thoroughness: 'quick' });
    await store.forget();
    expect(await store.load('quick')).toEqual({});
    expect(changed).toHaveBeenCalledTimes(2);
  });

  it.for([
    ['is denied', () => Promise.reject(new DOMException('denied'))],
    ['never answers', () => new Promise<DeviceShelf>(() => {})],
    [
      'is full',
      () => Promise.resolve({ ...shelf(), put: () => Promise.reject(new DOMException('quota')) }),
    ],
  ] as const)('has no choices where storage %s, and fails nobody', async ([, open]) => {
    const store = openChoices(app, open);
    await store.keep(tuning, { startedAt: first, thoroughness: 'quick' });
    expect(await store.load('quick')).toEqual({});
    await store.forget();
  });
});
