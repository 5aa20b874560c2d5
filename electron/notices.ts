import { Notification } from 'electron';
import type { Notice } from './bridge/index.ts';

/**
 * Notices on screen, referenced so that they are not garbage-collected: a collected notice cannot be clicked. Some systems never report
 * that a notice is gone.
 */
const shown = new Set<Notification>();
const SHOWN_MAX = 50;

/** Shows a notice of the system's own, where it has any; a click calls back. */
export function showNotice({ title, body }: Pick<Notice, 'title' | 'body'>, onClick: () => void): void {
  if (!Notification.isSupported()) return;
  const notice = new Notification({ title, body });
  shown.add(notice);
  const [oldest] = shown;
  if (shown.size > SHOWN_MAX && oldest !== undefined) shown.delete(oldest);
  notice.once('close', () => shown.delete(notice));
  notice.once('click', () => {
    shown.delete(notice);
    onClick();
  });
  notice.show();
}
