import { LostRace } from '#core/database';
import {
  type Currency,
  formatDecimal,
  isoTime,
  later,
  money,
  newId,
  ServiceError,
  serviceActor,
  type TenantTime,
  timeAfter,
} from '#core/kernel';
import { type Job, released } from '#core/platform/scheduling';
import type { Merchant } from '#core/processing/merchants';
import { afterExpiry, amountsOf, type BillingContext, type DuePeriod, dueTimeOf, isOver, periodDue } from './billing-cycle.ts';
import { BILLING_JOB, type Dependencies, LEASE_MS } from './dependencies.ts';
import { faultResult, type Result, resultOf } from './dunning.ts';
import { auditSubscription, emitEnd } from './events.ts';
import { historyFields } from './history.ts';
import { agreementOf, payerOf } from './read.ts';
import { MARK_SUBSCRIPTION, PERIODS, type PeriodRow, SUBSCRIPTIONS, type SubscriptionRow } from './schema.ts';
import { type BillingResult, type Parties, record, settle, writePaid } from './settle.ts';
import { completeRequest, storeResponse, writeSubscription } from './write.ts';

/** More at a time would be faster, but the processors of live merchants limit the rate of requests. */
const CONCURRENCY = 64;
/** Interval of checks of a closed merchant, which takes no payments, in case it opens again. */
const CLOSED_RECHECK_MS = 86_400_000;
/** Delay before a row is checked again that turned out not to be due. */
const EARLY_RECHECK_MS = 3_600_000;

/** Job that charges due subscriptions, each period once (decision record 12). */
export function billingJob(deps: Dependencies): Job<SubscriptionRow> {
  return {
    name: BILLING_JOB,
    charges: true,
    table: SUBSCRIPTIONS,
    clock: 'tenant',
    countedAs: 'subscriptions',
    concurrency: CONCURRENCY,
    leaseMs: LEASE_MS,
    nextDue: 'recorded',
    async run(row) {
      const result = await bill(deps, row);
      // The original request has ended. A repeated one gets the subscription with its unconfirmed payment.
      if (row.idempotency_key !== null) await storeResponse(deps, row.tenant_id, row.id);
      return result;
    },
  };
}

/**
 * Processes a claimed subscription: checks its pending payment, charges the due period, or ends the subscription. `cvv` is the security code of
 * its card, which is known only while the request that sent it runs.
 */
async function bill(deps: Dependencies, row: SubscriptionRow, cvv?: string): Promise<BillingResult> {
  const merchant = await deps.merchantFor({ tenantId: row.tenant_id, merchantId: null }, row.merchant_id);
  const billingContext = (): BillingContext => ({
    now: timeAfter(deps.clockOf(row.tenant_id).now(), row.updated_at),
    zone: merchant.timezone,
    dunning: merchant.dunning,
  });
  const parties = { merchant, payer: await payerOf(deps, row) };
  if (row.pending_transaction !== null) return settle(deps, parties, row, row.pending_transaction, null);
  if (row.status !== 'active' && row.status !== 'past_due') return release(deps, row, null);
  if (merchant.deletedAt !== null) return release(deps, row, later(billingContext().now, CLOSED_RECHECK_MS));
  if (isOver(row, billingContext())) return endSubscription(deps, merchant, row);
  const period = periodDue(row, billingContext());
  // The due time of an attempt that a person or a new card caused is before the scheduled retry.
  const due = row.status === 'past_due' ? row.due_ms : dueTimeOf(row, billingContext());
  // The merchant moved to another time zone, or the row was claimed early.
  if (due !== null && due > billingContext().now) return release(deps, row, due);
  if (period === null) return release(deps, row, later(billingContext().now, EARLY_RECHECK_MS));
  return charge(deps, parties, row, period, cvv);
}

/** Releases a claimed row unchanged, unless it has another holder. */
async function release(deps: Dependencies, row: SubscriptionRow, due: TenantTime | null): Promise<BillingResult> {
  const { tenant_id, id, fence } = row;
  await deps.database.unitOfWork.transaction(tenant_id, async (work) => {
    const isReleased = (await work.update(SUBSCRIPTIONS, { id, fence }, released(due))) === 1;
    if (isReleased && row.idempotency_key !== null) await completeRequest(deps, work, { ...row, ...released(due) });
  });
  return 'skipped';
}

async function endSubscription(deps: Dependencies, merchant: Merchant, claimed: SubscriptionRow): Promise<BillingResult> {
  const { tenant_id, id } = claimed;
  return deps.database.unitOfWork.transaction(tenant_id, async (work): Promise<BillingResult> => {
    const row = await work.lockOne(SUBSCRIPTIONS, { id });
    if (row?.fence !== claimed.fence) return 'skipped';
    const now = timeAfter(deps.clockOf(tenant_id).now(), row.updated_at);
    const ended: SubscriptionRow = { ...afterExpiry(row, now), ...released(null), updated_at: isoTime(now) };
    await writeSubscription(deps, work, ended);
    auditSubscription(deps, work, serviceActor(tenant_id), 'expired', row, ended);
    emitEnd(deps, work, ended, merchant, now);
    return 'expired';
  });
}

/**
 * Charges a period. The history entry, the mark on the subscription and the payment's intent are one unit of work. From then on, a process
 * that finds the mark inquires about that payment and makes no other one. A success is recorded in the unit of work of the payment's outcome.
 */
async function charge(
  deps: Dependencies,
  parties: Parties,
  row: SubscriptionRow,
  period: DuePeriod,
  cvv: string | undefined,
): Promise<BillingResult> {
  const { tenant_id } = row;
  const actor = serviceActor(tenant_id);
  const { payer, merchant } = parties;
  const paymentId = newId('sbp', deps.clockOf(tenant_id).now());
  if (payer.method === null) {
    const reason = 'There is no card or bank account on file.';
    return recordUnsent(deps, parties, row, period, paymentId, { kind: 'failed', declined: false, code: 'no_payment_method', reason });
  }
  const now = timeAfter(deps.clockOf(tenant_id).now(), row.updated_at);
  // Filled once the intent is being written, and once a success was recorded together with the payment.
  const { amount_minor, tax_minor } = amountsOf(row, period);
  const mark: { row?: SubscriptionRow; result?: BillingResult } = {};
  try {
    const transaction = await deps.payments.createPayment(actor, {
      type: 'sale',
      amount: formatDecimal(money(amount_minor, row.currency as Currency)),
      taxAmount: formatDecimal(money(tax_minor, row.currency as Currency)),
      currency: row.currency,
      method: { kind: 'token', token: payer.method.token },
      cvv,
      customerId: row.customer_id,
      merchantId: row.merchant_id,
      customer: { name: payer.name ?? undefined, email: payer.email ?? undefined },
      purchaseOrderNumber: row.purchase_order_number ?? undefined,
      description: row.plan_id ?? 'Recurring payment',
      source: 'recurring',
      subscription: {
        subscriptionId: row.id,
        agreement: agreementOf(row, payer.method, merchant),
        claim: {
          write(writer, id) {
            const { entry, marked } = intentOf(row, period, paymentId, id, now);
            writer.insert(PERIODS, entry);
            writer.guardedUpdate(MARK_SUBSCRIPTION, marked);
            mark.row = marked;
          },
          conclude(writer, paid) {
            if (mark.row === undefined || resultOf(paid, row.unsent_tries)?.kind !== 'succeeded') return;
            const result = writePaid(deps, writer, parties, mark.row, paid.transactionId);
            writer.afterCommit(() => {
              mark.result = result;
            });
          },
        },
      },
    });
    return (
      mark.result ?? (await settle(deps, parties, mark.row ?? row, transaction.transactionId, resultOf(transaction, row.unsent_tries)))
    );
  } catch (error) {
    // The change has set the due time.
    if (error instanceof LostRace) return 'skipped';
    // A failure of Paydesk itself, such as of the database, is not a decline: the row is claimed again when its lease ends.
    if (!(error instanceof ServiceError) || isOwnFault(error)) throw error;
    if (!mark.row?.pending_transaction) {
      const unsent = error.code.startsWith('GATEWAY_');
      const result: Result = unsent
        ? { kind: 'unsent', reason: error.message }
        : { kind: 'failed', declined: false, code: error.code.toLowerCase(), reason: error.message };
      return recordUnsent(deps, parties, row, period, paymentId, result);
    }
    return afterFault(deps, parties, mark.row, mark.row.pending_transaction, error);
  }
}

const isOwnFault = ({ status, code }: ServiceError) => status >= 500 && !code.startsWith('GATEWAY_');

/**
 * Bills a subscription that its caller has just claimed, with the security code of a card that came with the request. An error is logged and
 * left to the scheduler, because the subscription exists.
 */
export async function billNow(deps: Dependencies, row: SubscriptionRow, cvv?: string): Promise<void> {
  await bill(deps, row, cvv).catch((cause: unknown) =>
    deps.report('A subscription could not be billed immediately. The scheduler will retry', { id: row.id, cause }),
  );
}

/** Handles an error after the payment was sent to the gateway: records a certain result, and inquires about an unknown one. */
async function afterFault(
  deps: Dependencies,
  parties: Parties,
  row: SubscriptionRow,
  transactionId: string,
  error: ServiceError,
): Promise<BillingResult> {
  if (error.code === 'GATEWAY_UNAVAILABLE') return settle(deps, parties, row, transactionId, { kind: 'unsent', reason: error.message });
  if (error.code === 'GATEWAY_ERROR') return settle(deps, parties, row, transactionId, faultResult(error.message));
  if (error.code === 'GATEWAY_TIMEOUT') await deps.payments.resolveUnconfirmed(row.tenant_id, 0);
  return settle(deps, parties, row, transactionId, null);
}

/** Returns the history entry of an attempt, and the subscription marked with it. */
function intentOf(row: SubscriptionRow, period: DuePeriod, id: string, transactionId: string | null, now: number) {
  const attempt = period.index === row.next_index ? row.attempts + 1 : 1;
  const { amount_minor, tax_minor } = amountsOf(row, period);
  const entry: PeriodRow = {
    ...historyFields(row),
    amount_minor,
    id,
    due_date: period.date,
    periods: 1,
    attempt,
    status: 'pending',
    transaction_id: transactionId,
    created_at: isoTime(now),
    concluded_at: null,
  };
  // The row stays due: if its holder stops, the next one inquires about the payment when the lease has ended.
  const fixed = period.index === row.next_index ? { unpaid_minor: amount_minor, unpaid_tax_minor: tax_minor } : {};
  return { entry, marked: { ...row, ...fixed, pending_transaction: transactionId, pending_payment: id, pending_index: period.index } };
}

/** Records the result of a period that could not be charged because nothing was sent. */
async function recordUnsent(
  deps: Dependencies,
  parties: Parties,
  claimed: SubscriptionRow,
  period: DuePeriod,
  paymentId: string,
  result: Result,
): Promise<BillingResult> {
  const { tenant_id, id } = claimed;
  return deps.database.unitOfWork.transaction(tenant_id, async (work): Promise<BillingResult> => {
    const row = await work.lockOne(SUBSCRIPTIONS, { id });
    // The change has set the due time.
    if (row?.fence !== claimed.fence || row.pending_transaction !== null) return 'skipped';
    const now = timeAfter(deps.clockOf(tenant_id).now(), row.updated_at);
    const { entry, marked } = intentOf(row, period, paymentId, null, now);
    work.insert(PERIODS, entry);
    return record(deps, work, parties, marked, null, result);
  });
}
