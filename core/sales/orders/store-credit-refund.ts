import type { Work } from '#core/database';
import { type Actor, formatDecimal, type Money, money, parseMoney, ServiceError } from '#core/kernel';
import { runIdempotent } from '#core/platform/idempotency';
import { type RefundTarget, type RefundTargetInput, withFreeCode } from '#core/sales/gift-cards';
import { findOrder } from './change.ts';
import type { Dependencies } from './dependencies.ts';
import type { StoreCreditRefund } from './records.ts';
import { proposeRefund } from './refund-proposal.ts';
import type { OrderPaymentKind } from './schema.ts';
import { isTender, lockAndApprove, type StoreCreditPlan } from './store-credit-approval.ts';
import { storedPayments } from './stored-payments.ts';

export interface StoreCreditRefundInput extends RefundTargetInput {
  /** Transaction or tender. */
  readonly paymentId?: string;
  readonly orderId?: string;
  /** By default everything that can be refunded. */
  readonly amount?: string | number;
  readonly reason?: string;
}

/**
 * Refunds a payment, or the payments of an order, to a gift card or to store credit, in one unit of work. @throws ServiceError as the refunds of the payments;
 * PERMISSION_DENIED for a tender without `tenders:refund`; ApprovalRequired.
 */
export async function refundToStoreCredit(deps: Dependencies, actor: Actor, input: StoreCreditRefundInput): Promise<StoreCreditRefund> {
  const plan = await planOf(deps, actor, input);
  const { merchantId, currency } = plan;
  if (plan.shares.some(({ paymentId }) => isTender(paymentId)) && !actor.permissions.has('tenders:refund'))
    throw new ServiceError('PERMISSION_DENIED', 'Refunds of tenders require `tenders:refund`.', {
      details: { permission: 'tenders:refund' },
    });
  const target = await deps.giftCards.prepareRefundTarget(actor, merchantId, currency, input);
  const shiftId = await deps.shiftOf(actor, merchantId, currency);
  const run = async (work: Work) => ({
    storeCreditRefund: await refundInWork(deps, work, actor, plan, { target, shiftId, reason: input.reason?.trim() || null }),
  });
  const { storeCreditRefund } = await withFreeCode(() => runIdempotent(deps, actor, run, () => true));
  return storeCreditRefund;
}

/** A gift card gets its own money back. Banks can return bank payments and checks after the credit is spent. */
const EXCLUDED_KINDS: ReadonlySet<OrderPaymentKind> = new Set(['gift_card', 'ach', 'check']);

async function refundInWork(
  deps: Dependencies,
  work: Work,
  actor: Actor,
  plan: StoreCreditPlan,
  { target, shiftId, reason }: { readonly target: RefundTarget; readonly shiftId: string | null; readonly reason: string | null },
): Promise<StoreCreditRefund> {
  const { currency, amount, shares } = plan;
  const giftCardId = await deps.giftCards.reserveRefundTarget(work, actor, target);
  await lockAndApprove(deps, work, actor, plan, { target, reason });
  const refunds: { refundId: string; paymentId: string; amount: Money }[] = [];
  for (const share of shares) {
    const { paymentId } = share;
    const shared = { giftCardId, amount: formatDecimal(share.amount) };
    if (isTender(paymentId)) {
      const { refundId } = await deps.tenders.refundToStoreCredit(work, actor, {
        ...shared,
        tenderId: paymentId,
        ...(reason !== null && { reason }),
        ...(actor.drawer && { drawer: actor.drawer }),
      });
      refunds.push({ refundId, paymentId, amount: share.amount });
    } else {
      const { id } = await deps.payments.refundToStoreCredit(work, actor, { ...shared, transactionId: paymentId, reason, shiftId });
      await addToShift(deps, work, actor, target.merchantId, id, share.amount);
      refunds.push({ refundId: id, paymentId, amount: share.amount });
    }
  }
  const giftCard = await deps.giftCards.loadRefundTarget(work, actor, target, giftCardId, refunds);
  return { amount, currency, refunds, giftCard };
}

/** Adds the refund of a card or bank payment to the open shift of the drawer, as a refund to a gift card. */
async function addToShift(deps: Dependencies, work: Work, actor: Actor, merchantId: string, id: string, amount: Money): Promise<void> {
  const { drawer } = actor;
  if (!drawer) return;
  const merchant = await deps.merchantFor(actor, merchantId);
  const now = deps.clockOf(actor.tenantId).now();
  const movement = { id, kind: 'gift_card_refund', drawer, amount, roundingMinor: 0, discountMinor: 0, now } as const;
  await deps.shifts.addTender(work, actor, merchant, movement);
}

/** Returns the shares of the payments. @throws ServiceError NOT_FOUND, VALIDATION_ERROR, ALREADY_REFUNDED, INVALID_AMOUNT. */
async function planOf(deps: Dependencies, actor: Actor, { paymentId, orderId, amount }: StoreCreditRefundInput): Promise<StoreCreditPlan> {
  const order = orderId === undefined ? null : await findOrder(deps, actor, orderId);
  if ((paymentId === undefined) === (orderId === undefined))
    throw new ServiceError('VALIDATION_ERROR', 'Send `paymentId` or `orderId`.', { field: 'paymentId' });
  const read = deps.database.read(actor.tenantId);
  if (order !== null) {
    const proposal = await proposeRefund(
      deps,
      actor,
      order.id,
      { ...(amount !== undefined && { amount: String(amount) }) },
      ({ kind }) => !EXCLUDED_KINDS.has(kind),
    );
    const shares = proposal.refunds.toSorted((left, right) => right.amount.minor - left.amount.minor);
    const { currency } = proposal;
    return { merchantId: order.merchant_id, orderId: order.id, currency, amount: proposal.amount, shares };
  }
  const id = paymentId ?? '';
  const [stored] = await storedPayments(read, [id]);
  if (stored === undefined) throw new ServiceError('NOT_FOUND', `There is no payment ${id.slice(0, 60)}.`, { field: 'paymentId' });
  const { merchantId, currency } = stored;
  await deps.merchantFor(actor, merchantId);
  if (stored.refundable === 0)
    throw new ServiceError('ALREADY_REFUNDED', 'Nothing of this payment can be refunded.', { details: { paymentId: id } });
  const refunded = amount === undefined ? money(stored.refundable, currency) : parseMoney(amount, currency);
  return { merchantId, orderId: stored.orderId, currency, amount: refunded, shares: [{ paymentId: id, amount: refunded }] };
}
