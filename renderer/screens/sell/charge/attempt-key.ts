/**
 * Idempotency key of the form's present sale. It is stored before the first request, so that a reloaded page knows about a charge under
 * way; it contains no card data.
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

/** Returns true if this page sent a charge without learning its outcome, and forgets it. */
export function takeInterrupted(storage: Pick<Storage, 'getItem' | 'removeItem'>): boolean {
  const interrupted = storage.getItem(ENTRY) !== null;
  storage.removeItem(ENTRY);
  return interrupted;
}
