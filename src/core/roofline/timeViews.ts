import { groupBy } from '../groupBy.ts';
import { stepBreakdown, type StepBreakdown } from './breakdown.ts';
import type { Roofline } from './types.ts';
import type { DeviceKind } from '../run/config.ts';
import type { RunEvent, StepTiming } from '../run/events.ts';

/** Where the time of one network's step goes on one device. */
export interface TimeView {
  readonly device: DeviceKind;
  readonly model: string;
  readonly batch: number;
  readonly breakdown: StepBreakdown;
}

/**
 * A view a device and network: of the largest batch whose calls were timed one by one. The step's own time
 * is that of all visits, also of those whose calls were not timed.
 */
export function timeViews(
  events: readonly RunEvent[],
  rooflines: readonly Roofline[],
): readonly TimeView[] {
  const steps = events.flatMap((event) =>
    event.kind === 'step' && event.step.status === 'ok' ? [event.step] : [],
  );
  const networks = groupBy(
    steps.filter(({ calls }) => calls !== undefined),
    ({ device, deviceId, model }) => JSON.stringify([device, deviceId, model]),
  );
  return networks.flatMap((network) => {
    const largest = network.toSorted((a, b) => b.batch - a.batch)[0]!;
    const same = steps.filter((step) => configurationOf(step) === configurationOf(largest));
    const { device, deviceId, model, batch } = largest;
    // On a CPU the roofline of the most threads is the device's.
    const roofline = rooflines
      .filter((one) => one.device === device && one.deviceId === deviceId)
      .toSorted((a, b) => (b.threads ?? 0) - (a.threads ?? 0))[0];
    const breakdown = stepBreakdown(same, roofline);
    return breakdown ? [{ device, model, batch, breakdown }] : [];
  });
}

/** Equal for steps that do the same work in the same way. */
function configurationOf(step: StepTiming): string {
  const { device, deviceId, model, parameter, value, scaling } = step;
  const { batch, workgroups, workgroupSize, threads, replicas } = step;
  const subject = [device, deviceId, model, parameter, value, scaling];
  return JSON.stringify([...subject, batch, workgroups, workgroupSize, threads, replicas]);
}
