import { describe, expect, it } from 'vitest';
import { JobGate, StageSkipped } from '../../../src/core/run/gate.ts';

/** Whether a promise has settled after all that was waiting has run. */
async function settled(promise: Promise<unknown>): Promise<boolean> {
  let done = false;
  const note = () => (done = true);
  promise.then(note, note);
  await new Promise((resolve) => setTimeout(resolve));
  return done;
}

describe('JobGate', () => {
  it('is open at first, holds while closed and lets all through when opened', async () => {
    const gate = new JobGate();
    await gate.pass();
    gate.close();
    const passing = [gate.pass(), gate.pass()];
    expect(await settled(Promise.race(passing))).toBe(false);
    gate.open();
    await Promise.all(passing);
  });

  it('holds who waits although it was opened only for a moment', async () => {
    const gate = new JobGate();
    gate.close();
    const passing = gate.pass();
    gate.open();
    gate.close();
    expect(await settled(passing)).toBe(false);
    gate.open();
    await passing;
  });

  it('turns all away in a stage that is skipped, paused or not, and none in the next', async () => {
    const gate = new JobGate();
    gate.nameStage('knee');
    gate.close();
    const waiting = gate.pass();
    gate.skipStage('knee');
    await expect(waiting).rejects.toThrow(StageSkipped);
    await expect(gate.pass()).rejects.toThrow(StageSkipped);
    gate.beginStage();
    expect(await settled(gate.pass())).toBe(false);
    gate.open();
    await gate.pass();
  });

  it('leaves a stage alone where the one before it was meant', async () => {
    const gate = new JobGate();
    gate.nameStage('knee');
    gate.beginStage();
    gate.skipStage('knee');
    await gate.pass();
    gate.nameStage('training');
    gate.skipStage('knee');
    await gate.pass();
    gate.skipStage('training');
    await expect(gate.pass()).rejects.toThrow(StageSkipped);
  });
});
