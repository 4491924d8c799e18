import {
  configFromQuery,
  configToQuery,
  defaultConfig,
  type InputError,
  type RunConfig,
} from '../core/run/config.ts';

/** What the page's address asks for; refused values are told and take their defaults. */
export interface AddressState {
  readonly config: RunConfig;
  readonly errors: readonly InputError[];
}

/** Reads the query of the page's address. One bad value does not spoil the good ones. */
export function readAddress(search: string): AddressState {
  const query = new URLSearchParams(search);
  const parsed = configFromQuery(query);
  if (parsed.kind === 'ok') return { config: parsed.value, errors: [] };
  for (const { field } of parsed.errors) query.delete(field);
  const rest = configFromQuery(query);
  return {
    config: rest.kind === 'ok' ? rest.value : defaultConfig,
    errors: parsed.errors,
  };
}

/** The query for `config`, with the keys that are not the app's left as they were. */
export function addressFor(config: RunConfig, search: string): string {
  const query = new URLSearchParams(search);
  for (const key of Object.keys(defaultConfig)) query.delete(key);
  for (const [key, value] of new URLSearchParams(configToQuery(config))) query.set(key, value);
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
