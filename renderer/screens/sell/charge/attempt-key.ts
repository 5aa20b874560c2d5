/**
 * The Idempotency-Key of the form's present life. It is written down before the first send, so that a page that is
 * loaded anew knows that a charge was under way; it names no card.
 */
interface AttemptKeys {
  /** The key to send with: the same until `finish`. */
  readonly open: () => string;
  /** The outcome is known: the next charge is another one. */
  readonly finish: () => void;
}

const ENTRY = 'paydesk.sale.attempt';

export function attemptKeys(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>, newKey: () => string): AttemptKeys {
  let key: string | null = null;
  return {
    open: () => {
      key ??= newKey();
      storage.setItem(ENTRY, key);
      return key;
    },
    finish: () => {
      key = null;
      storage.removeItem(ENTRY);
    },
  };
}

/** Whether a charge was sent from this page whose outcome the page never learnt; forgets it. */
export function takeInterrupted(storage: Pick<Storage, 'getItem' | 'removeItem'>): boolean {
  const interrupted = storage.getItem(ENTRY) !== null;
  storage.removeItem(ENTRY);
  return interrupted;
}
