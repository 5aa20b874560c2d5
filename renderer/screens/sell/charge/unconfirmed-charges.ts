import { createJSONStorage, persist } from 'zustand/middleware';
import { createStore } from '#renderer/base/module-state';

/** A charge whose outcome is not known yet. It names the payment method by its last four digits, never by its number. */
export interface UnconfirmedCharge {
  readonly transactionId: string;
  /** Amount as the API expects it. */
  readonly amount: string;
  readonly currency: string;
  /** Display text, such as "Visa ••6975". */
  readonly methodLabel: string;
  /** Reason for the unknown outcome: the response was lost, or the processor holds the payment for review. */
  readonly reason: 'no-response' | 'held';
  /** Card reader on which the customer pays while the screen waits; absent after the clerk turned to the next customer. */
  readonly reader?: { readonly terminalId: string; readonly name: string };
  /** Time of the request according to the service; absent if only this tab knows the charge. */
  readonly since?: string;
}

interface UnconfirmedCharges {
  readonly open: readonly UnconfirmedCharge[];
  readonly add: (charge: UnconfirmedCharge) => void;
  readonly remove: (transactionId: string) => void;
}

/**
 * Unconfirmed charges of this tab. They survive a change of screen and a reload, so that the same card is not charged twice in the
 * meantime.
 */
export const useUnconfirmedCharges = createStore<UnconfirmedCharges>()(
  persist(
    (set) => ({
      open: [],
      add: (charge) =>
        set(({ open }) => ({ open: [...open.filter(({ transactionId }) => transactionId !== charge.transactionId), charge] })),
      remove: (transactionId) => set(({ open }) => ({ open: open.filter((charge) => charge.transactionId !== transactionId) })),
    }),
    { name: 'paydesk.unconfirmed', version: 1, storage: createJSONStorage(() => sessionStorage), partialize: ({ open }) => ({ open }) },
  ),
);

/** Description of a charge whose transaction is not known yet. */
export type PendingCharge = Pick<UnconfirmedCharge, 'amount' | 'currency' | 'methodLabel'>;

/** Returns the unconfirmed charge with the same payment method and amount, or undefined. */
export function findSameCharge(open: readonly UnconfirmedCharge[], charge: PendingCharge): UnconfirmedCharge | undefined {
  return open.find((unconfirmed) => isSameCharge(unconfirmed, charge));
}

export function isSameCharge(first: PendingCharge, second: PendingCharge): boolean {
  return first.amount === second.amount && first.currency === second.currency && first.methodLabel === second.methodLabel;
}
