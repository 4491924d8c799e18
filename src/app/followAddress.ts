import type { RunHistory } from './history.ts';
import type { Navigation } from './navigation.ts';
import type { Session } from './session.ts';

/**
 * Shows what the address asks for: the run of its link and, without one, the last run of this
 * browser. Follows the address as it changes; a run under way is left alone.
 */
export async function followAddress(
  session: Session,
  navigation: Navigation,
  history: Promise<RunHistory>,
): Promise<void> {
  let shown: string | undefined;
  async function follow(): Promise<void> {
    const { link } = navigation.address;
    if (link === shown) return;
    if (session.busy) {
      // The run that is under way stays on the page, and the address says so.
      if (link !== undefined) navigation.replace({ link: undefined });
      return;
    }
    shown = link;
    if (link === undefined) {
      session.clear();
      await restoreLast();
    } else await open(link);
  }

  async function open(link: string): Promise<void> {
    const { decodeLink } = await import('../core/run/link.ts');
    const parsed = await decodeLink(link);
    if (navigation.address.link !== link || session.busy) return;
    if (parsed.kind === 'ok') session.share(parsed.value);
    else session.refuse(parsed.errors);
  }

  async function restoreLast(): Promise<void> {
    const opened = await history;
    const [last] = await opened.list();
    const record = last && (await opened.get(last.id));
    if (record) session.restore(record);
  }

  navigation.subscribe(() => void follow());
  if (navigation.address.link === undefined) await restoreLast();
  else await follow();
}
