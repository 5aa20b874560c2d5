import { LostRace, type Work } from '#core/database';
import { formatDecimal, isoTime, later, ServiceError, serviceActor, step, timeAfter } from '#core/kernel';
import { type Job, released } from '#core/platform/scheduling';
import { requestOfLine } from '#core/sales/items';
import type { Transaction } from '#core/sales/payments';
import { completeRelease, type Dependencies, LEASE_MS, notifyScreens, QUEUED_PAYMENT_JOB, writeChange } from './dependencies.ts';
import { activateNext, RECHECK_MS, waitAgain } from './queue.ts';
import { toQueuedPayment } from './queued-payment.ts';
import { QUEUED_PAYMENTS, type QueuedPaymentRow } from './schema.ts';
import { QUEUED_PAYMENT_STEPS } from './steps.ts';

const CONCURRENCY = 16;
/** Interval of checks of an unconfirmed payment; normally the code that finds the outcome reports it. */
const UNCONFIRMED_RECHECK_MS = 60_000;
/** Payments that did not reach the gateway before a person must decide. */
const UNSENT_MAX = 4;
const NOT_TAKEN = 'The gateway did not accept the payment.';

type Result = 'paid' | 'declined' | 'postponed' | 'unconfirmed' | 'expired' | 'mailed' | 'skipped';

/** Job that sends waiting payments, of each merchant one after the other. */
export function queuedPaymentJob(deps: Dependencies): Job<QueuedPaymentRow> {
  return {
    name: QUEUED_PAYMENT_JOB,
    charges: true,
    table: QUEUED_PAYMENTS,
    clock: 'tenant',
    concurrency: CONCURRENCY,
    leaseMs: LEASE_MS,
    run: (row) => sendClaimed(deps, row),
  };
}

/** Processes a claimed row: concludes its payment, sends it, or postpones it while no gateway answers. */
export async function sendClaimed(deps: Dependencies, row: QueuedPaymentRow): Promise<Result> {
  if (row.status === 'sending') return conclude(deps, row);
  if (row.status === 'paid') return mailReceipt(deps, row);
  if (row.status !== 'waiting') return dismiss(deps, row);
  const now = deps.clockOf(row.tenant_id).now();
  if (row.expires_ms <= now) return end(deps, row, { status: step(QUEUED_PAYMENT_STEPS, row.status, 'expire') }, 'expired');
  if (!(await deps.takesCards(row.tenant_id, row.merchant_id))) return postpone(deps, row);
  return charge(deps, row);
}

/** Sends the receipt of a paid row to its customer, once. A row without an address is released. */
async function mailReceipt(deps: Dependencies, row: QueuedPaymentRow): Promise<Result> {
  const { tenant_id, id, fence, transaction_id, customer_id } = row;
  const [payer] = await deps.customers.payersOf(tenant_id, [{ customerId: customer_id, methodId: null }]);
  if (!payer?.email || transaction_id === null) return dismiss(deps, row);
  const claim = async (work: Work) => (await work.update(QUEUED_PAYMENTS, { id, fence }, released(null))) === 1;
  await deps.mailReceipt(tenant_id, { transactionId: transaction_id, email: payer.email }, claim);
  return 'mailed';
}

/** Releases a claimed row that was closed in the meantime. */
async function dismiss(deps: Dependencies, row: QueuedPaymentRow): Promise<Result> {
  const { tenant_id, id, fence } = row;
  await deps.database.unitOfWork.transaction(tenant_id, async (work) => {
    if ((await work.update(QUEUED_PAYMENTS, { id, fence }, released(null))) === 1) await completeRelease(deps, work, row);
  });
  return 'skipped';
}

async function postpone(deps: Dependencies, row: QueuedPaymentRow): Promise<Result> {
  return deps.database.unitOfWork.transaction(row.tenant_id, async (work): Promise<Result> => {
    await deps.lockMerchant(work, row.merchant_id);
    const current = await work.lockOne(QUEUED_PAYMENTS, { id: row.id });
    if (current?.fence !== row.fence || current.status !== 'waiting') return 'skipped';
    await waitAgain(work, current, deps.clockOf(row.tenant_id).now());
    await completeRelease(deps, work, current);
    return 'postponed';
  });
}

/**
 * Creates the payment. The row is marked with it in the unit of work of its intent, so that a process that finds the mark concludes that payment and
 * creates no other one.
 */
async function charge(deps: Dependencies, row: QueuedPaymentRow): Promise<Result> {
  const { tenant_id, id } = row;
  const { amount, tipAmount, taxAmount, discountAmount, lineItems } = toQueuedPayment(row);
  let marked: QueuedPaymentRow | null = null;
  const prepare = async (work: Work, transactionId: string) => {
    const current = await work.lockOne(QUEUED_PAYMENTS, { id });
    if (current?.fence !== row.fence || current.status !== 'waiting') throw new LostRace('the payment was changed');
    const set = { status: step(QUEUED_PAYMENT_STEPS, current.status, 'begin'), transaction_id: transactionId };
    await work.update(QUEUED_PAYMENTS, { id }, set);
    notifyScreens(deps, work, current);
    marked = { ...current, ...set };
  };
  try {
    await deps.payments.createPayment(
      { ...serviceActor(tenant_id), name: row.created_by },
      {
        type: 'sale',
        amount: formatDecimal(amount),
        tipAmount: formatDecimal(tipAmount),
        taxAmount: formatDecimal(taxAmount),
        discountAmount: formatDecimal(discountAmount),
        lineItems: lineItems.map(requestOfLine),
        currency: row.currency,
        customerId: row.customer_id,
        paymentMethodId: row.payment_method_id,
        merchantId: row.merchant_id,
        ...(row.order_id !== null && { orderId: row.order_id }),
        ...(row.description !== null && { description: row.description }),
        source: 'saved',
        grantedDiscount: { discount_id: row.discount_id, discount_approved_by: row.discount_approved_by },
        // Payments that were queued before channels were recorded are charged without the customer.
        queuedPayment: { queuedPaymentId: id, claim: { prepare }, channel: row.channel ?? 'unscheduled' },
      },
    );
  } catch (error) {
    if (error instanceof LostRace) return 'skipped';
    // A failure of Paydesk itself, such as of the database: the row is claimed again when its lease ends.
    if (!(error instanceof ServiceError) || isOwnFault(error)) throw error;
    if (marked === null) return concludeUnsent(deps, row, error);
  }
  return conclude(deps, marked ?? row);
}

const isOwnFault = ({ status, code }: ServiceError) => status >= 500 && !code.startsWith('GATEWAY_');

/** Concludes a row for which no payment was created: nothing is set up, or the card or customer was removed. */
async function concludeUnsent(deps: Dependencies, row: QueuedPaymentRow, error: ServiceError): Promise<Result> {
  if (error.code.startsWith('GATEWAY_')) return postpone(deps, row);
  const set = {
    status: step(QUEUED_PAYMENT_STEPS, 'waiting', 'decline'),
    decline_code: error.code.toLowerCase(),
    decline_reason: error.message,
  };
  return end(deps, row, set, 'declined');
}

/** Ends a claimed row that is not at a gateway, and makes the next one due. */
async function end(
  deps: Dependencies,
  row: QueuedPaymentRow,
  set: Partial<QueuedPaymentRow>,
  result: 'expired' | 'declined',
): Promise<Result> {
  return deps.database.unitOfWork.transaction(row.tenant_id, async (work): Promise<Result> => {
    await deps.lockMerchant(work, row.merchant_id);
    const current = await work.lockOne(QUEUED_PAYMENTS, { id: row.id });
    if (current?.fence !== row.fence || current.status !== 'waiting') return 'skipped';
    await writeEnd(deps, work, current, set, result);
    return result;
  });
}

async function writeEnd(
  deps: Dependencies,
  work: Work,
  row: QueuedPaymentRow,
  set: Partial<QueuedPaymentRow>,
  result: 'paid' | 'declined' | 'expired',
): Promise<void> {
  const now = timeAfter(deps.clockOf(row.tenant_id).now(), row.updated_at);
  const at = isoTime(now);
  // A paid row is due once more, for its receipt.
  const changes = { ...set, ...released(result === 'paid' ? now : null), concluded_at: at, updated_at: at };
  await writeChange(deps, work, serviceActor(row.tenant_id), row, changes, { action: result, event: result, now });
  await activateNext(work, row.merchant_id, now);
}

/** Records the outcome of the payment of a row, once. */
export async function conclude(deps: Dependencies, { tenant_id, id, transaction_id }: QueuedPaymentRow): Promise<Result> {
  if (transaction_id === null) return 'skipped';
  const transaction = await deps.payments.find(tenant_id, transaction_id);
  return deps.database.unitOfWork.transaction(tenant_id, async (work): Promise<Result> => {
    await deps.lockMerchant(work, transaction.merchantId);
    const row = await work.lockOne(QUEUED_PAYMENTS, { id });
    if (row?.status !== 'sending' || row.transaction_id !== transaction_id) return 'skipped';
    return recordOutcome(deps, work, row, transaction);
  });
}

async function recordOutcome(deps: Dependencies, work: Work, row: QueuedPaymentRow, transaction: Transaction): Promise<Result> {
  const now = timeAfter(deps.clockOf(row.tenant_id).now(), row.updated_at);
  switch (transaction.status) {
    case 'pending':
      // It was sent, so the next one does not wait for its outcome.
      await work.update(QUEUED_PAYMENTS, { id: row.id }, released(later(now, UNCONFIRMED_RECHECK_MS)));
      await activateNext(work, row.merchant_id, now);
      await completeRelease(deps, work, row);
      notifyScreens(deps, work, row);
      return 'unconfirmed';
    case 'declined':
      await writeEnd(
        deps,
        work,
        row,
        declined(row, transaction.declineCode ?? 'declined', transaction.declineReason ?? 'Declined'),
        'declined',
      );
      return 'declined';
    case 'failed': {
      const unsent_tries = row.unsent_tries + 1;
      if (unsent_tries >= UNSENT_MAX) {
        await writeEnd(deps, work, row, { ...declined(row, 'gateway_error', NOT_TAKEN), unsent_tries }, 'declined');
        return 'declined';
      }
      const status = step(QUEUED_PAYMENT_STEPS, row.status, 'postpone');
      await work.update(QUEUED_PAYMENTS, { id: row.id }, { status, unsent_tries });
      // The first time, its server may have ended before it was sent. The payments after it must not wait for the interval of an outage.
      await waitAgain(work, row, now, unsent_tries === 1 ? 0 : RECHECK_MS);
      await completeRelease(deps, work, { ...row, status, unsent_tries });
      notifyScreens(deps, work, row);
      return 'postponed';
    }
    default:
      // The payment succeeded, even if it was voided since.
      await writeEnd(
        deps,
        work,
        row,
        { status: step(QUEUED_PAYMENT_STEPS, row.status, 'pay'), decline_code: null, decline_reason: null },
        'paid',
      );
      return 'paid';
  }
}

const declined = ({ status }: QueuedPaymentRow, decline_code: string, decline_reason: string): Partial<QueuedPaymentRow> => ({
  status: step(QUEUED_PAYMENT_STEPS, status, 'decline'),
  decline_code,
  decline_reason,
});
