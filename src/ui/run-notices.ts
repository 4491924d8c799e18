import { inputErrorText } from '../app/files.ts';
import { partiality } from '../app/partial.ts';
import type { Session } from '../app/session.ts';
import { hiddenCount } from '../app/visibility.ts';
import type { RunRecord, SummarizedRun } from '../core/run/record.ts';
import type { Notice } from './notices.ts';
import { strings } from './strings.ts';

const words = strings.notices;

/** What there is to say of the run that is shown: where it comes from, and what it lacks. */
export function runNotices(session: Session): readonly Notice[] {
  const { state } = session;
  const saving = session.savingFailed === undefined ? [] : [savingNotice(session.savingFailed)];
  switch (state.kind) {
    case 'empty':
    case 'cancelling':
      return saving;
    case 'running':
      return [...saving, ...hiddenNotices(state.store.record())];
    case 'measured': {
      const record = state.store.record();
      return [...saving, ...partialNotices(record), ...hiddenNotices(record)];
    }
    case 'restored': {
      const record = state.store.record();
      return [restoredNotice(record), ...partialNotices(record), ...hiddenNotices(record)];
    }
    case 'opened': {
      const record = state.store.record();
      return [
        openedNotice(record, state.fileName),
        ...partialNotices(record),
        ...hiddenNotices(record),
      ];
    }
    case 'shared':
      return [sharedNotice(state.shared)];
    case 'refused':
      return [
        {
          id: 'link',
          level: 'error',
          title: words.linkTitle,
          lines: [...state.errors.map(inputErrorText), words.linkAdvice],
        },
      ];
  }
}

function measuredBy({ startedAt, app }: Pick<SummarizedRun, 'startedAt' | 'app'>): string {
  return words.measuredBy(dateText(startedAt), `${app.version} (${app.commit})`);
}

/** `2026-01-31 12:00 UTC` */
export function dateText(startedAt: string): string {
  return `${startedAt.slice(0, 10)} ${startedAt.slice(11, 16)} UTC`;
}

function openedNotice(record: RunRecord, fileName: string): Notice {
  const name = record.label === undefined ? fileName : `${record.label} (${fileName})`;
  return { id: 'opened', level: 'note', title: words.opened(name), lines: [measuredBy(record)] };
}

function sharedNotice(shared: SummarizedRun): Notice {
  const { label } = shared;
  return {
    id: 'shared',
    level: 'note',
    title: label === undefined ? words.shared : words.sharedNamed(label),
    lines: [measuredBy(shared), words.sharedAdvice],
  };
}

function restoredNotice(record: RunRecord): Notice {
  return { id: 'restored', level: 'note', title: words.restored, lines: [measuredBy(record)] };
}

function partialNotices(record: RunRecord): readonly Notice[] {
  const why = partiality(record);
  if (why === undefined) return [];
  return [{ id: 'partial', level: 'note', title: words.partial, lines: [words.partialWhy[why]] }];
}

function hiddenNotices(record: RunRecord): readonly Notice[] {
  const count = hiddenCount(record.events);
  if (count === 0) return [];
  return [{ id: 'hidden', level: 'note', title: words.hidden, lines: [words.hiddenAdvice(count)] }];
}

function savingNotice(error: unknown): Notice {
  return {
    id: 'saving',
    level: 'error',
    title: words.saving,
    lines: [words.savingAdvice, String(error)],
  };
}
