import { expect, test } from 'vitest';
import { ManualGate, Stopped } from '../../../src/core/training/gate.ts';

/** Whether a promise is still open after everything that is due has run. */
async function isOpen(promise: Promise<unknown>): Promise<boolean> {
  const open = Symbol('open');
  const later = new Promise((resolve) => setTimeout(() => resolve(open)));
  return (await Promise.race([promise.catch(() => undefined), later])) === open;
}

test('holds while it is paused, lets pass after', async () => {
  const gate = new ManualGate();
  await gate.pass();
  gate.pause();
  const passed = gate.pass();
  expect(await isOpen(passed)).toBe(true);
  gate.resume();
  await expect(passed).resolves.toBeUndefined();
});

test('a stop ends those who wait and those who come', async () => {
  const gate = new ManualGate();
  gate.pause();
  const passed = gate.pass();
  gate.stop();
  await expect(passed).rejects.toBeInstanceOf(Stopped);
  await expect(gate.pass()).rejects.toBeInstanceOf(Stopped);
  expect(gate.stopped).toBe(true);
});
