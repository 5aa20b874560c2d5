import type { Read, Work } from '#core/database';
import { type Actor, ServiceError, storedCurrency } from '#core/kernel';
import { checkOpen } from '#core/processing/merchants';
import type { Dependencies } from '../dependencies.ts';
import { partsOf } from '../parts/parts.ts';
import type { LatestRerun, Transaction } from '../records.ts';
import { lockTransaction, readTransaction } from '../repository.ts';
import { TRANSACTIONS, type TransactionRow } from '../schema.ts';
import { keptAuthorization } from './bank-authorization.ts';
import { checkState, originalOf, paymentRequestFrom } from './create-payment.ts';
import { submitPayment } from './submit-payment.ts';

/**
 * Charges a declined or failed transaction again with its vaulted card and no security code. A sale is rerun at most once successfully:
 * the intent of a rerun claims the first transaction of the sale in the same commit. Concurrent reruns in one process wait for each other.
 * @throws RESOURCE_CONFLICT for a transaction in another state, for a payment of an invoice, a subscription or the charge-later queue, and, with
 * `details.transactionId`, while the latest rerun is neither declined nor failed.
 */
export async function rerun(deps: Dependencies, actor: Actor, input: { transactionId: string }): Promise<Transaction> {
  const original = await originalOf(deps, actor, input.transactionId, 'rerun');
  checkKind(original);
  const merchant = checkOpen(await deps.merchantFor(actor, original.merchant_id));
  const amount = { minor: original.amount_minor, currency: storedCurrency(original.currency) };
  const { discount_id, discount_approved_by } = original;
  const { id: firstId } = await firstTransactionOf(deps.database.read(actor.tenantId), original);
  return deps.serial.run(firstId, async () => {
    const request = await paymentRequestFrom(deps, original);
    return submitPayment(deps, actor, {
      type: original.type,
      method: original.method,
      amount,
      parts: partsOf(original),
      discountMinor: original.discount_minor,
      merchant,
      ...request,
      authorization: keptAuthorization(original, request.source, request.channel),
      skipsUseRules: true,
      details: { ...request.details, line_items: original.line_items, rerun_of: original.id, discount_id, discount_approved_by },
      intentHook: {
        async prepare(work, rerunId) {
          await claimSale(work, firstId, rerunId);
          await deps.discounts.reclaim(work, actor, original, rerunId);
        },
      },
    });
  });
}

/** Checks that a transaction can be rerun now. @throws as `rerun`. */
export async function checkRerun(deps: Dependencies, actor: Actor, row: TransactionRow): Promise<void> {
  checkState(row, 'rerun');
  checkKind(row);
  checkOpen(await deps.merchantFor(actor, row.merchant_id));
  const read = deps.database.read(row.tenant_id);
  await checkLatestRerun(read, await firstTransactionOf(read, row));
}

/** Returns the latest rerun of the sale that a transaction belongs to; null if there is none, or if the transaction is that rerun itself. */
export async function latestRerunOf(read: Read, row: TransactionRow): Promise<LatestRerun | null> {
  const { rerun_transaction_id: rerunId } = await firstTransactionOf(read, row);
  if (rerunId === null || rerunId === row.id) return null;
  const { id: transactionId, status } = await readTransaction(read, rerunId);
  return { transactionId, status };
}

/** Returns the transaction that a chain of reruns began with. It holds the claim for the whole chain. */
async function firstTransactionOf(read: Read, row: TransactionRow): Promise<TransactionRow> {
  let first = row;
  while (first.rerun_of !== null) first = await readTransaction(read, first.rerun_of);
  return first;
}

/** Names the rerun on the first transaction of the sale, under its lock, which servers that share the database respect too. */
async function claimSale(work: Work, firstId: string, rerunId: string): Promise<void> {
  const first = await lockTransaction(work, firstId);
  await checkLatestRerun(work, first);
  await work.update(TRANSACTIONS, { id: firstId }, { rerun_transaction_id: rerunId });
}

async function checkLatestRerun(read: Read, first: TransactionRow): Promise<void> {
  const latest = await latestRerunOf(read, first);
  if (latest !== null && latest.status !== 'declined' && latest.status !== 'failed') throw alreadyRerun(latest);
}

function alreadyRerun({ transactionId, status }: LatestRerun): ServiceError {
  const isPending = status === 'pending';
  const message = isPending
    ? `This payment is being rerun as ${transactionId}, and its outcome is not known yet. Wait for that outcome before rerunning it again.`
    : `This payment was already rerun as ${transactionId}. To charge the customer again, take a new payment.`;
  return new ServiceError('RESOURCE_CONFLICT', message, {
    details: { transactionId, reason: isPending ? 'rerun_pending' : 'already_rerun' },
  });
}

/** Rejects payments that are charged again in another place. */
function checkKind(row: TransactionRow): void {
  refuseInvoicePayment(row);
  refuseSubscriptionPayment(row);
  refuseQueuedPayment(row);
}

/** Rejects a payment of an invoice: a rerun would leave the invoice unpaid, to be paid a second time. */
function refuseInvoicePayment({ id: transactionId, invoice_id: invoiceId }: TransactionRow): void {
  if (invoiceId === null) return;
  throw new ServiceError('RESOURCE_CONFLICT', 'This payment was for an invoice: take another payment on the invoice.', {
    details: { reason: 'invoice_payment', transactionId, invoiceId },
  });
}

/** Rejects the rerun of a subscription's payment: the subscription retries it, so a rerun could charge the same period twice. */
function refuseSubscriptionPayment({ id: transactionId, subscription_id: subscriptionId }: TransactionRow): void {
  if (subscriptionId === null) return;
  throw new ServiceError(
    'RESOURCE_CONFLICT',
    'This payment was for a subscription: retry it on the subscription. If the subscription has ended, take a new payment.',
    { details: { reason: 'subscription_payment', transactionId, subscriptionId } },
  );
}

/** Rejects the rerun of a payment of the charge-later queue: the queue charges it again, so a rerun could charge the customer twice. */
function refuseQueuedPayment({ id: transactionId, queued_payment_id: queuedPaymentId }: TransactionRow): void {
  if (queuedPaymentId === null) return;
  throw new ServiceError(
    'RESOURCE_CONFLICT',
    'This payment was queued to be charged later: charge it again in the queue. If it was canceled there, take a new payment.',
    { details: { reason: 'queued_payment', transactionId, queuedPaymentId } },
  );
}
