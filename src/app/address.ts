import {
  configFromQuery,
  configKeys,
  configToQuery,
  defaultConfig,
  type InputError,
  type RunConfig,
} from '../core/run/config.ts';

export const views = ['measure', 'train', 'compare', 'learn'] as const;
export type View = (typeof views)[number];

export const lessonCount = 6;

/** What the page's address asks for: the address is the page's state. */
export interface Address {
  readonly view: View;
  /** Lesson of the learn view, 1 to `lessonCount`; absent on its overview. */
  readonly lesson?: number;
  /** Only the chart of a link, for a frame in another page. */
  readonly embed: boolean;
  readonly config: RunConfig;
  /** A shared run, as `core/run/link.ts` writes it; absent without one. */
  readonly link?: string;
}

/** An address as it was read; refused values are told and take their defaults. */
export interface AddressState extends Address {
  readonly errors: readonly InputError[];
}

export const defaultAddress: Address = Object.freeze({
  view: 'measure',
  embed: false,
  config: defaultConfig,
});

const pageKeys = ['view', 'lesson', 'embed'] as const;
const knownKeys: readonly string[] = [
  ...pageKeys,
  ...Object.values(configKeys).map(({ name }) => name),
];
/** What a fragment with a shared run begins with. */
const linkPrefix = '#r=';

/** Reads query and fragment of the page's address. One bad value does not spoil the good ones. */
export function readAddress({ search, hash }: Pick<Location, 'search' | 'hash'>): AddressState {
  const query = new URLSearchParams(search);
  const errors: InputError[] = [];
  const refuse = (field: string, expected: string): void => {
    errors.push({ field, value: query.getAll(field).join(' and '), expected });
    query.delete(field);
  };
  for (const key of pageKeys) if (query.getAll(key).length > 1) refuse(key, 'one value');
  const view = query.get('view') ?? defaultAddress.view;
  if (!isView(view)) refuse('view', `one of ${views.join(', ')}`);
  const lesson = query.get('lesson');
  if (lesson !== null && !isLesson(lesson)) refuse('lesson', `1 to ${lessonCount}`);
  const embed = query.get('embed');
  if (embed !== null && embed !== '') refuse('embed', 'no value');
  const { config, errors: configErrors } = readConfig(query);
  return {
    view: isView(view) ? view : defaultAddress.view,
    ...(lesson !== null && isLesson(lesson) && { lesson: Number(lesson) }),
    embed: embed === '',
    config,
    ...(hash.startsWith(linkPrefix) && { link: hash.slice(linkPrefix.length) }),
    errors: [...errors, ...configErrors],
  };
}

function readConfig(query: URLSearchParams): Pick<AddressState, 'config' | 'errors'> {
  const parsed = configFromQuery(query);
  if (parsed.kind === 'ok') return { config: parsed.value, errors: [] };
  for (const { field } of parsed.errors) query.delete(field);
  const rest = configFromQuery(query);
  return { config: rest.kind === 'ok' ? rest.value : defaultConfig, errors: parsed.errors };
}

function isView(text: string): text is View {
  return (views as readonly string[]).includes(text);
}

function isLesson(text: string): boolean {
  return /^\d$/.test(text) && Number(text) >= 1 && Number(text) <= lessonCount;
}

/** Query and fragment for an address, with the keys of `search` that are not the app's as they were. */
export function addressText(
  { view, lesson, embed, config, link }: Address,
  search: string,
): string {
  const query = new URLSearchParams(search);
  for (const key of knownKeys) query.delete(key);
  if (view !== defaultAddress.view) query.set('view', view);
  if (lesson !== undefined) query.set('lesson', String(lesson));
  if (embed) query.set('embed', '');
  for (const [key, value] of new URLSearchParams(configToQuery(config))) query.set(key, value);
  const text = query.toString().replace(/\bembed=(?=&|$)/, 'embed');
  return (text === '' ? '' : `?${text}`) + (link === undefined ? '' : `${linkPrefix}${link}`);
}
