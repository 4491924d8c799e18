import { describe, expect, it } from 'vitest';
import { addressFor, readAddress } from '../../../src/app/address.ts';
import { defaultConfig } from '../../../src/core/run/config.ts';

describe('readAddress', () => {
  it('names a bad value, takes its default and keeps the good ones', () => {
    const { config, errors } = readAddress('?profile=fast&device=cpu&utm_source=x');
    expect(config).toEqual({ ...defaultConfig, device: 'cpu' });
    expect(errors.map(({ field, value }) => [field, value])).toEqual([['profile', 'fast']]);
    expect(errors[0]?.expected).toContain('quick');
  });

  it('reads an empty query as the defaults', () => {
    expect(readAddress('')).toEqual({ config: defaultConfig, errors: [] });
  });
});

describe('addressFor', () => {
  it('writes what readAddress reads back, and leaves foreign keys alone', () => {
    const config = { ...defaultConfig, profile: 'full', device: 'gpu' } as const;
    const address = addressFor(config, '?utm_source=x&device=cpu&profile=bad');
    expect(readAddress(address)).toEqual({ config, errors: [] });
    expect(new URLSearchParams(address).get('utm_source')).toBe('x');
  });

  it('needs no query for the defaults', () => {
    expect(addressFor(defaultConfig, '?device=cpu')).toBe('');
  });
});
