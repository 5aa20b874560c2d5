import type { Credential } from './shapes.ts';

/** Messages between the tabs of this page. They stay within the browser and this origin. */
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
 * Runs the work while no other tab does the same. Messages of the former holder arrive first: a message sent before the lock was released
 * is delivered within one turn of the event loop.
 */
export function underTabLock<Result>(work: () => Promise<Result>): Promise<Result> {
  // Without TLS, on a page from another computer, there are no locks; each tab then works alone.
  if (!('locks' in navigator)) return work();
  return navigator.locks.request(RENEWAL_LOCK, async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return work();
  });
}
