import type { Read, Work } from '#core/database';
import {
  type Actor,
  allows,
  amountAboveLimit,
  type Caller,
  formatDecimal,
  isoTime,
  later,
  money,
  ServiceError,
  step,
  storedCurrency,
  timeAfter,
} from '#core/kernel';
import { idempotencyColumns, withClaimedKey } from '#core/platform/idempotency';
import { claimRow, released } from '#core/platform/scheduling';
import type { ChangeEvents } from '#core/processing/domain-events';
import type { Merchant } from '#core/processing/merchants';
import { checkCustomerLimit, limitsOf } from './create.ts';
import { type Dependencies, EXPIRY_MS, LEASE_MS, notifyScreens, QUEUED_PAYMENT_JOB, writeChange } from './dependencies.ts';
import { activateNext, sendNext } from './queue.ts';
import { amountOf, toQueuedPayment } from './queued-payment.ts';
import type { QueuedPayment } from './records.ts';
import { QUEUED_PAYMENTS, type QueuedPaymentRow, type QueuedPaymentStatus } from './schema.ts';
import { sendClaimed } from './send.ts';
import { QUEUED_PAYMENT_STEPS } from './steps.ts';

/** Returns a row of the caller's merchants. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export async function findRow(deps: Pick<Dependencies, 'database' | 'merchantFor'>, actor: Caller, id: string): Promise<QueuedPaymentRow> {
  const row = await deps.database.read(actor.tenantId).one(QUEUED_PAYMENTS, { id });
  if (!row) throw notFound(id);
  await deps.merchantFor(actor, row.merchant_id);
  return row;
}

const notFound = (id: string) =>
  new ServiceError('NOT_FOUND', `There is no payment ${id.slice(0, 60)} to be charged later.`, { details: { queuedPaymentId: id } });

/**
 * Sends a payment now, also a declined or expired one; without a gateway that answers, it waits again. Parallel releases charge once, because the
 * row is claimed. An expired one is open again, so it is checked against the limits like a new one. The amount counts against the spending limits of
 * the caller's API key, which may not have queued it. @throws ServiceError NOT_FOUND; RESOURCE_CONFLICT while it is being sent, and after it was paid,
 * canceled or replaced; INVALID_AMOUNT for an expired one above a limit; PERMISSION_DENIED above a spending limit.
 */
export async function release(deps: Dependencies, actor: Actor, id: string): Promise<QueuedPayment> {
  const { merchant_id } = await findRow(deps, actor, id);
  const merchant = await deps.merchantFor(actor, merchant_id);
  const open = async (work: Work) => {
    deps.idempotencyKeys.claim(work, actor);
    await deps.lockMerchant(work, merchant_id);
    const row = await claimRow(deps.database, work, QUEUED_PAYMENTS, id, LEASE_MS);
    if (row === null) throw inProgress();
    const status = await checkRelease(work, merchant, row);
    await deps.claimSpending(work, actor, amountOf(row));
    const now = timeAfter(deps.clockOf(actor.tenantId).now(), row.updated_at);
    const set = {
      ...idempotencyColumns(actor),
      status,
      unsent_tries: 0,
      decline_code: null,
      decline_reason: null,
      concluded_at: null,
      changed_by: actor.name,
      expires_ms: later(now, EXPIRY_MS),
      due_ms: now,
      updated_at: isoTime(now),
    };
    return writeChange(deps, work, actor, row, set, { action: 'released', now });
  };
  const claimed = await withClaimedKey(() => deps.database.unitOfWork.transaction(actor.tenantId, open));
  await sendClaimed(deps, claimed);
  return toQueuedPayment(await findRow(deps, actor, id));
}

/** Returns the status of a payment that is sent now. @throws ServiceError RESOURCE_CONFLICT; INVALID_AMOUNT for an expired one above a limit. */
export async function checkRelease(read: Read, merchant: Merchant, row: QueuedPaymentRow): Promise<QueuedPaymentStatus> {
  if (row.status === 'expired') await checkLimits(read, merchant, row);
  return step<QueuedPaymentStatus, 'release'>(QUEUED_PAYMENT_STEPS, row.status, 'release');
}

/** Checks the limits of an expired payment. Those that wait or were declined count already. */
async function checkLimits(read: Read, merchant: Merchant, row: QueuedPaymentRow): Promise<void> {
  const { perPayment, perCustomer } = limitsOf(merchant);
  const amount = amountOf(row);
  if (amount.currency !== merchant.currency)
    throw new ServiceError('RESOURCE_CONFLICT', `Payments are charged later in ${merchant.currency} only.`, {
      details: { reason: 'currency', currency: amount.currency },
    });
  if (amount.minor > perPayment.minor)
    throw amountAboveLimit('The amount exceeds the limit of payments that are charged later.', { limit: perPayment });
  await checkCustomerLimit(read, row.customer_id, amount, perCustomer);
}

const inProgress = () =>
  new ServiceError('RESOURCE_CONFLICT', 'The payment is being sent. Wait for its outcome.', {
    details: { reason: 'operation_in_progress' },
  });

/** Cancels a payment that is not being sent. @throws ServiceError NOT_FOUND, RESOURCE_CONFLICT. */
export async function cancel(deps: Dependencies, actor: Actor, id: string): Promise<QueuedPayment> {
  const { merchant_id } = await findRow(deps, actor, id);
  return deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    await deps.lockMerchant(work, merchant_id);
    const row = await work.lockOne(QUEUED_PAYMENTS, { id });
    if (!row) throw notFound(id);
    const now = timeAfter(deps.clockOf(actor.tenantId).now(), row.updated_at);
    const set = { status: step(QUEUED_PAYMENT_STEPS, row.status, 'cancel'), ...closed(actor, isoTime(now)) };
    const next = await writeChange(deps, work, actor, row, set, { action: 'cancelled', event: 'cancelled', now });
    if (row.discount_id !== null) deps.discounts.release(work, { tenant_id: row.tenant_id, id: row.discount_id, payment_id: row.id });
    await activateNext(work, merchant_id, now);
    return toQueuedPayment(next);
  });
}

/**
 * Creates a payment link for the amount in place of the payment, with its order, lines, tip and discount, in one unit of work, so that never both can be paid. @throws ServiceError
 * NOT_FOUND, RESOURCE_CONFLICT.
 */
export async function replaceByLink(deps: Dependencies, actor: Actor, id: string): Promise<QueuedPayment> {
  const found = await findRow(deps, actor, id);
  const { lineItems, tipAmount, discountAmount } = toQueuedPayment(found);
  let replaced = found;
  await deps.createLink(
    { ...actor, idempotencyKey: null },
    {
      amount: formatDecimal(amountOf(found)),
      currency: found.currency,
      merchantId: found.merchant_id,
      taxAmount: formatDecimal(money(found.tax_minor, storedCurrency(found.currency))),
      // The amount contains the tip already.
      ...(found.tip_minor > 0 && { askForTip: 'no' as const }),
      ...(found.customer_email !== null && { customerEmail: found.customer_email }),
      ...(found.description !== null && { description: found.description }),
    },
    async (work, invoiceId) => {
      await deps.lockMerchant(work, found.merchant_id);
      const row = await work.lockOne(QUEUED_PAYMENTS, { id });
      if (!row) throw notFound(id);
      const now = timeAfter(deps.clockOf(actor.tenantId).now(), row.updated_at);
      const set = { status: step(QUEUED_PAYMENT_STEPS, row.status, 'replace'), invoice_id: invoiceId, ...closed(actor, isoTime(now)) };
      replaced = await writeChange(deps, work, actor, row, set, { action: 'replaced', event: 'replaced', now });
      await activateNext(work, found.merchant_id, now);
    },
    {
      orderId: found.order_id,
      lines: lineItems,
      tip: tipAmount,
      discount: discountAmount,
      granted: { discount_id: found.discount_id, discount_approved_by: found.discount_approved_by },
    },
  );
  return toQueuedPayment(replaced);
}

const closed = ({ name }: Pick<Actor, 'name'>, at: string) => ({
  changed_by: name,
  concluded_at: at,
  updated_at: at,
  ...released(null),
});

/** Sends the waiting payments of a merchant, because its gateway answers again. */
export async function gatewayReturned(deps: Dependencies, tenantId: string, merchantId: string): Promise<void> {
  await deps.database.unitOfWork.transaction(tenantId, async (work) => {
    await deps.lockMerchant(work, merchantId);
    await sendNext(work, merchantId, deps.clockOf(tenantId).now());
    work.afterCommit(() => deps.scheduler.wake(QUEUED_PAYMENT_JOB, tenantId));
  });
}

/** Cancels the open payments of a deleted customer and removes its name; those at a gateway keep their course. */
export async function customerDeleted(
  deps: Dependencies,
  work: Work,
  { actor, customerId }: ChangeEvents['customer.deleted'],
): Promise<void> {
  const rows = await work.find(QUEUED_PAYMENTS, { customer_id: customerId }, { orderBy: [['id', 'asc']] });
  for (const found of rows) {
    const row = await work.lockOne(QUEUED_PAYMENTS, { id: found.id });
    if (!row) continue;
    await work.update(QUEUED_PAYMENTS, { id: row.id }, { customer_name: null, customer_email: null });
    if (!allows(QUEUED_PAYMENT_STEPS, row.status, 'cancel')) continue;
    const now = timeAfter(deps.clockOf(actor.tenantId).now(), row.updated_at);
    const set = { status: step(QUEUED_PAYMENT_STEPS, row.status, 'cancel'), ...closed(actor, isoTime(now)) };
    await writeChange(deps, work, actor, row, set, { action: 'cancelled', event: 'cancelled', now });
    await activateNext(work, row.merchant_id, now);
  }
}

/**
 * Moves the open payments of a replaced card to its successor, which they charge from now on. One that is at its gateway keeps the card that it
 * charges. The fence stops a charge of the former card that was not sent yet.
 */
export async function paymentMethodReplaced(
  deps: Dependencies,
  work: Work,
  { customerId, replacedId, paymentMethodId, kind, brand, last4 }: ChangeEvents['payment-method.replaced'],
): Promise<void> {
  const where = { customer_id: customerId, payment_method_id: replacedId };
  for (const { id } of await work.find(QUEUED_PAYMENTS, where, { orderBy: [['id', 'asc']] })) {
    const row = await work.lockOne(QUEUED_PAYMENTS, { id });
    if (row?.payment_method_id !== replacedId || !MOVED.has(row.status)) continue;
    const method = { payment_method_id: paymentMethodId, method_kind: kind, card_brand: brand, last4 };
    await work.update(QUEUED_PAYMENTS, { id }, { ...method, fence: row.fence + 1 });
    notifyScreens(deps, work, row);
  }
}

/** Statuses in which a payment has not been charged and may be. */
const MOVED: ReadonlySet<QueuedPaymentStatus> = new Set(['waiting', 'declined', 'expired']);
