import type { Work } from '#core/database';
import { type Actor, dateIn, formatDecimal, isoTime, newId, ServiceError, storedCurrency } from '#core/kernel';
import { countMovement, recount } from '../aggregates/daily-aggregates.ts';
import { refundSubject } from '../approval-facts.ts';
import { postWithParts } from '../audit-and-ledger.ts';
import type { Dependencies } from '../dependencies.ts';
import { checkRefund } from '../eligibility.ts';
import { refundEvent } from '../events.ts';
import { announceReturn, isBankPayment, returnShare } from '../order-payments.ts';
import { partsOf } from '../parts/parts.ts';
import { partsOfRefund } from '../parts/refunded-parts.ts';
import { lockTransaction } from '../repository.ts';
import { REFUNDS, type RefundRow, TRANSACTIONS } from '../schema.ts';
import { toRefund } from '../transaction.ts';
import { refundRow } from './refund.ts';

export interface StoreCreditRefundInput {
  readonly transactionId: string;
  /** Gift card or store credit that gets the money. */
  readonly giftCardId: string;
  /** By default everything that can still be refunded. */
  readonly amount?: string | number | undefined;
  readonly reason: string | null;
  readonly shiftId: string | null;
}

/**
 * Refunds a payment to a gift card, without its gateway, in a unit of work that puts the money on the card. The refund is never settled. @throws ServiceError
 * as `refund()`; NOT_REFUNDABLE unless the merchant allows it, for a bank payment, which the bank can return after the credit is spent, and for a held capture,
 * which the gateway can refuse.
 */
export async function refundToStoreCredit(deps: Dependencies, work: Work, actor: Actor, input: StoreCreditRefundInput): Promise<RefundRow> {
  const { transactionId, giftCardId, reason, shiftId } = input;
  const found = await lockTransaction(work, transactionId);
  const merchant = await deps.merchantFor(actor, found.merchant_id);
  if (!merchant.vtSettings.storeCreditForCards)
    throw new ServiceError('NOT_REFUNDABLE', 'This merchant refunds card payments only to their card.', {
      details: { reason: 'store_credit_for_cards', transactionId },
    });
  if (isBankPayment(found))
    throw new ServiceError(
      'NOT_REFUNDABLE',
      'The bank can still return this payment, so it cannot become store credit. Refund it to the bank account.',
      {
        details: { reason: 'bank_payment', transactionId },
      },
    );
  if (found.capture_held_until !== null)
    throw new ServiceError(
      'NOT_REFUNDABLE',
      'The capture of this payment was not sent to the processor yet. Void the payment, or refund it to store credit later.',
      { details: { reason: 'capture_held', transactionId, captureHeldUntil: found.capture_held_until } },
    );
  const amount = checkRefund(found, input.amount);
  const parts = await partsOfRefund(work, found, amount, {});
  const subject = await refundSubject(work, found, amount, reason);
  await deps.checkApproval(work, actor, subject);
  await deps.claimSpending(work, actor, amount, subject.total);
  const now = deps.clockOf(actor.tenantId).now();
  const at = isoTime(now);
  const id = newId('ref', now);
  const draft = refundRow(found, id, { amount, parts }, reason === null ? {} : { reason }, id, at);
  await announceReturn(deps, work, actor, found, { refund: draft }, shiftId);
  const refund = {
    ...draft,
    status: 'approved',
    refunded_at: at,
    // No processor settles it.
    settled_at: at,
    sent_as: 'store_credit',
    gift_card_id: giftCardId,
    approved_by: actor.approval?.approvedBy ?? null,
  } as const;
  work.insert(REFUNDS, refund);
  const refunded_minor = found.refunded_minor + amount.minor;
  await work.update(TRANSACTIONS, { id: found.id }, { refunded_minor, updated_at: at });
  recount(work, found, { ...found, refunded_minor });
  const day = dateIn(merchant.timezone, now);
  const { tenant_id: tenantId, merchant_id: merchantId } = found;
  postWithParts(deps, work, { tenantId, merchantId, id, kind: 'store_credit_refund', amount, subjectId: id, day, at }, refund);
  // Reports count the refund by what the customer received.
  const counted = { ...found, method: 'gift_card', card_brand: 'gift_card' } as const;
  countMovement(work, counted, 'refund', { amount: amount.minor, parts: partsOf(refund) }, day, refund);
  await returnShare(deps, work, actor, found, refund, shiftId);
  deps.emit(work, { tenantId, merchantId, resourceId: found.id, atMs: now, ...refundEvent(toRefund(refund)) });
  deps.audit(work, {
    actor,
    action: 'transaction.refund',
    resource: `refunds/${id}`,
    merchantId,
    after: { result: 'approved', amount: formatDecimal(amount), currency: storedCurrency(found.currency), giftCardId, transactionId },
  });
  work.afterCommit(() => deps.changed(tenantId, 'refunds', merchantId));
  return refund;
}
