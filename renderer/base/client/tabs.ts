import type { Credential } from './shapes.ts';

/** Message between the tabs of this page. It stays within the browser and this origin. */
interface TabMessage {
  readonly kind: 'renewed';
  readonly credential: Credential;
}

const channel = new BroadcastChannel('paydesk');
const RENEWAL_LOCK = 'paydesk.renewal';

export function postToTabs(message: TabMessage): void {
  channel.postMessage(message);
}

/** Subscribes to messages of other tabs. */
export function onTabMessage(listener: (message: TabMessage) => void): void {
  channel.addEventListener('message', (event: MessageEvent<TabMessage>) => listener(event.data));
}

/**
 * Runs the work while no other tab holds the lock. Messages of the previous holder arrive first: a message that was sent before the release
 * is delivered within one turn of the event loop.
 */
export function underTabLock<Result>(work: () => Promise<Result>): Promise<Result> {
  // The Lock API is missing on a page that comes from another computer without TLS; each tab then works alone.
  if (!('locks' in navigator)) return work();
  return navigator.locks.request(RENEWAL_LOCK, async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return work();
  });
}
