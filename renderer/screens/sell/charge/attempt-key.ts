/**
 * Idempotency key of the sale in the form. It is stored before the first request, so that a reloaded page knows about a pending charge. It
 * contains no card data.
 */
interface AttemptKeys {
  /** Returns the key to send with: the same one until `discard`. */
  readonly current: () => string;
  /** Returns true if a charge was sent under the present key, so that its outcome is not known. */
  readonly isUsed: () => boolean;
  /** Discards the key after the outcome is known, so that the next charge gets a new one. */
  readonly discard: () => void;
}

const STORAGE_KEY = 'paydesk.sale.attempt';

export function attemptKeys(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>, newKey: () => string): AttemptKeys {
  let key: string | null = null;
  return {
    current: () => {
      key ??= newKey();
      storage.setItem(STORAGE_KEY, key);
      return key;
    },
    isUsed: () => key !== null,
    discard: () => {
      key = null;
      storage.removeItem(STORAGE_KEY);
    },
  };
}

/** Returns true if this page sent a charge and was closed before the outcome was known; clears that record. */
export function takeInterruptedCharge(storage: Pick<Storage, 'getItem' | 'removeItem'>): boolean {
  const wasInterrupted = storage.getItem(STORAGE_KEY) !== null;
  storage.removeItem(STORAGE_KEY);
  return wasInterrupted;
}
