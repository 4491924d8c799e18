import { expect, it } from 'vitest';
import { partiality } from '../../../src/app/partial.ts';
import { sampleRecord } from '../../support/sample-record.ts';

const { config, events } = sampleRecord;

it('a run whose devices are all done is whole', () => {
  expect(partiality(sampleRecord)).toBeUndefined();
});

it('a run is cancelled where a device says so', () => {
  const cancelled = { kind: 'done', device: 'gpu', cancelled: true } as const;
  expect(partiality({ config, events: [cancelled] })).toBe('cancelled');
});

it('the last end of a device counts, which may be asked again', () => {
  const lost = { kind: 'done', device: 'gpu', cancelled: true } as const;
  const asked = [lost, { ...lost, cancelled: false }];
  expect(partiality({ config: { ...config, device: 'gpu' }, events: asked })).toBeUndefined();
  expect(partiality({ config: { ...config, device: 'gpu' }, events: asked.toReversed() })).toBe(
    'cancelled',
  );
});

it('a run is interrupted where a device never told that it was done', () => {
  expect(partiality({ config, events: events.slice(0, -1) })).toBe('interrupted');
  expect(partiality({ config, events: [] })).toBe('interrupted');
  expect(partiality({ config: { ...config, device: 'gpu' }, events: events.slice(0, -1) })).toBe(
    undefined,
  );
});
