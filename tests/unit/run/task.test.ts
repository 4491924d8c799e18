import { describe, expect, it } from 'vitest';
import type { Failure, RunEvent } from '../../../src/core/run/events.ts';
import { isResumable, isToldOf, stagesLeft } from '../../../src/core/run/task.ts';
import { recordOf } from './records.ts';

const stages = [
  { name: 'arithmetic', continues: false },
  { name: 'bandwidth', continues: false },
  { name: 'training', continues: true },
];

const { events } = recordOf();
const failureEvent = events.find((event) => event.kind === 'failure')!;

function lostIn(stage: string, kind: Failure['kind'] = 'device-lost'): RunEvent {
  if (failureEvent.kind !== 'failure') throw new Error('no failure');
  return { kind: 'failure', failure: { ...failureEvent.failure, kind, stage } };
}

describe('stages left after a lost device', () => {
  it.each([
    ['arithmetic', ['bandwidth', 'training']],
    ['bandwidth', ['training']],
    ['training', ['training']],
    ['timer', ['arithmetic', 'bandwidth', 'training']],
  ])('that was lost in %s', (stage, left) => {
    const names = stagesLeft(stages, [lostIn(stage)], 'gpu').map(({ name }) => name);
    expect(names).toEqual(left);
  });

  it('are all where none was lost, whatever else failed', () => {
    expect(stagesLeft(stages, [lostIn('bandwidth', 'validation')], 'gpu')).toEqual(stages);
    expect(stagesLeft(stages, [lostIn('bandwidth')], 'cpu')).toEqual(stages);
  });
});

it('a run can go on while a loss is the last that was heard of its device', () => {
  const environment = events.find((event) => event.kind === 'environment')!;
  expect(isResumable([environment, lostIn('training')], 'gpu')).toBe(true);
  expect(isResumable([environment, lostIn('training')], 'cpu')).toBe(false);
  expect(isResumable([lostIn('training'), environment], 'gpu')).toBe(false);
  expect(isResumable([environment, lostIn('training', 'validation')], 'gpu')).toBe(false);
  expect(isResumable([], 'gpu')).toBe(false);
});

function kinds(device: 'gpu' | 'cpu'): ReadonlySet<string> {
  return new Set(events.filter((event) => isToldOf(event, device)).map(({ kind }) => kind));
}

it('a job goes on by steps, tunings and failures of its device alone', () => {
  expect(kinds('gpu')).toEqual(new Set(['step', 'failure']));
  expect(kinds('cpu')).toEqual(new Set());
});
