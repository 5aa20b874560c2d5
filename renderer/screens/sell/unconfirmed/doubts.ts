import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';

/** A charge whose outcome is not known yet. It names the means of payment by its last four signs, never by its number. */
export interface Doubt {
  readonly transactionId: string;
  /** Amount as the API expects it. */
  readonly amount: string;
  readonly currency: string;
  /** Display text: Visa ending in 6975. */
  readonly means: string;
  /** Reason for the unknown outcome: the answer was lost, or the processor holds the payment for review. */
  readonly reason: 'lost' | 'held';
  /** Time of the request according to the service; absent if only this tab knows the charge. */
  readonly since?: string;
}

interface Doubts {
  readonly open: readonly Doubt[];
  readonly add: (doubt: Doubt) => void;
  readonly settle: (transactionId: string) => void;
}

/**
 * Unconfirmed charges of this tab. They survive a change of screen and a reload, so that the same card is not charged twice in the
 * meantime.
 */
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
