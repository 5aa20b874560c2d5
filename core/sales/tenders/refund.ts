import type { Work } from '#core/database';
import {
  type Actor,
  amountAboveLimit,
  dateIn,
  formatDecimal,
  isoTime,
  type Money,
  money,
  newId,
  parseMoney,
  type RefundFacts,
  ServiceError,
  storedCurrency,
  type TenantTime,
  timeAfter,
} from '#core/kernel';
import { runIdempotent } from '#core/platform/idempotency';
import { cashUnitFor, type Merchant } from '#core/processing/merchants';
import { NO_PARTS, splitParts } from '#core/sales/payments';
import { drawerFrom } from '#core/sales/shifts';
import { refundedCash } from '#shared/cash-rounding';
import { auditFields } from './create.ts';
import type { Dependencies } from './dependencies.ts';
import { returnShare } from './order-shares.ts';
import { findTender } from './read.ts';
import { book, eventData, takeNumber, tenderNotFound } from './record.ts';
import type { TenderRefund } from './records.ts';
import { TENDER_REFUNDS, TENDERS, type TenderRefundRow, type TenderRow } from './schema.ts';
import { toRefund } from './tender.ts';

export interface TenderRefundInput {
  /** By default everything that was not refunded yet. */
  readonly amount?: string | number;
  readonly reason?: string;
  /** Drawer from which cash is taken; by default that of the tender. */
  readonly drawer?: string;
}

/**
 * Refunds a tender in the money in which it was received. The remaining amount is claimed under the lock of the tender, so parallel refunds never
 * exceed it. @throws ServiceError NOT_FOUND; ALREADY_REFUNDED; INVALID_AMOUNT with `details.availableToRefund`; RESOURCE_CONFLICT for cash
 * without an open shift, if the merchant requires one.
 */
export async function refundTender(deps: Dependencies, actor: Actor, tenderId: string, input: TenderRefundInput): Promise<TenderRefund> {
  const { merchant } = await findTender(deps, actor, tenderId);
  const { tenderRefund } = await runIdempotent(deps, actor, async (work) => {
    return { tenderRefund: await refundInWork(deps, work, actor, merchant, { ...input, tenderId, giftCardId: null }) };
  });
  return tenderRefund;
}

/**
 * Refunds a tender to a gift card in a unit of work that puts the money on the card. @throws ServiceError as `refundTender()`; NOT_REFUNDABLE for a tender of a
 * gift card, whose money returns to that card, and for a check, which the bank can return after the credit is spent.
 */
export async function refundToStoreCredit(
  deps: Dependencies,
  work: Work,
  actor: Actor,
  input: TenderRefundInput & { readonly tenderId: string; readonly giftCardId: string },
): Promise<TenderRefund> {
  const { merchant } = await findTender(deps, actor, input.tenderId);
  return refundInWork(deps, work, actor, merchant, input);
}

async function refundInWork(
  deps: Dependencies,
  work: Work,
  actor: Actor,
  merchant: Merchant,
  input: TenderRefundInput & { readonly tenderId: string; readonly giftCardId: string | null },
): Promise<TenderRefund> {
  const { tenderId, giftCardId } = input;
  const row = await work.lockOne(TENDERS, { id: tenderId });
  if (!row) throw tenderNotFound(tenderId);
  if (giftCardId !== null && row.gift_card_id !== null && !(await deps.giftCards.isReturnClosed(work, row.gift_card_id)))
    throw new ServiceError('NOT_REFUNDABLE', 'A gift card paid this tender, so its money returns to that card.', {
      details: { reason: 'gift_card', tenderId },
    });
  if (giftCardId !== null && row.kind === 'check')
    throw new ServiceError('NOT_REFUNDABLE', 'The bank can still return this check, so it cannot become store credit.', {
      details: { reason: 'check', tenderId },
    });
  const currency = storedCurrency(row.currency);
  const available = refundableAmount(row);
  const amount = input.amount === undefined ? available : parseMoney(input.amount, currency);
  if (amount.minor > available.minor)
    throw amountAboveLimit('The refund exceeds the remaining amount.', { availableToRefund: available, requestedAmount: amount });
  const total = money(row.refunded_minor + amount.minor, currency);
  await deps.checkApproval(work, actor, {
    kind: 'refund',
    merchantId: row.merchant_id,
    resource: `tenders/${row.id}`,
    amount,
    total,
    details: { ...tenderFacts(row), reason: input.reason ?? null },
  });
  await deps.claimSpending(work, actor, amount, total);
  const now = timeAfter(deps.clockOf(actor.tenantId).now(), row.updated_at);
  const at = isoTime(now);
  // The order is locked before the numbers of the merchant, as by its payments.
  const drawer = input.drawer === undefined ? row.drawer : drawerFrom(input.drawer);
  await returnShare(deps, work, actor, row, amount, { drawer });
  const refund = await bookRefund(deps, work, actor, merchant, {
    row,
    amount,
    reason: input.reason?.trim() || null,
    drawer,
    isReturn: false,
    giftCardId,
    now,
  });
  const next = { ...row, refunded_minor: row.refunded_minor + amount.minor, updated_at: at };
  await work.update(TENDERS, { id: row.id }, { refunded_minor: next.refunded_minor, updated_at: at });
  const shown = toRefund(refund);
  deps.emit(work, {
    tenantId: row.tenant_id,
    merchantId: row.merchant_id,
    resourceId: row.id,
    atMs: now,
    type: 'tender.refunded',
    data: {
      ...eventData(row, money(row.amount_minor, currency)),
      shiftId: refund.shift_id,
      refundId: refund.id,
      refundedAmount: amount,
      refundRoundingAmount: money(refund.rounding_minor, currency),
      refundedTaxAmount: money(refund.tax_minor ?? 0, currency),
      reason: refund.reason,
      approvedBy: refund.approved_by,
    },
  });
  deps.audit(work, {
    actor,
    action: 'tender.refunded',
    resource: `tenders/${row.id}`,
    merchantId: row.merchant_id,
    before: auditFields(row),
    after: {
      ...auditFields(next),
      refund: {
        refundId: refund.id,
        number: shown.number,
        amount: formatDecimal(amount),
        roundingAmount: formatDecimal(money(refund.rounding_minor, currency)),
        reason: refund.reason,
        approvedBy: refund.approved_by,
      },
    },
  });
  work.afterCommit(() => deps.changed(row.tenant_id, 'tenders', row.merchant_id));
  return shown;
}

/** Returns facts about a tender by which an approver recognizes it. */
const tenderFacts = ({ id: tenderId, kind, number, order_id: orderId }: TenderRow) => ({ tenderId, kind, number, orderId });

/** Locks a tender. Returns the facts of a refund of it for the approver, and the sum of its refunds, in minor units. */
export async function lockForRefund(work: Work, tenderId: string): Promise<RefundFacts> {
  const row = await work.lockOne(TENDERS, { id: tenderId });
  if (!row) throw tenderNotFound(tenderId);
  return { details: tenderFacts(row), returnedMinor: row.refunded_minor };
}

/** Returns the amount that can still be refunded, above 0. @throws ServiceError NOT_REFUNDABLE, ALREADY_REFUNDED. */
export function refundableAmount(row: TenderRow): Money {
  const { id: tenderId } = row;
  if (row.returned_at !== null)
    throw new ServiceError('NOT_REFUNDABLE', 'The bank returned this check, so there is nothing to refund.', {
      details: { reason: 'returned', tenderId },
    });
  const available = money(row.amount_minor - row.refunded_minor, storedCurrency(row.currency));
  if (available.minor === 0) throw new ServiceError('ALREADY_REFUNDED', 'This tender was refunded in full.', { details: { tenderId } });
  return available;
}

interface BookedRefund {
  readonly row: TenderRow;
  readonly amount: Money;
  readonly reason: string | null;
  readonly drawer: string;
  /** True for a check that the bank returned: it belongs to no shift, because it has left the drawer. */
  readonly isReturn: boolean;
  /** Gift card or store credit that gets the money; null if it goes back as it came. */
  readonly giftCardId: string | null;
  readonly now: TenantTime;
}

/** Books a refund, with its share of the tax, and stores it. The tender is locked. */
export async function bookRefund(
  deps: Dependencies,
  work: Work,
  actor: Actor,
  merchant: Merchant,
  { row, amount, reason, drawer, isReturn, giftCardId, now }: BookedRefund,
): Promise<TenderRefundRow> {
  const id = newId('trf', now);
  const refunds = await work.find(TENDER_REFUNDS, { tender_id: row.id });
  const taxMinor = taxOfRefund(refunds, row, amount.minor);
  const kind = giftCardId === null ? row.kind : 'gift_card';
  const roundingMinor = giftCardId !== null ? 0 : roundingOfRefund(refunds, row, merchant, amount);
  if (row.gift_card_id !== null && giftCardId === null)
    await deps.giftCards.restore(work, actor, { giftCardId: row.gift_card_id, subjectId: id, amount });
  const refund: TenderRefundRow = {
    tenant_id: row.tenant_id,
    id,
    tender_id: row.id,
    merchant_id: row.merchant_id,
    currency: row.currency,
    amount_minor: amount.minor,
    rounding_minor: roundingMinor,
    tax_minor: taxMinor,
    reason,
    drawer,
    shift_id: await book(deps, work, actor, merchant, {
      id,
      kind,
      direction: 'refund',
      amount,
      roundingMinor,
      taxMinor,
      discountMinor: 0,
      drawer: isReturn ? null : drawer,
      subjectId: row.id,
      isFull: amount.minor === row.amount_minor,
      now,
    }),
    number: await takeNumber(work, row.merchant_id),
    created_by: actor.name,
    approved_by: actor.approval?.approvedBy ?? null,
    is_return: isReturn ? 1 : 0,
    gift_card_id: giftCardId,
    day: dateIn(merchant.timezone, now),
    created_at: isoTime(now),
  };
  work.insert(TENDER_REFUNDS, refund);
  if (kind === 'check' || (kind === 'other' && row.invoice_id !== null))
    await deps.events.publish(work, 'tender.refunded', { merchantId: row.merchant_id });
  return refund;
}

/** Returns the share of a refund in the tax that remains, so that the refunds of a tender add up to its tax (decision record 76). */
function taxOfRefund(refunds: readonly TenderRefundRow[], row: TenderRow, amountMinor: number): number {
  if (!row.tax_minor) return 0;
  const tax = refunds.reduce((left, { tax_minor }) => left - (tax_minor ?? 0), row.tax_minor);
  return splitParts(amountMinor, row.amount_minor - row.refunded_minor, { ...NO_PARTS, tax }).tax;
}

/** Returns the cash that a refund returns less its amount, in minor units. */
function roundingOfRefund(refunds: readonly TenderRefundRow[], row: TenderRow, merchant: Merchant, { minor, currency }: Money): number {
  if (row.kind !== 'cash') return 0;
  const paid = {
    amount: row.amount_minor,
    cash: row.amount_minor + row.rounding_minor,
    refunds: refunds.map((refund) => ({
      amount: refund.amount_minor,
      rounding: refund.rounding_minor,
      inCash: refund.gift_card_id === null,
    })),
  };
  return refundedCash(paid, minor, cashUnitFor(merchant, currency)) - minor;
}
