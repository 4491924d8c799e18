import { describe, expect, it } from 'vitest';
import { addressText, defaultAddress, readAddress } from '../../../src/app/address.ts';
import { defaultConfig } from '../../../src/core/run/config.ts';

const read = (search: string, hash = '') => readAddress({ search, hash });

describe('readAddress', () => {
  it('names a bad value, takes its default and keeps the good ones', () => {
    const { config, view, errors } = read('?profile=fast&device=cpu&view=learning&utm_source=x');
    expect(config).toEqual({ ...defaultConfig, device: 'cpu' });
    expect(view).toBe('measure');
    expect(errors.map(({ field, value }) => [field, value])).toEqual([
      ['view', 'learning'],
      ['profile', 'fast'],
    ]);
    expect(errors[1]?.expected).toContain('quick');
  });

  it('reads an empty query as the defaults', () => {
    expect(read('')).toEqual({ ...defaultAddress, errors: [] });
  });

  it('refuses a key that is there twice, and takes its default', () => {
    const { config, view, errors } = read('?view=learn&view=compare&profile=full&profile=quick');
    expect({ config, view }).toEqual({ config: defaultConfig, view: 'measure' });
    expect(errors.map(({ field, value }) => [field, value])).toEqual([
      ['view', 'learn and compare'],
      ['profile', 'full and quick'],
    ]);
  });

  it('takes lessons by number only', () => {
    expect(read('?view=learn&lesson=2').lesson).toBe(2);
    for (const bad of ['0', '7', '02', '1e0', '', ' 1', 'two']) {
      const { lesson, errors } = read(`?lesson=${bad}`);
      expect(lesson, bad).toBeUndefined();
      expect(
        errors.map(({ field }) => field),
        bad,
      ).toEqual(['lesson']);
    }
  });

  it('finds a shared run in the fragment', () => {
    expect(read('?embed', '#r=abc-_')).toMatchObject({ embed: true, link: 'abc-_' });
    expect(read('', '#elsewhere').link).toBeUndefined();
  });
});

describe('addressText', () => {
  it('writes what readAddress reads back, and leaves foreign keys alone', () => {
    const config = {
      ...defaultConfig,
      profile: 'full',
      device: 'gpu',
      models: ['resnet8', 'plain8'],
      sweeps: [],
    } as const;
    const address = { view: 'learn', lesson: 3, embed: true, config, link: 'a-_' } as const;
    const text = addressText(address, '?utm_source=x&device=cpu&profile=bad&lesson=9');
    const [search = '', fragment = ''] = text.split('#');
    expect(read(search, `#${fragment}`)).toEqual({ ...address, errors: [] });
    expect(new URLSearchParams(search).get('utm_source')).toBe('x');
  });

  it('needs no query for the defaults, and no value for embed', () => {
    expect(addressText(defaultAddress, '?device=cpu&view=learn')).toBe('');
    expect(addressText({ ...defaultAddress, embed: true }, '')).toBe('?embed');
  });
});
