import type { Read } from '#core/database';
import type { OrderMoney } from '#core/sales/gift-cards';
import { type LeavingMoney, leavingMoney } from '#core/sales/payments';
import { refundedTenders } from '#core/sales/tenders';
import { ORDER_PAYMENTS, type OrderPaymentRow, type OrderRow } from './schema.ts';

/** Money of a payment that is about to be returned; null for its whole share. */
interface Returning {
  readonly paymentId: string;
  readonly returningMinor: number | null;
}

const NOTHING: LeavingMoney = {
  refundingMinor: 0,
  pendingRefundsMinor: 0,
  givenBackMinor: 0,
  disputedMinor: 0,
  isVoiding: false,
  isVoided: false,
};

/** Returns the sum of the pending refunds of these shares, in minor units. */
export async function pendingRefundsOf(read: Read, shares: readonly OrderPaymentRow[]): Promise<number> {
  const leaving = await leavingMoney(
    read,
    shares.filter(({ state }) => state === 'paid').map(({ id }) => id),
  );
  return [...leaving.values()].reduce((sum, { pendingRefundsMinor }) => sum + pendingRefundsMinor, 0);
}

/** Returns the money of an order if its pending refunds and voids, and one that is about to be sent, succeed. */
export async function orderMoney(read: Read, row: OrderRow, returning: Returning | null = null): Promise<OrderMoney> {
  const shares = await read.find(ORDER_PAYMENTS, { order_id: row.id, state: 'paid' });
  const ids = shares.map(({ id }) => id);
  const [leaving, tenders] = [await leavingMoney(read, ids), await refundedTenders(read, ids)];
  const of = (id: string) => leaving.get(id) ?? NOTHING;
  // A void of a payment reopens a paid order, so everything is taken off its gift cards.
  const reopens = row.status === 'paid' && (returning?.returningMinor === null || ids.some((id) => of(id).isVoiding));
  const held = (share: OrderPaymentRow) => heldOf(share, of(share.id));
  const returned = ({ id, share_minor }: OrderPaymentRow) =>
    of(id).isVoided || of(id).isVoiding ? share_minor : of(id).givenBackMinor + (tenders.get(id) ?? 0);
  const sum = (amountOf: (share: OrderPaymentRow) => number) => shares.reduce((total, share) => total + amountOf(share), 0);
  const named = shares.find(({ id }) => id === returning?.paymentId);
  const returningMinor = returning?.returningMinor ?? (returning === null || named === undefined ? 0 : held(named));
  const heldMinor = Math.max(0, sum(held) - returningMinor);
  const missingMinor = row.amount_minor - (reopens ? 0 : heldMinor);
  return {
    amountMinor: row.amount_minor,
    keptMinor: row.status === 'paid' && !reopens ? heldMinor : 0,
    givenBackMinor: reopens ? missingMinor : Math.min(missingMinor, sum(returned) + returningMinor),
    missingMinor,
    returningMinor: returning?.returningMinor ?? 0,
  };
}

const heldOf = (
  { share_minor, returned_minor, refunded_minor }: OrderPaymentRow,
  { refundingMinor, disputedMinor, isVoiding }: LeavingMoney,
) => (isVoiding ? 0 : Math.max(0, share_minor - returned_minor - refunded_minor - refundingMinor - disputedMinor));
