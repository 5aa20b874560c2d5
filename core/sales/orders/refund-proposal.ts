import { type Actor, amountAboveLimit, money, parseMoney, ServiceError, storedCurrency } from '#core/kernel';
import type { Merchant } from '#core/processing/merchants';
import { checkOutcomes, findOrder } from './change.ts';
import type { Dependencies } from './dependencies.ts';
import type { RefundProposal } from './records.ts';
import { ORDER_PAYMENTS, type OrderPaymentRow } from './schema.ts';
import { storedPayments } from './stored-payments.ts';

/**
 * Proposes the refunds of an order by original payment: each gets its share of the amount, and none more than what remains of its payment. Nothing is
 * refunded. @throws ServiceError NOT_FOUND; ALREADY_REFUNDED; NOT_REFUNDABLE if only excluded payments remain; RESOURCE_CONFLICT; INVALID_AMOUNT with `details.refundableAmount`.
 */
export async function proposeRefund(
  deps: Dependencies,
  actor: Actor,
  orderId: string,
  input: { readonly amount?: string },
  isIncluded: (share: OrderPaymentRow) => boolean = () => true,
): Promise<RefundProposal> {
  const order = await findOrder(deps, actor, orderId);
  checkOutcomes(order);
  const currency = storedCurrency(order.currency);
  const read = deps.database.read(actor.tenantId);
  const shares = await read.find(ORDER_PAYMENTS, { order_id: orderId }, { orderBy: [['id', 'asc']] });
  const allPaid = shares.filter(({ state }) => state === 'paid');
  const paid = allPaid.filter(isIncluded);
  const refundable = new Map(
    (
      await storedPayments(
        read,
        paid.map(({ id }) => id),
      )
    ).map((payment) => [payment.id, payment.refundable]),
  );
  const payments = paid.map(({ id, kind }) => ({ id, kind, left: refundable.get(id) ?? 0 })).filter(({ left }) => left > 0);
  const total = money(
    payments.reduce((sum, { left }) => sum + left, 0),
    currency,
  );
  if (total.minor === 0 && paid.length < allPaid.length)
    throw new ServiceError('NOT_REFUNDABLE', 'Nothing more of this order can become store credit. Refund its other payments one by one.', {
      details: { reason: 'payment_kinds', orderId },
    });
  if (total.minor === 0) throw new ServiceError('ALREADY_REFUNDED', 'Nothing of this order can be refunded.', { details: { orderId } });
  const amount = input.amount === undefined ? total : parseMoney(input.amount, currency);
  if (amount.minor > total.minor)
    throw amountAboveLimit('The refund exceeds what remains of the payments.', { refundableAmount: total, requestedAmount: amount });
  const { vtSettings } = await deps.merchantFor(actor, order.merchant_id);
  const parts = sharesOf(payments, amount.minor, vtSettings.giftCardRefunds);
  const refunds = payments.map(({ id, kind, left }, index) => ({
    paymentId: id,
    kind,
    amount: money(parts[index] ?? 0, currency),
    refundableAmount: money(left, currency),
  }));
  return { orderId, currency, amount, refundableAmount: total, refunds: refunds.filter((refund) => refund.amount.minor > 0) };
}

interface RefundablePayment {
  readonly kind: string;
  /** Amount that can still be refunded, in minor units. */
  readonly left: number;
}

/** Divides an amount among payments; gift cards get their shares in proportion, or before or after all others. In minor units. */
function sharesOf(payments: readonly RefundablePayment[], amount: number, giftCards: Merchant['vtSettings']['giftCardRefunds']): number[] {
  if (giftCards === 'proportional') return proposedShares(leftOf(payments), amount);
  const isFirst = ({ kind }: RefundablePayment) => (kind === 'gift_card') === (giftCards === 'first');
  const [first, last] = [payments.filter(isFirst), payments.filter((payment) => !isFirst(payment))];
  const toFirst = Math.min(
    amount,
    leftOf(first).reduce((sum, left) => sum + left, 0),
  );
  const shares = [proposedShares(leftOf(first), toFirst), proposedShares(leftOf(last), amount - toFirst)];
  return payments.map((payment) => shares[isFirst(payment) ? 0 : 1]?.shift() ?? 0);
}

const leftOf = (payments: readonly RefundablePayment[]) => payments.map(({ left }) => left);

/** Divides an amount in proportion to what is left of each payment; the cents that remain go to the first ones with room. All in minor units. */
function proposedShares(left: readonly number[], amount: number): number[] {
  const total = left.reduce((sum, minor) => sum + minor, 0);
  const shares = left.map((minor) => Number((BigInt(amount) * BigInt(minor)) / BigInt(total)));
  let rest = amount - shares.reduce((sum, minor) => sum + minor, 0);
  return shares.map((minor, index) => {
    const more = Math.min(rest, (left[index] ?? 0) - minor);
    rest -= more;
    return minor + more;
  });
}
