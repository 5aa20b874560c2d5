import type { Work } from '#core/database';
import {
  amountAboveLimit,
  dateIn,
  isoTime,
  type Money,
  money,
  ServiceError,
  storedCurrency,
  type TenantTime,
  timeAfter,
} from '#core/kernel';
import type { ChangeEvents, ShiftPlace } from '#core/processing/domain-events';
import type { AuditActor } from '#core/records/audit';
import { balanceOf, partsOfShare, remainingOf } from './balance.ts';
import { checkHolder, checkIsOpen } from './change.ts';
import type { Dependencies } from './dependencies.ts';
import { claimLines, partsOfLines, storedClaims } from './lines.ts';
import { orderMoney, pendingRefundsOf } from './money.ts';
import { announce, orderNotFound } from './order.ts';
import { ORDER_PAYMENTS, ORDERS, type OrderPaymentRow, type OrderRow } from './schema.ts';
import { orderPartOf } from './stored-payments.ts';

/**
 * Reserves the share of a payment in the commit of its intent, so that parallel payments never exceed the order. @throws ServiceError NOT_FOUND;
 * VALIDATION_ERROR for another currency; RESOURCE_CONFLICT unless the order is open, for the last payment while a refund is pending, and for a line that
 * another payment pays; INVALID_AMOUNT with `details.remainingAmount`.
 */
export async function paymentStarted(deps: Dependencies, work: Work, event: ChangeEvents['order-payment.started']): Promise<void> {
  const { orderId, merchantId, amount, tenantId } = event;
  const order = await work.lockOne(ORDERS, { id: orderId });
  if (order === null || order.merchant_id !== merchantId) throw orderNotFound(orderId, 'orderId');
  checkIsOpen(order);
  checkHolder(order, event.actor);
  if (order.currency !== amount.currency)
    throw new ServiceError('VALIDATION_ERROR', `This order is in ${order.currency}.`, { field: 'currency', details: { orderId } });
  const shares = await work.find(ORDER_PAYMENTS, { order_id: orderId });
  const remaining = remainingOf({ ...order, ...balanceOf(shares) });
  if (amount.minor > remaining)
    throw amountAboveLimit('The payment exceeds the remaining amount of its order.', {
      remainingAmount: money(remaining, amount.currency),
      requestedAmount: amount,
    });
  if (amount.minor === remaining) await refuseWhileRefunding(work, order, shares);
  if (event.kind === 'gift_card') await refuseGiftCardForGiftCard(deps, work, order, shares, amount);
  const claims = claimLines(order, shares, event);
  const parts = partsOfShare(order, shares, amount.minor, partsOfLines(order, shares, claims));
  const now = timeAfter(deps.clockOf(tenantId).now(), order.updated_at);
  const share: OrderPaymentRow = {
    tenant_id: tenantId,
    order_id: orderId,
    id: event.paymentId,
    kind: event.kind,
    state: 'reserved',
    share_minor: amount.minor,
    tax_minor: parts.taxMinor,
    discount_minor: parts.discountMinor,
    lines: storedClaims(claims),
    returned_minor: 0,
    refunded_minor: 0,
    created_at: isoTime(now),
  };
  work.insert(ORDER_PAYMENTS, share);
  const set = { ...balanceOf([...shares, share]), updated_at: isoTime(now) };
  await work.update(ORDERS, { id: orderId }, set);
  const earlierCash = shares.filter(({ kind }) => kind === 'cash').map(({ id }) => id);
  event.assign({ ...parts, discountApprovedBy: order.discount_approved_by, earlierCash });
  work.afterCommit(() => deps.changed(tenantId, 'orders', merchantId));
}

/** An order is not paid while money of its payments is leaving, or the goods leave without their price. @throws ServiceError RESOURCE_CONFLICT. */
async function refuseWhileRefunding(work: Work, { id: orderId, currency }: OrderRow, shares: readonly OrderPaymentRow[]): Promise<void> {
  const pendingMinor = await pendingRefundsOf(work, shares);
  if (pendingMinor === 0) return;
  throw new ServiceError('RESOURCE_CONFLICT', 'A refund of this order is pending. Wait for its outcome before you take the last payment.', {
    details: { reason: 'refund_pending', orderId, pendingRefunds: money(pendingMinor, storedCurrency(currency)) },
  });
}

/** Gift cards pay the other goods of an order only, or the money of a stolen one moves to a new code. @throws ServiceError INVALID_AMOUNT. */
async function refuseGiftCardForGiftCard(
  deps: Dependencies,
  work: Work,
  order: OrderRow,
  shares: readonly OrderPaymentRow[],
  amount: Money,
): Promise<void> {
  const sold = await deps.giftCards.soldByOrder(work, order.id);
  if (sold === 0) return;
  const { reserved_minor, paid_minor } = balanceOf(shares.filter(({ kind }) => kind === 'gift_card'));
  const payable = Math.max(0, order.amount_minor - sold - reserved_minor - paid_minor);
  if (amount.minor <= payable) return;
  throw amountAboveLimit('Gift cards and store credit cannot pay for gift cards. Take another payment for the gift cards of this order.', {
    reason: 'gift_card_for_gift_card',
    orderId: order.id,
    payableAmount: money(payable, amount.currency),
    requestedAmount: amount,
  });
}

/** Records the outcome of a payment in the commit of the outcome: an approved payment pays its share, any other one gives it back. */
export async function paymentDecided(deps: Dependencies, work: Work, event: ChangeEvents['order-payment.decided']): Promise<void> {
  const { approved } = event;
  if (approved !== null) event.assign(await orderPartOf(work, event));
  await changeShare(deps, work, event, ({ state }) => {
    if (state !== 'reserved') return null;
    if (approved === null) return { state: 'released' };
    return { state: 'paid', share_minor: approved.shareMinor, tax_minor: approved.taxMinor, discount_minor: approved.discountMinor };
  });
}

/**
 * Records that money of a payment went back. A void and a returned payment give the share back, so that it can be paid again; so does a refund while the
 * order is not paid. A refund of a paid order leaves it paid.
 */
export async function paymentReturned(deps: Dependencies, work: Work, event: ChangeEvents['order-payment.returned']): Promise<void> {
  event.assign?.(await orderPartOf(work, event));
  await changeShare(deps, work, event, (share, order) => {
    const { share_minor: whole, returned_minor: returned, refunded_minor: refunded, state } = share;
    if (state !== 'paid') return null;
    const left = whole - returned - refunded;
    const more = Math.min(event.refundedMinor ?? left, left);
    if (more <= 0) return null;
    const isRefundOfPaid = event.refundedMinor !== null && order.status === 'paid';
    return isRefundOfPaid ? { refunded_minor: refunded + more } : { returned_minor: returned + more };
  });
}

/**
 * Takes the gift cards back that a paid order sold, before a refund or a void of its payments is sent and if they were charged back, and loads them again if
 * the attempt had no effect or the chargeback was reversed. An order that waited for the attempt is paid then.
 * @throws ServiceError NOT_REFUNDABLE if one was spent, and for a credit while the order is open.
 */
export async function paymentReturning(deps: Dependencies, work: Work, event: ChangeEvents['order-payment.returning']): Promise<void> {
  const { orderId, place, actor } = event;
  const order = await work.lockOne(ORDERS, { id: orderId });
  if (order === null) return;
  if (event.isCredit && order.status === 'open')
    throw new ServiceError('NOT_REFUNDABLE', 'The order of this payment is open. Refund the payment, so that its order counts the money.', {
      details: { reason: 'order_open', orderId },
    });
  const isReturn = event.returningMinor !== 0;
  if (!isReturn && order.status === 'open') return changeShare(deps, work, event, () => ({}));
  await deps.giftCards.settleOrder(work, {
    orderId,
    place,
    actor,
    money: () => orderMoney(work, order, event),
    canRefuse: isReturn,
    canLoad: !isReturn,
  });
}

interface ShareEvent {
  readonly tenantId: string;
  readonly orderId: string;
  readonly paymentId: string;
  readonly place: ShiftPlace;
  readonly actor: AuditActor;
}

/** Changes a share under the lock of its order, and the order with it. An order that does not know the payment stays unchanged. */
async function changeShare(
  deps: Dependencies,
  work: Work,
  { tenantId, orderId, paymentId, place, actor }: ShareEvent,
  changesOf: (share: OrderPaymentRow, order: OrderRow) => Partial<OrderPaymentRow> | null,
): Promise<void> {
  const order = await work.lockOne(ORDERS, { id: orderId });
  if (order === null) return;
  const shares = await work.find(ORDER_PAYMENTS, { order_id: orderId });
  const share = shares.find(({ id }) => id === paymentId);
  const changes = share === undefined ? null : changesOf(share, order);
  if (changes === null) return;
  if (Object.keys(changes).length > 0) await work.update(ORDER_PAYMENTS, { order_id: orderId, id: paymentId }, changes);
  const balance = balanceOf(shares.map((each) => (each.id === paymentId ? { ...each, ...changes } : each)));
  const now = timeAfter(deps.clockOf(tenantId).now(), order.updated_at);
  const next = { ...order, ...balance, updated_at: isoTime(now) };
  const step = await stepOf(deps, work, next, shares, now);
  const row = { ...next, ...step.set };
  await work.update(ORDERS, { id: orderId }, { ...balance, ...step.set, updated_at: row.updated_at });
  await deps.giftCards.settleOrder(work, {
    orderId,
    place,
    actor,
    money: () => orderMoney(work, row),
    canRefuse: false,
    canLoad: share?.state === 'reserved' || step.event === 'order.paid',
  });
  if (step.event !== null) announce(deps, work, step.event, { row, actor, atMs: now });
  else work.afterCommit(() => deps.changed(tenantId, 'orders', order.merchant_id));
}

/** Returns the change of status that a changed balance causes, with its event. */
async function stepOf(
  deps: Dependencies,
  work: Work,
  row: OrderRow,
  shares: readonly OrderPaymentRow[],
  now: TenantTime,
): Promise<{ readonly event: 'order.paid' | 'order.reopened' | null; readonly set: Partial<OrderRow> }> {
  if (row.status === 'open' && row.paid_minor === row.amount_minor && (await pendingRefundsOf(work, shares)) === 0) {
    const { timezone } = await deps.merchantFor({ tenantId: row.tenant_id, merchantId: null }, row.merchant_id);
    return { event: 'order.paid', set: { status: 'paid', paid_at: isoTime(now), paid_day: dateIn(timezone, now) } };
  }
  if (row.status === 'paid' && row.paid_minor < row.amount_minor)
    return { event: 'order.reopened', set: { status: 'open', paid_at: null, paid_day: null, resumed_by: null } };
  return { event: null, set: {} };
}
