import type { Work } from '#core/database';
import { type Actor, type Currency, isId, type Money, money, type RefundFacts, toNumber } from '#core/kernel';
import type { RefundTarget } from '#core/sales/gift-cards';
import type { Dependencies } from './dependencies.ts';
import { ORDER_PAYMENTS } from './schema.ts';

export interface StoreCreditPlan {
  readonly merchantId: string;
  readonly currency: Currency;
  readonly amount: Money;
  readonly orderId: string | null;
  /** Shares of the payments, the largest first: an approval of it covers the others. */
  readonly shares: readonly { readonly paymentId: string; readonly amount: Money }[];
}

export const isTender = (paymentId: string) => isId('tnd', paymentId);

/**
 * Locks the payments of a refund to store credit, with the others of its order, and checks that the refund needs no second person: callers who may not give
 * gift cards alone need one, because money would leave the card of the customer for a code that the caller sees. The rule for refunds compares what is
 * returned of all payments of the order, so that shares are not below its limit. @throws ApprovalRequired.
 */
export async function lockAndApprove(
  deps: Dependencies,
  work: Work,
  actor: Actor,
  { merchantId, currency, amount, orderId, shares }: StoreCreditPlan,
  { target, reason }: { readonly target: RefundTarget; readonly reason: string | null },
): Promise<void> {
  const named = orderId === null ? [] : await work.find(ORDER_PAYMENTS, { order_id: orderId });
  const ofOrder = named.some(({ id }) => id === shares[0]?.paymentId) ? named : [];
  const facts = new Map<string, RefundFacts>();
  // Payments are locked in one order, and before the order that they pay.
  for (const id of [...new Set([...shares.map(({ paymentId }) => paymentId), ...ofOrder.map(({ id }) => id)])].sort())
    facts.set(id, await (isTender(id) ? deps.tenders : deps.payments).lockForRefund(work, id));
  const returned = [...facts.values()].reduce((sum, { returnedMinor }) => sum + returnedMinor, 0);
  const refunded = shares.map((share) => ({ amount: toNumber(share.amount), ...facts.get(share.paymentId)?.details }));
  const [first] = shares;
  const payment = `${isTender(first?.paymentId ?? '') ? 'tenders' : 'transactions'}/${first?.paymentId}`;
  const isAlone = shares.length === 1;
  const subject = {
    merchantId,
    amount,
    details: {
      action: 'store_credit.refunded',
      ...(isAlone && first ? facts.get(first.paymentId)?.details : { payments: refunded }),
      ...(ofOrder.length > 0 && { orderId }),
      ...target.facts,
      reason,
    },
  };
  await deps.checkApproval(work, actor, {
    ...subject,
    kind: 'gift_card',
    resource: isAlone ? payment : `orders/${orderId}`,
  });
  await deps.checkApproval(work, actor, {
    ...subject,
    kind: 'refund',
    resource: ofOrder.length > 0 ? `orders/${orderId}` : payment,
    total: money(returned + amount.minor, currency),
  });
}
