import { modelNames, type ModelName } from '../nn/zoo.ts';

/** `sustained` runs the fastest arithmetic for a minute; what it needs to know it finds as quick does. */
export const profiles = ['quick', 'full', 'sustained'] as const;
export type Profile = (typeof profiles)[number];

/** How thoroughly ceilings and points are measured. */
export type Thoroughness = 'quick' | 'full';

export function thoroughnessOf(profile: Profile): Thoroughness {
  return profile === 'full' ? 'full' : 'quick';
}

/** The parameters that may grow along a trajectory, in the order in which they are swept. */
export const sweepParameters = [
  'batch',
  'workgroups',
  'workgroupSize',
  'threads',
  'replicas',
  'depth',
  'width',
] as const;
export type SweepParameter = (typeof sweepParameters)[number];

export const deviceChoices = ['gpu', 'cpu', 'both'] as const;
export type DeviceChoice = (typeof deviceChoices)[number];

/** The two kinds of device that a run measures, one after the other, never together. */
export type DeviceKind = 'gpu' | 'cpu';

/** The parameters that can grow on each device, in the order in which they are swept. */
export const sweepsOf: Readonly<Record<DeviceKind, readonly SweepParameter[]>> = {
  gpu: ['batch', 'workgroups', 'workgroupSize', 'depth', 'width'],
  cpu: ['batch', 'threads', 'replicas'],
};

/** What one run measures. Frozen: workers and the record get the same object. */
export interface RunConfig {
  readonly profile: Profile;
  readonly device: DeviceChoice;
  /** The networks that train, at least one. */
  readonly models: readonly ModelName[];
  /** What grows, each a trajectory a model on the devices that have it; none trains nothing. */
  readonly sweeps: readonly SweepParameter[];
}

/** Sweeps that a run makes unless it is told: a quick one keeps to a minute. */
const defaultSweeps: Readonly<Record<Profile, readonly SweepParameter[]>> = {
  quick: Object.freeze(['batch', 'workgroups'] as const),
  full: Object.freeze(['batch', 'workgroups', 'threads', 'replicas'] as const),
  sustained: Object.freeze([]),
};

/** What a run of a profile is unless it is told. */
export function defaultsOf(profile: Profile): RunConfig {
  return Object.freeze({
    profile,
    device: 'both',
    models: Object.freeze(['resnet8'] as const),
    sweeps: defaultSweeps[profile],
  });
}

export const defaultConfig: RunConfig = defaultsOf('quick');

/** The same run under another profile, with that one's sweeps unless others were chosen. */
export function withProfile(config: RunConfig, profile: Profile): RunConfig {
  const isChosen = config.sweeps.join() !== defaultsOf(config.profile).sweeps.join();
  const sweeps = isChosen ? config.sweeps : defaultsOf(profile).sweeps;
  return Object.freeze({ ...config, profile, sweeps });
}

/** A value that came from outside and was refused: which field, what it was, what was expected. */
export interface InputError {
  readonly field: string;
  readonly value: string;
  readonly expected: string;
}

export type Parsed<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'invalid'; readonly errors: readonly InputError[] };

/**
 * How a key of the address reads and is written: `parse` gives undefined for a bad value, of which
 * `expected` says what belongs there.
 */
interface Key<T> {
  readonly name: string;
  readonly expected: string;
  readonly parse: (text: string) => T | undefined;
  readonly print: (value: T) => string;
}

function oneOf<T extends string>(name: string, allowed: readonly T[]): Key<T> {
  return {
    name,
    expected: `one of ${allowed.join(', ')}`,
    parse: (text) => allowed.find((value) => value === text),
    print: (value) => value,
  };
}

/** A list with commas, each value once, in the order of `allowed`; `none`, where allowed, is empty. */
function someOf<T extends string>(
  name: string,
  allowed: readonly T[],
  none?: string,
): Key<readonly T[]> {
  return {
    name,
    expected: `${none === undefined ? '' : `${none}, or `}one or more of ${allowed.join(', ')}, with commas between`,
    parse: (text) => {
      if (text === none) return [];
      const parts = text.split(',');
      const known = allowed.filter((value) => parts.includes(value));
      return known.length === parts.length ? Object.freeze(known) : undefined;
    },
    print: (values) => (values.length === 0 && none !== undefined ? none : values.join(',')),
  };
}

/** The key of each field, for the page's address and the command line alike. */
export const configKeys: { readonly [F in keyof RunConfig]: Key<RunConfig[F]> } = {
  profile: oneOf('profile', profiles),
  device: oneOf('device', deviceChoices),
  models: someOf('model', modelNames),
  sweeps: someOf('sweep', sweepParameters, 'none'),
};

/**
 * Reads a run's configuration from a URL query such as `?device=gpu&model=resnet8,plain8`. A missing
 * key takes its default and an unknown key is ignored (links collect tracking keys); a bad value of a
 * known key, or a second value, is an error that names the key.
 */
export function configFromQuery(query: URLSearchParamsLike): Parsed<RunConfig> {
  const errors: InputError[] = [];
  function read<F extends keyof RunConfig>(field: F, defaults: RunConfig): RunConfig[F] {
    const { name, expected, parse } = configKeys[field];
    const [text, ...more] = query.getAll(name);
    if (text === undefined) return defaults[field];
    const value = more.length === 0 ? parse(text) : undefined;
    if (value !== undefined) return value;
    errors.push({ field: name, value: [text, ...more].join(' and '), expected });
    return defaults[field];
  }
  const profile = read('profile', defaultConfig);
  const defaults = defaultsOf(profile);
  const value: RunConfig = Object.freeze({
    profile,
    device: read('device', defaults),
    models: read('models', defaults),
    sweeps: read('sweeps', defaults),
  });
  return errors.length === 0 ? { kind: 'ok', value } : { kind: 'invalid', errors };
}

/** The query that `configFromQuery` reads back to the same configuration; defaults are left out. */
export function configToQuery(config: RunConfig): string {
  const fields = Object.keys(configKeys) as (keyof RunConfig)[];
  const defaults = { ...defaultsOf(config.profile), profile: defaultConfig.profile };
  return fields
    .filter((field) => textOf(config, field) !== textOf(defaults, field))
    .map((field) => `${configKeys[field].name}=${textOf(config, field)}`)
    .join('&');
}

function textOf<F extends keyof RunConfig>(config: Readonly<Record<F, RunConfig[F]>>, field: F) {
  return configKeys[field].print(config[field]);
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
  getAll(key: string): string[];
}
