import type { Credential } from './shapes.ts';

/** What tabs of this page tell each other. Messages stay within the browser and this origin. */
interface TabMessage {
  readonly kind: 'renewed';
  readonly credential: Credential;
}

const channel = new BroadcastChannel('paydesk');
const RENEWAL_LOCK = 'paydesk.renewal';

export function tellTabs(message: TabMessage): void {
  channel.postMessage(message);
}

/** Calls back for each message of another tab, never for one's own. */
export function whenTabTells(tell: (message: TabMessage) => void): void {
  channel.addEventListener('message', (event: MessageEvent<TabMessage>) => tell(event.data));
}

/**
 * Does the work while no other tab does the same. What the tab before told is heard first: a message sent before the lock
 * was given up is delivered within a turn of the event loop.
 */
export function underTabLock<Result>(work: () => Promise<Result>): Promise<Result> {
  // Without TLS, on a page from another machine, there are no locks; then each tab is on its own.
  if (!('locks' in navigator)) return work();
  return navigator.locks.request(RENEWAL_LOCK, async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return work();
  });
}
