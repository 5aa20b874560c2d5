import { type Actor, amountAboveLimit, money, parseMoney, ServiceError, storedCurrency } from '#core/kernel';
import { checkOutcomes, findOrder } from './change.ts';
import type { Dependencies } from './dependencies.ts';
import type { RefundProposal } from './records.ts';
import { ORDER_PAYMENTS } from './schema.ts';
import { storedPayments } from './stored-payments.ts';

/**
 * Proposes the refunds of an order by original payment: each gets its share of the amount, and none more than what remains of its payment. Nothing is
 * refunded. @throws ServiceError NOT_FOUND; ALREADY_REFUNDED; RESOURCE_CONFLICT; INVALID_AMOUNT with `details.refundableAmount`.
 */
export async function proposeRefund(
  deps: Dependencies,
  actor: Actor,
  orderId: string,
  input: { readonly amount?: string },
): Promise<RefundProposal> {
  const order = await findOrder(deps, actor, orderId);
  checkOutcomes(order);
  const currency = storedCurrency(order.currency);
  const read = deps.database.read(actor.tenantId);
  const shares = await read.find(ORDER_PAYMENTS, { order_id: orderId }, { orderBy: [['id', 'asc']] });
  const paid = shares.filter(({ state }) => state === 'paid');
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
  if (total.minor === 0) throw new ServiceError('ALREADY_REFUNDED', 'Nothing of this order can be refunded.', { details: { orderId } });
  const amount = input.amount === undefined ? total : parseMoney(input.amount, currency);
  if (amount.minor > total.minor)
    throw amountAboveLimit('The refund exceeds what remains of the payments.', { refundableAmount: total, requestedAmount: amount });
  const parts = proposedShares(
    payments.map(({ left }) => left),
    amount.minor,
  );
  const refunds = payments.map(({ id, kind, left }, index) => ({
    paymentId: id,
    kind,
    amount: money(parts[index] ?? 0, currency),
    refundableAmount: money(left, currency),
  }));
  return { orderId, currency, amount, refundableAmount: total, refunds: refunds.filter((refund) => refund.amount.minor > 0) };
}

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
