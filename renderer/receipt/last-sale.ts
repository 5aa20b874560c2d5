const ENTRY = 'paydesk.lastSale';
const TRANSACTION_ID = /^txn_[0-9a-z]{1,40}$/;

type Kept = Pick<Storage, 'getItem' | 'setItem'>;

/** Remembers the last sale of this workstation by its id, so that F8 finds it. */
export function noteSale(transactionId: string, storage: Kept = localStorage): void {
  storage.setItem(ENTRY, transactionId);
}

/** The id of the last sale made here; null when there was none. */
export function lastSale(storage: Kept = localStorage): string | null {
  const kept = storage.getItem(ENTRY);
  return kept !== null && TRANSACTION_ID.test(kept) ? kept : null;
}
