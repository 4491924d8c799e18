import { modelNames, type ModelName } from '../nn/zoo.ts';

export const profiles = ['quick', 'full'] as const;
export type Profile = (typeof profiles)[number];

export const deviceChoices = ['gpu', 'cpu', 'both'] as const;
export type DeviceChoice = (typeof deviceChoices)[number];

/** The two kinds of device that a run measures, one after the other, never together. */
export type DeviceKind = 'gpu' | 'cpu';

/** What one run measures. Frozen: workers and the record get the same object. */
export interface RunConfig {
  readonly profile: Profile;
  readonly device: DeviceChoice;
  readonly model: ModelName;
}

export const defaultConfig: RunConfig = Object.freeze({
  profile: 'quick',
  device: 'both',
  model: 'resnet8',
});

/** A value that came from outside and was refused: which field, what it was, what was expected. */
export interface InputError {
  readonly field: string;
  readonly value: string;
  readonly expected: string;
}

export type Parsed<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'invalid'; readonly errors: readonly InputError[] };

const knownKeys = {
  profile: profiles,
  device: deviceChoices,
  model: modelNames,
} as const satisfies Record<keyof RunConfig, readonly string[]>;

/**
 * Reads a run's configuration from a URL query such as `?profile=quick&device=gpu`.
 * A missing key takes its default and an unknown key is ignored (links collect tracking keys);
 * a bad value of a known key is an error that names the key.
 */
export function configFromQuery(query: URLSearchParamsLike): Parsed<RunConfig> {
  const errors: InputError[] = [];
  function read<K extends keyof RunConfig>(key: K): RunConfig[K] {
    const value = query.get(key);
    if (value === null) return defaultConfig[key];
    const allowed: readonly string[] = knownKeys[key];
    if (allowed.includes(value)) return value as RunConfig[K];
    errors.push({ field: key, value, expected: `one of ${allowed.join(', ')}` });
    return defaultConfig[key];
  }
  const value: RunConfig = Object.freeze({
    profile: read('profile'),
    device: read('device'),
    model: read('model'),
  });
  return errors.length === 0 ? { kind: 'ok', value } : { kind: 'invalid', errors };
}

/** The query that `configFromQuery` reads back to the same configuration; defaults are left out. */
export function configToQuery(config: RunConfig): string {
  return (Object.keys(knownKeys) as (keyof RunConfig)[])
    .filter((key) => config[key] !== defaultConfig[key])
    .map((key) => `${key}=${config[key]}`)
    .join('&');
}

/** The devices that a run measures, in order. */
export function devicesOf(choice: DeviceChoice): readonly DeviceKind[] {
  switch (choice) {
    case 'gpu':
      return ['gpu'];
    case 'cpu':
      return ['cpu'];
    case 'both':
      return ['gpu', 'cpu'];
  }
}

/** The part of URLSearchParams that core needs; core compiles without the DOM library. */
export interface URLSearchParamsLike {
  get(key: string): string | null;
}
