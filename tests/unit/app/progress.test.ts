import { describe, expect, it } from 'vitest';
import { planOf } from '../../../src/app/plan.ts';
import { expectedSeconds, runProgress } from '../../../src/app/progress.ts';
import { defaultConfig, type DeviceKind } from '../../../src/core/run/config.ts';
import type { RunEvent } from '../../../src/core/run/events.ts';

function progress(device: DeviceKind, fraction: number, remainingSeconds: number): RunEvent {
  return { kind: 'progress', device, stage: 'copy sweep', fraction, remainingSeconds };
}
const config = { ...defaultConfig, device: 'both' } as const;
const plan = planOf(config);
const both = expectedSeconds(plan);
const cpu = expectedSeconds(planOf({ ...config, device: 'cpu' }));

describe('runProgress', () => {
  it('counts the devices that are still to come', () => {
    const now = runProgress(plan, [progress('gpu', 0.5, 20)]);
    expect(now?.remainingSeconds).toBe(20 + cpu);
    expect(now?.fraction).toBeCloseTo((0.5 * (both - cpu)) / both);
  });

  it('counts a finished device as a whole', () => {
    const events: readonly RunEvent[] = [
      progress('gpu', 0.2, 30),
      { kind: 'done', device: 'gpu', cancelled: false },
      progress('cpu', 0.5, 6),
    ];
    const now = runProgress(plan, events);
    expect(now?.remainingSeconds).toBe(6);
    expect(now?.fraction).toBeCloseTo(1 - (0.5 * cpu) / both);
  });

  it('knows nothing before the first word', () => {
    expect(runProgress(plan, [])).toBeUndefined();
  });
});
