import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  configFromQuery,
  configToQuery,
  defaultConfig,
  defaultsOf,
  deviceChoices,
  devicesOf,
  profiles,
  sweepParameters,
  withProfile,
} from '../../../src/core/run/config.ts';
import { modelNames } from '../../../src/core/nn/zoo.ts';

function read(query: string) {
  return configFromQuery(new URLSearchParams(query));
}

describe('configuration from the address', () => {
  test('nothing said, the defaults', () => {
    expect(read('')).toEqual({ kind: 'ok', value: defaultConfig });
  });

  test('an unknown key is ignored', () => {
    expect(read('utm_source=mail&fbclid=1')).toEqual({ kind: 'ok', value: defaultConfig });
  });

  test('a bad value of a known key is an error that names it and what is allowed', () => {
    expect(read('profile=slow&device=gpu')).toEqual({
      kind: 'invalid',
      errors: [{ field: 'profile', value: 'slow', expected: `one of ${profiles.join(', ')}` }],
    });
    const parsed = read('profile=&model=vgg');
    expect(parsed.kind === 'invalid' && parsed.errors.map(({ field }) => field)).toEqual([
      'profile',
      'model',
    ]);
  });

  test('lists take commas, each value once, in the order in which they run', () => {
    expect(read('model=plain8,resnet8&sweep=threads,batch')).toMatchObject({
      value: { models: ['resnet8', 'plain8'], sweeps: ['batch', 'threads'] },
    });
    expect(read('sweep=none')).toMatchObject({ value: { sweeps: [] } });
    for (const query of ['sweep=', 'sweep=batch,batch', 'sweep=batch,none', 'model=none'])
      expect(read(query).kind, query).toBe('invalid');
  });

  test('a profile brings its own sweeps, unless others were chosen', () => {
    expect(read('profile=full')).toEqual({ kind: 'ok', value: defaultsOf('full') });
    expect(configToQuery(defaultsOf('full'))).toBe('profile=full');
    expect(withProfile(defaultConfig, 'full')).toEqual(defaultsOf('full'));
    const chosen = { ...defaultConfig, sweeps: ['threads'] } as const;
    expect(withProfile(chosen, 'full')).toEqual({ ...chosen, profile: 'full' });
  });

  test('two values of one key are refused, for one of them is not meant', () => {
    expect(read('profile=quick&profile=full')).toMatchObject({
      errors: [{ field: 'profile', value: 'quick and full' }],
    });
  });

  test('the configuration is frozen', () => {
    const parsed = read('profile=full');
    expect(parsed.kind === 'ok' && Object.isFrozen(parsed.value)).toBe(true);
    expect(Object.isFrozen(defaultConfig)).toBe(true);
  });

  test('any configuration goes into an address and back', () => {
    const config = fc.record({
      profile: fc.constantFrom(...profiles),
      device: fc.constantFrom(...deviceChoices),
      models: fc.subarray([...modelNames], { minLength: 1 }),
      sweeps: fc.subarray([...sweepParameters]),
    });
    fc.assert(
      fc.property(config, (value) => {
        const parsed = read(configToQuery(value));
        expect(parsed).toEqual({ kind: 'ok', value: { ...value } });
      }),
    );
  });

  test('any query is read or refused, never thrown at', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('profile', 'device', 'model', 'sweep'),
        fc.string(),
        (key, value) => {
          const parsed = configFromQuery(new URLSearchParams([[key, value]]));
          if (parsed.kind === 'invalid') expect(parsed.errors[0]!.field).toBe(key);
        },
      ),
    );
  });

  test('devices in the order in which they run', () => {
    expect(deviceChoices.map(devicesOf)).toEqual([['gpu'], ['cpu'], ['gpu', 'cpu']]);
  });
});
