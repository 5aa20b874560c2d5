import type { Work } from '#core/database';
import { type Actor, addDays, dateIn, isoTime, ServiceError, timeAfter } from '#core/kernel';
import { runIdempotent } from '#core/platform/idempotency';
import type { ChangeEvents } from '#core/processing/domain-events';
import { writeInvoice } from '../change.ts';
import { type Dependencies, notifyScreens } from '../dependencies.ts';
import { auditInvoice, emitInvoiceEvent, emitLateFee } from '../events.ts';
import { withoutFeeLine } from '../items.ts';
import { findInvoice, loadInvoice } from '../read.ts';
import type { Invoice } from '../records.ts';
import { lockInvoice } from '../repository.ts';
import { lateFeesOf } from './read.ts';
import type { CustomerLateFees, InvoiceLateFees } from './records.ts';
import { feeData } from './run.ts';
import { LATE_FEE_EXEMPTIONS, LATE_FEES } from './schema.ts';

/**
 * Takes a late fee off its invoice, with a reason. The period is not charged again. @throws ServiceError INVOICE_NOT_FOUND, INVOICE_CANCELLED, NOT_FOUND; RESOURCE_CONFLICT
 * if it was reversed before, is paid, or a payment is pending.
 */
export async function reverse(deps: Dependencies, actor: Actor, invoiceId: string, lateFeeId: string, reason: string): Promise<Invoice> {
  const { merchant } = await findInvoice(deps, actor, invoiceId);
  const { invoice } = await runIdempotent(deps, actor, async (work) => {
    const row = await lockInvoice(work, invoiceId);
    if (row.status === 'cancelled')
      throw new ServiceError('INVOICE_CANCELLED', 'This invoice was canceled with its late fees.', { details: { invoiceId } });
    const [fee] = await work.find(LATE_FEES, { invoice_id: invoiceId, id: lateFeeId });
    if (!fee)
      throw new ServiceError('NOT_FOUND', `There is no late fee ${lateFeeId.slice(0, 60)} on this invoice.`, { details: { lateFeeId } });
    const refuse = (why: string, message: string) =>
      new ServiceError('RESOURCE_CONFLICT', message, { details: { reason: why, lateFeeId } });
    if (fee.reversed_at !== null) throw refuse('already_reversed', 'This late fee is reversed already.');
    if (row.pending_minor > 0) throw refuse('payment_in_progress', 'A payment of this invoice is pending. Wait for its outcome.');
    const amount_minor = row.amount_minor - fee.amount_minor;
    if (row.paid_minor > amount_minor)
      throw refuse('paid', 'A part of this late fee is paid, so it cannot be reversed. Refund that part of the payment instead.');
    const now = timeAfter(deps.clockOf(actor.tenantId).now(), row.updated_at);
    const reversed = { reversed_at: isoTime(now), reversed_by: actor.name, reverse_reason: reason.trim() };
    await work.update(LATE_FEES, { invoice_id: invoiceId, period: fee.period }, reversed);
    const isPaid = row.paid_minor === amount_minor;
    const set = {
      amount_minor,
      late_fee_minor: row.late_fee_minor - fee.amount_minor,
      items: withoutFeeLine(row, fee),
      ...(isPaid && { status: 'paid' as const, paid_at: isoTime(now) }),
    };
    const next = await writeInvoice(deps, work, row, set, merchant, now);
    auditInvoice(deps, work, actor, 'late_fee_reversed', row, next, { lateFeeId, reason: reversed.reverse_reason });
    emitLateFee(deps, work, 'invoice.late_fee_reversed', next, feeData({ ...fee, ...reversed }), now);
    if (isPaid) await emitInvoiceEvent(deps, work, 'invoice.paid', next, null, now);
    return { invoice: await loadInvoice(deps, work, next, merchant) };
  });
  return invoice;
}

/** Stores a choice. Fees of days before they were allowed again are not charged. Returns false if it was the choice before. */
async function choose(
  deps: Dependencies,
  work: Work,
  { tenantId }: Actor,
  { subjectId, enabled, zone }: { readonly subjectId: string; readonly enabled: boolean; readonly zone: string },
): Promise<boolean> {
  const row = await work.one(LATE_FEE_EXEMPTIONS, { subject_id: subjectId });
  if (enabled === (row?.is_off !== 1)) return false;
  const now = deps.clockOf(tenantId).now();
  const columns = {
    is_off: enabled ? 0 : 1,
    since_day: enabled ? addDays(dateIn(zone, now), 1) : (row?.since_day ?? null),
    updated_at: isoTime(now),
  };
  if (row) await work.update(LATE_FEE_EXEMPTIONS, { subject_id: subjectId }, columns);
  else work.insert(LATE_FEE_EXEMPTIONS, { tenant_id: tenantId, subject_id: subjectId, ...columns });
  return true;
}

/** Changes whether an invoice is charged late fees. @throws ServiceError INVOICE_NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export async function exemptInvoice(deps: Dependencies, actor: Actor, id: string, enabled: boolean): Promise<InvoiceLateFees> {
  const { merchant } = await findInvoice(deps, actor, id);
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    const row = await lockInvoice(work, id);
    if (!(await choose(deps, work, actor, { subjectId: id, enabled, zone: merchant.timezone }))) return;
    auditInvoice(deps, work, actor, enabled ? 'late_fees_allowed' : 'late_fees_exempted', row, row);
    notifyScreens(deps, work, row);
  });
  return lateFeesOf(deps, actor, id);
}

/** Changes whether a customer is charged late fees. @throws ServiceError CUSTOMER_NOT_FOUND. */
export async function exemptCustomer(deps: Dependencies, actor: Actor, customerId: string, enabled: boolean): Promise<CustomerLateFees> {
  const { merchantId } = await deps.customers.payer(actor, customerId);
  const { timezone: zone } = await deps.merchants.merchantFor(actor, merchantId);
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    await deps.customers.lock(work, customerId);
    if (!(await choose(deps, work, actor, { subjectId: customerId, enabled, zone }))) return;
    const [before, after] = [{ enabled: !enabled }, { enabled }];
    deps.audit(work, { actor, action: 'customer.late_fees_changed', resource: `customers/${customerId}`, merchantId, before, after });
    work.afterCommit(() => deps.changed(actor.tenantId, 'customers', merchantId));
  });
  return { customerId, enabled };
}

/** Removes the choice for a deleted customer. */
export async function customerDeleted(work: Work, { customerId }: ChangeEvents['customer.deleted']): Promise<void> {
  await work.delete(LATE_FEE_EXEMPTIONS, { subject_id: customerId });
}
