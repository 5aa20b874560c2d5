import { Notification } from 'electron';
import type { SystemNotification } from './bridge/index.ts';

/**
 * Notifications on screen, referenced so that they are not garbage-collected: a collected one cannot be clicked. The number is limited,
 * because some systems never report that a notification is closed.
 */
const shownNotifications = new Set<Notification>();
const SHOWN_MAX = 50;

/** Shows a notification of the operating system if it supports them; a click calls `onClick`. */
export function showNotification({ title, body }: Pick<SystemNotification, 'title' | 'body'>, onClick: () => void): void {
  if (!Notification.isSupported()) return;
  const notification = new Notification({ title, body });
  shownNotifications.add(notification);
  const [oldest] = shownNotifications;
  if (shownNotifications.size > SHOWN_MAX && oldest !== undefined) shownNotifications.delete(oldest);
  notification.once('close', () => shownNotifications.delete(notification));
  notification.once('click', () => {
    shownNotifications.delete(notification);
    onClick();
  });
  notification.show();
}
