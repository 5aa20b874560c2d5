import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';

/** A charge whose outcome is not known yet. It names the means of payment by its last four signs, never by its number. */
export interface Doubt {
  readonly transactionId: string;
  /** As the API takes it. */
  readonly amount: string;
  readonly currency: string;
  /** For people: Visa ending in 6975. */
  readonly means: string;
  /** Why the outcome is open: the answer was lost, or the processor holds the payment for review. */
  readonly reason: 'lost' | 'held';
  /** When it was sent, as the service told; absent of one that only this tab knows. */
  readonly since?: string;
}

interface Doubts {
  readonly open: readonly Doubt[];
  readonly add: (doubt: Doubt) => void;
  readonly settle: (transactionId: string) => void;
}

/** Charges in doubt in this tab. They outlive a change of screen and a reload, so that nobody charges the same card twice meanwhile. */
export const useDoubts = create<Doubts>()(
  persist(
    (set) => ({
      open: [],
      add: (doubt) => set(({ open }) => ({ open: [...open.filter(({ transactionId }) => transactionId !== doubt.transactionId), doubt] })),
      settle: (transactionId) => set(({ open }) => ({ open: open.filter((doubt) => doubt.transactionId !== transactionId) })),
    }),
    { name: 'paydesk.doubts', version: 1, storage: createJSONStorage(() => sessionStorage), partialize: ({ open }) => ({ open }) },
  ),
);

/** The open doubt that the same means and amount would repeat. */
export function sameCharge(open: readonly Doubt[], charge: Means): Doubt | undefined {
  return open.find((doubt) => isSame(doubt, charge));
}

type Means = Pick<Doubt, 'amount' | 'currency' | 'means'>;

export function isSame(one: Means, other: Means): boolean {
  return one.amount === other.amount && one.currency === other.currency && one.means === other.means;
}
