import type { DeviceKind } from './config.ts';
import type { RunEvent } from './events.ts';

/** What is to be done of a configuration. */
export type RunTask =
  /** All that it names. */
  | { readonly kind: 'measure' }
  /** Only how its networks train fastest. */
  | { readonly kind: 'tune' }
  /** What is left of a run whose device was lost, by what it told until then. */
  | { readonly kind: 'resume'; readonly told: readonly RunEvent[] };

/**
 * The stages of a job that are left after a device was lost, by its last `device-lost` failure: those
 * behind the one that it names, and that one too where it `continues` by what it has told. All of them
 * where no device was lost.
 */
export function stagesLeft<S extends { readonly name: string; readonly continues: boolean }>(
  stages: readonly S[],
  told: readonly RunEvent[],
  device: DeviceKind,
): readonly S[] {
  const lost = told.findLast(
    (event) =>
      event.kind === 'failure' &&
      event.failure.kind === 'device-lost' &&
      event.failure.device === device,
  );
  if (lost?.kind !== 'failure') return stages;
  const at = stages.findIndex(({ name }) => name === lost.failure.stage);
  return stages.slice(at < 0 || stages[at]!.continues ? Math.max(0, at) : at + 1);
}

/**
 * Whether a device's job has something left to do after its device was lost: its last failure is that
 * loss. Stages that were left out since then are not looked for.
 */
export function isResumable(told: readonly RunEvent[], device: DeviceKind): boolean {
  const own = told.filter(
    (event) =>
      (event.kind === 'failure' && event.failure.device === device) ||
      (event.kind === 'environment' && event.environment.device === device),
  );
  const last = own.at(-1);
  return last?.kind === 'failure' && last.failure.kind === 'device-lost';
}

/** Whether an event is one by which a device's job goes on. */
export function isToldOf(event: RunEvent, device: DeviceKind): boolean {
  switch (event.kind) {
    case 'step':
      return event.step.device === device;
    case 'tuning':
      return event.tuning.device === device;
    case 'failure':
      return event.failure.device === device;
    case 'environment':
    case 'progress':
    case 'sample':
    case 'longest':
    case 'done':
      return false;
  }
}
