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
import type { Merchant } from '#core/merchants';
import { type Job, released } from '#core/platform/scheduling';
import { type BillingContext, type DuePeriod, dueOf, expire, isOver, periodDue, type Result } from './billing-cycle.ts';
import { BILLING_JOB, type Dependencies, keepRow, LEASE_MS } from './dependencies.ts';
import { auditSubscription, emitEnd } from './events.ts';
import { payerOf } from './read.ts';
import { MARK_SUBSCRIPTION, PERIODS, type PeriodRow, SUBSCRIPTIONS, type SubscriptionRow } from './schema.ts';
import { type Billed, entryOf, type Parties, record, resultOf, settle } from './settle.ts';
import { storeResponse } from './store-response.ts';

const AT_ONCE = 64;
/** A closed merchant takes nothing; it is looked at again in case it opens. */
const CLOSED_MS = 86_400_000;
/** Delay before a row is checked again that turned out not to be due. */
const NOT_YET_MS = 3_600_000;

/** Charges what is due, each period once (specification 3.3, decisions 7; record 12). */
export function billingJob(deps: Dependencies): Job<SubscriptionRow> {
  return {
    name: BILLING_JOB,
    charges: true,
    table: SUBSCRIPTIONS,
    clock: 'tenant',
    counts: 'subscriptions',
    atOnce: AT_ONCE,
    leaseMs: LEASE_MS,
    async run(row) {
      const became = await bill(deps, row);
      // The original request has ended; the response is stored for a retry with the same idempotency key.
      if (row.once_key !== null) await storeResponse(deps, row.tenant_id, row.id);
      return became;
    },
  };
}

/** Carries a claimed subscription one step on: asks after a payment under way, charges the period that is due, or ends it. */
async function bill(deps: Dependencies, row: SubscriptionRow): Promise<Billed> {
  const merchant = await deps.merchantFor({ tenantId: row.tenant_id, merchantId: null }, row.merchant_id);
  const setting = (): BillingContext => ({
    now: timeAfter(deps.clockOf(row.tenant_id).now(), row.updated_at),
    zone: merchant.timezone,
    dunning: merchant.dunning,
  });
  const parties = { merchant, payer: await payerOf(deps, row) };
  if (row.busy_transaction !== null) return settle(deps, parties, row, row.busy_transaction, null);
  if (row.status !== 'active' && row.status !== 'past_due') return release(deps, row, null);
  if (merchant.deletedAt !== null) return release(deps, row, later(setting().now, CLOSED_MS));
  if (isOver(row, setting())) return end(deps, merchant, row);
  const period = periodDue(row, setting());
  const due = row.status === 'past_due' ? row.retry_ms : dueOf(row, setting());
  // The merchant moved to another time zone, or the row was claimed early.
  if (due !== null && due > setting().now) return release(deps, row, due);
  if (period === null) return release(deps, row, later(setting().now, NOT_YET_MS));
  return charge(deps, parties, row, period);
}

/** Releases a claimed row unchanged, unless it has another holder. */
async function release(deps: Dependencies, { tenant_id, id, fence }: SubscriptionRow, due: TenantTime | null): Promise<Billed> {
  await deps.database.unitOfWork.run(tenant_id, (work) => work.update(SUBSCRIPTIONS, { id, fence }, released(due)));
  return 'skipped';
}

async function end(deps: Dependencies, merchant: Merchant, claimed: SubscriptionRow): Promise<Billed> {
  const { tenant_id, id } = claimed;
  return deps.database.unitOfWork.run(tenant_id, async (work): Promise<Billed> => {
    const row = await work.lockOne(SUBSCRIPTIONS, { id });
    if (row?.fence !== claimed.fence) return 'skipped';
    const now = timeAfter(deps.clockOf(tenant_id).now(), row.updated_at);
    const over: SubscriptionRow = { ...expire(row, now), ...released(null), updated_at: isoTime(now) };
    await keepRow(deps, work, over);
    auditSubscription(deps, work, serviceActor(tenant_id), 'expired', row, over);
    emitEnd(deps, work, over, merchant, now);
    return 'expired';
  });
}

/**
 * Charges a period. The history entry, the mark on the subscription and the payment's intent are one unit of work: from then on a process
 * that finds the mark inquires about that payment, and nobody makes another one.
 */
async function charge(deps: Dependencies, parties: Parties, row: SubscriptionRow, period: DuePeriod): Promise<Billed> {
  const { tenant_id } = row;
  const actor = serviceActor(tenant_id);
  const { payer } = parties;
  const paymentId = newId('sbp', deps.clockOf(tenant_id).now());
  if (payer.method === null) {
    const reason = 'There is no card or bank account on file.';
    return settleWithout(deps, parties, row, period, paymentId, { kind: 'failed', declined: false, code: 'no_payment_method', reason });
  }
  const now = timeAfter(deps.clockOf(tenant_id).now(), row.updated_at);
  // Filled once the intent is being written.
  const mark: { row?: SubscriptionRow } = {};
  try {
    const transaction = await deps.payments.sell(actor, {
      type: 'sale',
      amount: formatDecimal(money(row.amount_minor, row.currency as Currency)),
      currency: row.currency,
      method: { kind: 'token', token: payer.method.token },
      customerId: row.customer_id,
      merchantId: row.merchant_id,
      customer: { name: payer.name ?? undefined, email: payer.email ?? undefined },
      description: row.plan_id ?? 'Recurring payment',
      source: 'recurring',
      plan: {
        subscriptionId: row.id,
        claim: {
          write(writer, id) {
            const { entry, marked } = intentOf(row, period, paymentId, id, now);
            writer.insert(PERIODS, entry);
            writer.guardedUpdate(MARK_SUBSCRIPTION, marked);
            mark.row = marked;
          },
        },
      },
    });
    return await settle(deps, parties, mark.row ?? row, transaction.transactionId, resultOf(transaction, row));
  } catch (error) {
    // The change has set the due time.
    if (error instanceof LostRace) return 'skipped';
    // A failure of Paydesk itself, such as of the database, is not a decline: the row is claimed again when its lease ends.
    if (!(error instanceof ServiceError) || isOurs(error)) throw error;
    if (!mark.row?.busy_transaction) {
      const unsent = error.code.startsWith('GATEWAY_');
      const result: Result = unsent
        ? { kind: 'unsent', reason: error.message }
        : { kind: 'failed', declined: false, code: error.code.toLowerCase(), reason: error.message };
      return settleWithout(deps, parties, row, period, paymentId, result);
    }
    return afterFault(deps, parties, mark.row, mark.row.busy_transaction, error);
  }
}

const isOurs = ({ status, code }: ServiceError) => status >= 500 && !code.startsWith('GATEWAY_');

/** Bills a subscription that its caller has just claimed. An error is logged and left to the scheduler, because the subscription exists. */
export async function billNow(deps: Dependencies, row: SubscriptionRow): Promise<void> {
  await bill(deps, row).catch((cause: unknown) =>
    deps.report('A plan could not be billed at once; it is tried again', { id: row.id, cause }),
  );
}

/** The gateway was asked and did not answer as it should: what is certain is recorded, what is not is asked after. */
async function afterFault(
  deps: Dependencies,
  parties: Parties,
  row: SubscriptionRow,
  transactionId: string,
  error: ServiceError,
): Promise<Billed> {
  if (error.code === 'GATEWAY_UNAVAILABLE') return settle(deps, parties, row, transactionId, { kind: 'unsent', reason: error.message });
  if (error.code === 'GATEWAY_ERROR')
    return settle(deps, parties, row, transactionId, { kind: 'failed', declined: false, code: 'gateway_error', reason: error.message });
  if (error.code === 'GATEWAY_TIMEOUT') await deps.payments.settleDoubt(row.tenant_id, 0);
  return settle(deps, parties, row, transactionId, null);
}

/** The entry of the history that a try begins with, and the mark that it leaves on the subscription. */
function intentOf(row: SubscriptionRow, period: DuePeriod, id: string, transactionId: string | null, now: number) {
  const attempt = period.index === row.next_index ? row.failed_attempts + 1 : 1;
  const entry: PeriodRow = {
    ...entryOf(row),
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
  return { entry, marked: { ...row, busy_transaction: transactionId, busy_payment: id, busy_index: period.index } };
}

/** A period that could not be charged at all: nothing was sent. */
async function settleWithout(
  deps: Dependencies,
  parties: Parties,
  claimed: SubscriptionRow,
  period: DuePeriod,
  paymentId: string,
  result: Result,
): Promise<Billed> {
  const { tenant_id, id } = claimed;
  return deps.database.unitOfWork.run(tenant_id, async (work): Promise<Billed> => {
    const row = await work.lockOne(SUBSCRIPTIONS, { id });
    // The change has set the due time.
    if (row?.fence !== claimed.fence || row.busy_transaction !== null) return 'skipped';
    const now = timeAfter(deps.clockOf(tenant_id).now(), row.updated_at);
    const { entry, marked } = intentOf(row, period, paymentId, null, now);
    work.insert(PERIODS, entry);
    return record(deps, work, parties, marked, null, result);
  });
}
