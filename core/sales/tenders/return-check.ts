import type { Work } from '#core/database';
import { type Actor, isoTime, money, ServiceError, storedCurrency, type TenantTime, timeAfter } from '#core/kernel';
import { runIdempotent } from '#core/platform/idempotency';
import type { Merchant } from '#core/processing/merchants';
import { auditFields } from './create.ts';
import type { Dependencies } from './dependencies.ts';
import { returnShare } from './order-shares.ts';
import { findTender } from './read.ts';
import { eventData, tenderNotFound } from './record.ts';
import type { Tender } from './records.ts';
import { bookRefund } from './refund.ts';
import { TENDERS, type TenderRow } from './schema.ts';
import { toTender } from './tender.ts';

/**
 * Records that the bank returned a check: what was not refunded is taken off the books, as by a refund that gives the customer nothing, and the invoice
 * that it paid is open again. It needs the approval of a refund, because it gives the same money up.
 * @throws ServiceError NOT_FOUND; RESOURCE_CONFLICT for other tenders and for a check that was returned before.
 */
export async function returnCheck(
  deps: Dependencies,
  actor: Actor,
  tenderId: string,
  input: { readonly reason?: string },
): Promise<Tender> {
  const { merchant } = await findTender(deps, actor, tenderId);
  const reason = input.reason?.trim() || null;
  const { tender } = await runIdempotent(deps, actor, async (work) => {
    const row = await work.lockOne(TENDERS, { id: tenderId });
    if (!row) throw tenderNotFound(tenderId);
    checkReturnable(row);
    const currency = storedCurrency(row.currency);
    const amount = money(row.amount_minor - row.refunded_minor, currency);
    if (amount.minor > 0) {
      await deps.checkApproval(work, actor, {
        kind: 'refund',
        merchantId: row.merchant_id,
        resource: `tenders/${row.id}`,
        amount,
        total: money(row.amount_minor, currency),
        details: { tenderId: row.id, kind: row.kind, number: row.number, checkNumber: row.check_number, reason },
      });
      await deps.claimSpending(work, actor, amount, money(row.amount_minor, currency));
    }
    const now = timeAfter(deps.clockOf(actor.tenantId).now(), row.updated_at);
    // The invoice is locked before the numbers of the merchant, as by its payments.
    if (row.invoice_id !== null)
      await deps.events.publish(work, 'check.returned', {
        tenantId: row.tenant_id,
        tenderId: row.id,
        invoiceId: row.invoice_id,
        reason: reason === null ? 'The bank returned the check.' : `The bank returned the check: ${reason}`,
        actor,
        atMs: now,
      });
    await returnShare(deps, work, actor, row, null, null);
    return { tender: toTender(await takeBack(deps, work, actor, merchant, row, { reason, now })) };
  });
  return tender;
}

/** Takes what was not refunded of a locked tender off the books, because the customer's money did not stay. Returns the changed tender. */
async function takeBack(
  deps: Dependencies,
  work: Work,
  actor: Actor,
  merchant: Merchant,
  row: TenderRow,
  { reason, now }: { readonly reason: string | null; readonly now: TenantTime },
): Promise<TenderRow> {
  const currency = storedCurrency(row.currency);
  const amount = money(row.amount_minor - row.refunded_minor, currency);
  const at = isoTime(now);
  if (amount.minor > 0)
    await bookRefund(deps, work, actor, merchant, { row, amount, reason, drawer: row.drawer, isReturn: true, giftCardId: null, now });
  const set = { refunded_minor: row.amount_minor, returned_at: at, return_reason: reason, updated_at: at };
  await work.update(TENDERS, { id: row.id }, set);
  const next = { ...row, ...set };
  deps.emit(work, {
    tenantId: row.tenant_id,
    merchantId: row.merchant_id,
    resourceId: row.id,
    atMs: now,
    type: 'tender.returned',
    data: {
      ...eventData(row, money(row.amount_minor, currency)),
      returnedAmount: amount,
      reason,
      returnedAt: at,
      approvedBy: actor.approval?.approvedBy ?? null,
    },
  });
  deps.audit(work, {
    actor,
    action: 'tender.returned',
    resource: `tenders/${row.id}`,
    merchantId: row.merchant_id,
    before: auditFields(row),
    after: auditFields(next),
  });
  work.afterCommit(() => deps.changed(row.tenant_id, 'tenders', row.merchant_id));
  return next;
}

/**
 * Takes the tender of a bank transfer back, in the unit of work that undoes the match of its bank line. The caller has removed the payment from its
 * invoice. @throws ServiceError RESOURCE_CONFLICT if a part was refunded, because that money left in another way.
 */
export async function takeBackTransfer(
  deps: Dependencies,
  work: Work,
  actor: Actor,
  merchant: Merchant,
  tenderId: string,
  reason: string,
): Promise<void> {
  const row = await work.lockOne(TENDERS, { id: tenderId });
  if (!row) throw tenderNotFound(tenderId);
  if (row.refunded_minor > 0)
    throw new ServiceError('RESOURCE_CONFLICT', 'A part of this payment was refunded, so its match cannot be undone.', {
      details: { reason: 'refunded', tenderId },
    });
  await takeBack(deps, work, actor, merchant, row, { reason, now: timeAfter(deps.clockOf(actor.tenantId).now(), row.updated_at) });
}

/** Checks that the return of a check can be recorded. @throws ServiceError RESOURCE_CONFLICT. */
export function checkReturnable({ kind, returned_at, id: tenderId }: TenderRow): void {
  if (kind !== 'check')
    throw new ServiceError('RESOURCE_CONFLICT', 'Only a check can be returned by the bank. Refund this payment instead.', {
      details: { reason: 'not_a_check', tenderId },
    });
  if (returned_at !== null)
    throw new ServiceError('RESOURCE_CONFLICT', 'The return of this check is recorded already.', {
      details: { reason: 'already_returned', tenderId },
    });
}
