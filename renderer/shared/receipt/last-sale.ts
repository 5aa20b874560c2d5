const STORAGE_KEY = 'paydesk.lastSale';
const SALE_ID = /^(?:txn|tnd)_[0-9a-z]{1,40}$/;

type SaleStorage = Pick<Storage, 'getItem' | 'setItem'>;

/** Stores the ID of the last sale, a transaction or a tender, of this workstation, so that F8 can reprint its receipt. */
export function rememberSale(id: string, storage: SaleStorage = localStorage): void {
  storage.setItem(STORAGE_KEY, id);
}

/** Returns the ID of the last sale of this workstation; null if there was none. */
export function lastSale(storage: SaleStorage = localStorage): string | null {
  const stored = storage.getItem(STORAGE_KEY);
  return stored !== null && SALE_ID.test(stored) ? stored : null;
}
