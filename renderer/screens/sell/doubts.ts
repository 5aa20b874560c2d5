import { create } from 'zustand';

/** A charge whose outcome is not known yet. It names the means of payment by its last four signs, never by its number. */
export interface Doubt {
  readonly transactionId: string;
  /** As the API takes it. */
  readonly amount: string;
  readonly currency: string;
  /** For people: Visa ending in 6975. */
  readonly means: string;
}

interface Doubts {
  readonly open: readonly Doubt[];
  readonly add: (doubt: Doubt) => void;
  readonly settle: (transactionId: string) => void;
}

/** Charges in doubt on this page. They outlive a change of screen, so that nobody charges the same card twice meanwhile. */
export const useDoubts = create<Doubts>()((set) => ({
  open: [],
  add: (doubt) => set(({ open }) => ({ open: [...open.filter(({ transactionId }) => transactionId !== doubt.transactionId), doubt] })),
  settle: (transactionId) => set(({ open }) => ({ open: open.filter((doubt) => doubt.transactionId !== transactionId) })),
}));

/** The open doubt that the same means and amount would repeat. */
export function sameCharge(open: readonly Doubt[], charge: Pick<Doubt, 'amount' | 'currency' | 'means'>): Doubt | undefined {
  return open.find(({ amount, currency, means }) => amount === charge.amount && currency === charge.currency && means === charge.means);
}
