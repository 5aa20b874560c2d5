import { CHANNELS, type SystemNotification } from '../bridge/index.ts';
import { showNotification } from '../notifications.ts';
import { type RegisterHandler, requireThat } from './handler-registry.ts';

const TITLE_MAX = 80;
const BODY_MAX = 200;

/** Registers the handler for system notifications; `openScreen` brings the screen of a clicked notification to the front. */
export function registerNotificationHandler(register: RegisterHandler, openScreen: (path: string) => void): void {
  register(CHANNELS.notify, (input) => {
    const notification = parseNotification(input);
    showNotification(notification, () => openScreen(notification.open));
  });
}

function parseNotification(input: unknown[]): SystemNotification {
  const [notification] = input;
  requireThat(input.length === 1 && typeof notification === 'object' && notification !== null, 'a notification is an object');
  const { title, body, open } = notification as Record<keyof SystemNotification, unknown>;
  requireThat(typeof title === 'string' && title !== '' && title.length <= TITLE_MAX, `title has 1 to ${TITLE_MAX} characters`);
  requireThat(typeof body === 'string' && body.length <= BODY_MAX, `body has at most ${BODY_MAX} characters`);
  requireThat(typeof open === 'string' && /^\/[a-z-]+(\/[\w-]+)?$/.test(open), 'open is a path of a screen');
  return { title, body, open };
}
