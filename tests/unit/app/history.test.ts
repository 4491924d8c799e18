import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runId } from '../../../src/app/historyEntry.ts';
import { RunSaver } from '../../../src/app/runSaver.ts';
import { openHistory, SessionHistory } from '../../../src/app/sessionHistory.ts';
import type { RunEvent } from '../../../src/core/run/events.ts';
import { sampleRecord } from '../../support/sample-record.ts';

const { events, ...header } = sampleRecord;
const id = runId(header);

describe('openHistory', () => {
  it('lasts as long as the page where the browser forbids storage', async () => {
    const history = await openHistory(() => Promise.reject(new DOMException('denied')));
    expect(history.persistent).toBe(false);
    expect(await history.list()).toEqual([]);
  });
});

describe('SessionHistory', () => {
  it('lists runs newest first, with their devices, and gives each back whole', async () => {
    const history = new SessionHistory();
    await history.begin(id, header);
    await history.append(id, events.slice(0, 40));
    await history.begin('later', { ...header, label: 'later' });
    const [later, first] = await history.list();
    expect([later?.id, first?.id]).toEqual(['later', id]);
    expect(first?.complete).toBe(false);
    await history.append(id, events.slice(40));
    const entry = (await history.list()).find((candidate) => candidate.id === id);
    expect(entry?.complete).toBe(true);
    expect(entry?.devices.map(({ device }) => device)).toEqual(['gpu', 'cpu']);
    expect(await history.get(id)).toEqual(sampleRecord);
  });

  it('does not call a cancelled run complete', async () => {
    const history = new SessionHistory();
    await history.begin(id, header);
    const cancelled = { kind: 'done', device: 'cpu', cancelled: true } as const;
    await history.append(id, [...events.slice(0, -1), cancelled]);
    expect((await history.list())[0]?.complete).toBe(false);
  });

  it('renames and removes, and tells of it', async () => {
    const history = new SessionHistory();
    const listener = vi.fn();
    await history.begin(id, header);
    history.subscribe(listener);
    await history.rename(id, 'my laptop');
    expect((await history.get(id))?.label).toBe('my laptop');
    await history.rename(id, '');
    expect(await history.get(id)).not.toHaveProperty('label');
    await history.remove(id);
    expect(await history.get(id)).toBeUndefined();
    expect(listener).toHaveBeenCalledTimes(3);
  });
});

describe('RunSaver', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('writes a run as it grows, in order', async () => {
    const history = new SessionHistory();
    const saver = new RunSaver(Promise.resolve(history), header, () => {});
    for (const event of events.slice(0, 30)) saver.append(event);
    await vi.advanceTimersByTimeAsync(1000);
    expect((await history.get(id))?.events).toEqual(events.slice(0, 30));
    for (const event of events.slice(30)) saver.append(event);
    await saver.flush();
    expect(await history.get(id)).toEqual(sampleRecord);
  });

  it('tells when the history cannot be written, and does not throw', async () => {
    const full = new SessionHistory();
    full.append = () => Promise.reject(new DOMException('full', 'QuotaExceededError'));
    const onFailure = vi.fn();
    const saver = new RunSaver(Promise.resolve(full), header, onFailure);
    const [event] = events as readonly [RunEvent];
    saver.append(event);
    await saver.flush();
    expect(onFailure).toHaveBeenCalledTimes(1);
  });
});
