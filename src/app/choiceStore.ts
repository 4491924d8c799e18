import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { Thoroughness } from '../core/run/config.ts';
import type { Tuning } from '../core/run/events.ts';
import type { RunRecord } from '../core/run/record.ts';
import {
  keptUnder,
  servingChoices,
  withFound,
  type EarlierChoices,
  type KeptChoice,
} from '../core/tuning/keptChoices.ts';

/** What tuners of earlier runs found on this browser's devices. */
export interface ChoiceStore {
  /** Those that a run may start from, by device. */
  load(thoroughness: Thoroughness): Promise<EarlierChoices>;
  /** Keeps what a run found itself. */
  keep(tuning: Tuning, run: { startedAt: string; thoroughness: Thoroughness }): Promise<void>;
  /** Later runs tune anew. */
  forget(): Promise<void>;
  /** Calls `listener` after every change; returns the way to stop it. */
  subscribe(listener: () => void): () => void;
}

/** The choices found on one device by one version of the app. */
export interface KeptDevice {
  readonly key: string;
  readonly deviceId: string;
  readonly app: RunRecord['app'];
  readonly choices: readonly KeptChoice[];
}

/** Where devices are kept: a browser's database, or nowhere. */
export interface DeviceShelf {
  all(): Promise<readonly KeptDevice[]>;
  put(device: KeptDevice): Promise<void>;
  remove(key: string): Promise<void>;
}

interface ChoiceDatabase extends DBSchema {
  devices: { key: string; value: KeptDevice };
}

const databaseName = 'rooftrace-tuning';
const databaseVersion = 1;
/** A database that does not answer must not hold up a run. */
const patienceMilliseconds = 1000;

/** The browser's own shelf. Rejects where the browser forbids it. */
async function openShelf(): Promise<DeviceShelf> {
  const database: IDBPDatabase<ChoiceDatabase> = await openDB(databaseName, databaseVersion, {
    upgrade: (created) => void created.createObjectStore('devices', { keyPath: 'key' }),
  });
  return {
    all: () => database.getAll('devices'),
    put: async (device) => void (await database.put('devices', device)),
    remove: (key) => database.delete('devices', key),
  };
}

/** Without storage nothing is kept: every run tunes for itself, and what is not tuned has its default. */
const noShelf: DeviceShelf = {
  all: () => Promise.resolve([]),
  put: () => Promise.resolve(),
  remove: () => Promise.resolve(),
};

/** The choices kept for this version of the app; where storage is denied or full there are none. */
export function openChoices(
  app: RunRecord['app'],
  open: () => Promise<DeviceShelf> = openShelf,
): ChoiceStore {
  const shelf = withPatience(open(), noShelf);
  const listeners = new Set<() => void>();
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  async function devices(): Promise<readonly KeptDevice[]> {
    return withPatience((await shelf).all(), []);
  }
  const isOurs = ({ key, deviceId }: KeptDevice): boolean => key === keptUnder(deviceId, app);
  return {
    async load(thoroughness) {
      const ours = (await devices()).filter(isOurs);
      return Object.fromEntries(
        ours.map(({ deviceId, choices }) => [deviceId, servingChoices(choices, thoroughness)]),
      );
    },
    async keep({ deviceId, choices, scope = 'kernels' }, run) {
      // Those of another configuration may be no good for the default one.
      if (scope !== 'kernels') return;
      const all = await devices();
      const key = keptUnder(deviceId, app);
      const kept = all.find((device) => device.key === key)?.choices ?? [];
      const device = { key, deviceId, app, choices: withFound(kept, choices, run) };
      const opened = await shelf;
      // Choices of other versions serve nobody any more.
      await withPatience(
        Promise.all([
          opened.put(device),
          ...all.filter((one) => !isOurs(one)).map((one) => opened.remove(one.key)),
        ]),
        undefined,
      );
      notify();
    },
    async forget() {
      const opened = await shelf;
      const all = await devices();
      await withPatience(Promise.all(all.map(({ key }) => opened.remove(key))), undefined);
      notify();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The value, or `otherwise` where the browser refuses it or does not answer. */
function withPatience<T>(value: Promise<T>, otherwise: T): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), patienceMilliseconds);
  });
  return Promise.race([value.catch(() => otherwise), late]).finally(() => clearTimeout(timer));
}
