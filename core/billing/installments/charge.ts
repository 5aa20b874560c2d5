import type { Result } from '#core/billing/recurring';
import { LostRace, type Work } from '#core/database';
import { dateIn, isoTime, later, money, newId, ServiceError, serviceActor, storedCurrency, type TenantTime, timeAfter } from '#core/kernel';
import { type Job, released } from '#core/platform/scheduling';
import type { Merchant } from '#core/processing/merchants';
import { type Dependencies, INSTALLMENT_JOB, LEASE_MS, lockPlan, notifyScreens } from './dependencies.ts';
import { methodOf } from './installment-plan.ts';
import { payerOf, recordUnsent } from './outcome.ts';
import { hasFailed, nextInstallment, type Plan, remainingOf, withDue } from './progress.ts';

import { type AttemptRow, INSTALLMENT_PAYMENTS, INSTALLMENT_PLANS, INSTALLMENTS, type InstallmentRow, type PlanRow } from './schema.ts';
import { completeRequest } from './write.ts';

const CONCURRENCY = 32;
/** Interval of checks of a closed merchant, which takes no payments, in case it opens again. */
const CLOSED_RECHECK_MS = 86_400_000;
/** Delay if another payment of the invoice is pending. Its outcome makes the plan due earlier. */
const BLOCKED_RECHECK_MS = 3_600_000;
/** Delay until a request whose payment is pending counts as ended. */
const PENDING_RECHECK_MS = 60_000;
/** Refusals of an invoice whose balance another payment has changed or reserved. */
const BLOCKED: readonly string[] = ['PAYMENT_EXCEEDS_DUE', 'INVOICE_ALREADY_PAID', 'INVOICE_CANCELLED'];

type ChargeResult = 'charged' | 'unsent' | 'skipped';

/** Job that charges due installments, each once (decision record 108). */
export function installmentJob(deps: Dependencies): Job<PlanRow> {
  return {
    name: INSTALLMENT_JOB,
    charges: true,
    table: INSTALLMENT_PLANS,
    clock: 'tenant',
    concurrency: CONCURRENCY,
    leaseMs: LEASE_MS,
    nextDue: 'recorded',
    async run(row) {
      // The original request has ended without the outcome of its payment. A repeated one gets the plan with the pending payment.
      if (row.pending_transaction !== null) return release(deps, row, null);
      return chargeDue(deps, row);
    },
  };
}

/** Charges a plan that its caller has just claimed. An error is logged and left to the scheduler, because the plan exists. */
export async function chargeNow(deps: Dependencies, row: PlanRow): Promise<void> {
  await chargeDue(deps, row).catch((cause: unknown) =>
    deps.report('An installment could not be charged immediately. The scheduler will retry', { id: row.id, cause }),
  );
}

async function chargeDue(deps: Dependencies, row: PlanRow): Promise<ChargeResult> {
  const { tenant_id, id } = row;
  const merchant = await deps.merchantFor({ tenantId: tenant_id, merchantId: null }, row.merchant_id);
  const now = timeAfter(deps.clockOf(tenant_id).now(), row.updated_at);
  if (merchant.deletedAt !== null) return release(deps, row, later(now, CLOSED_RECHECK_MS));
  const installments = await deps.database.read(tenant_id).find(INSTALLMENTS, { plan_id: id }, { orderBy: [['number', 'asc']] });
  const plan = { row, installments };
  // The due time of an attempt that a person or a new card caused is before the scheduled retry.
  const { due_ms } = hasFailed(row) ? row : withDue(plan, { now, zone: merchant.timezone });
  const next = nextInstallment(plan);
  // The merchant moved to another time zone, or the row was claimed early.
  if (due_ms === null || next === null || due_ms > now) return release(deps, row, due_ms);
  return charge(deps, merchant, plan, next);
}

/** Releases a claimed row unchanged, unless it has another holder. */
async function release(deps: Dependencies, row: PlanRow, due: TenantTime | null): Promise<ChargeResult> {
  const { tenant_id, id, fence } = row;
  await deps.database.unitOfWork.transaction(tenant_id, async (work) => {
    const isReleased = (await work.update(INSTALLMENT_PLANS, { id, fence }, released(due))) === 1;
    if (isReleased && row.idempotency_key !== null) await completeRequest(deps, work, { ...row, ...released(due) });
  });
  return 'skipped';
}

/**
 * Charges an installment. The attempt, the mark on the plan, the payment of the invoice and the intent of its transaction are one unit of work, so
 * that an installment is charged once. The outcome comes with the change of the invoice.
 */
async function charge(deps: Dependencies, merchant: Merchant, plan: Plan, next: InstallmentRow): Promise<ChargeResult> {
  const { row } = plan;
  const { tenant_id, id } = row;
  const payer = await payerOf(deps, row);
  const method = methodOf(row, payer);
  if (method === null) {
    const reason = 'The card or bank account of this plan was removed.';
    return concludeUnsent(deps, merchant, row, {
      kind: 'failed',
      declined: false,
      code: 'no_payment_method',
      reason,
      advice: { kind: 'stop-card' },
    });
  }
  const amount = money(remainingOf(next), storedCurrency(row.currency));
  const claim = async (work: Work, { transactionId, otherPendingMinor }: { transactionId: string; otherPendingMinor: number }) => {
    const current = await lockPlan(work, id);
    const due = current && nextInstallment(current);
    if (!due || current.row.fence !== row.fence || otherPendingMinor > 0 || remainingOf(due) !== amount.minor)
      throw new LostRace('the plan or the balance of its invoice was changed');
    const now = timeAfter(deps.clockOf(tenant_id).now(), current.row.updated_at);
    const attempt = await attemptOf(work, current.row, due, transactionId, now);
    work.insert(INSTALLMENT_PAYMENTS, attempt);
    // While a request waits, the plan is due again, so that its key is completed even if its server ends and the outcome stays unknown.
    const due_ms = current.row.idempotency_key === null ? null : later(now, PENDING_RECHECK_MS);
    const mark = { pending_transaction: transactionId, pending_payment: attempt.id, fence: row.fence + 1, ...released(due_ms) };
    await work.update(INSTALLMENT_PLANS, { id }, mark);
    notifyScreens(deps, work, row);
  };
  try {
    const description = `installment ${next.number} of ${row.installment_count}`;
    await deps.invoicing.chargeOnSchedule(serviceActor(tenant_id), row.invoice_id, {
      amount,
      customerId: row.customer_id,
      token: method.token,
      description,
      receiptEmail: payer.email,
      installment: {
        number: next.number,
        total: row.installment_count,
        agreement: {
          channel: row.agreement_channel,
          date: dateIn(merchant.timezone, Date.parse(row.consent_at)),
          reference: null,
          text: row.consent_text,
        },
      },
      claim,
    });
    return 'charged';
  } catch (error) {
    const now = timeAfter(deps.clockOf(tenant_id).now(), row.updated_at);
    if (error instanceof LostRace) return release(deps, row, later(now, BLOCKED_RECHECK_MS));
    // A failure of Paydesk itself, such as of the database, is not a decline: the row is claimed again when its lease ends.
    if (!(error instanceof ServiceError) || isOwnFault(error)) throw error;
    const isBlocked = BLOCKED.includes(error.code) || error.details?.reason === 'hosted_page_payment';
    if (isBlocked) return release(deps, row, later(now, BLOCKED_RECHECK_MS));
    const { code, message: reason } = error;
    if (code.startsWith('GATEWAY_')) return concludeUnsent(deps, merchant, row, { kind: 'unsent', reason });
    return concludeUnsent(deps, merchant, row, { kind: 'failed', declined: false, code: code.toLowerCase(), reason });
  }
}

const isOwnFault = ({ status, code }: ServiceError) => status >= 500 && !code.startsWith('GATEWAY_');

async function attemptOf(
  work: Work,
  row: PlanRow,
  installment: InstallmentRow,
  transactionId: string | null,
  now: TenantTime,
): Promise<AttemptRow> {
  const earlier = await work.find(INSTALLMENT_PAYMENTS, { plan_id: row.id, number: installment.number });
  return {
    tenant_id: row.tenant_id,
    id: newId('ipa', now),
    plan_id: row.id,
    number: installment.number,
    attempt: 1 + earlier.filter(({ status }) => status !== 'unsent').length,
    amount_minor: remainingOf(installment),
    status: 'pending',
    transaction_id: transactionId,
    decline_code: null,
    decline_reason: null,
    created_at: isoTime(now),
    concluded_at: null,
  };
}

/** Records an installment for which no payment was created. A changed plan is left alone. */
async function concludeUnsent(
  deps: Dependencies,
  merchant: Merchant,
  claimed: PlanRow,
  result: Exclude<Result, { kind: 'succeeded' }>,
): Promise<ChargeResult> {
  const { tenant_id, id } = claimed;
  return deps.database.unitOfWork.transaction(tenant_id, async (work): Promise<ChargeResult> => {
    const plan = await lockPlan(work, id);
    const next = plan && nextInstallment(plan);
    if (!next || plan.row.fence !== claimed.fence || plan.row.pending_transaction !== null) return 'skipped';
    const now = timeAfter(deps.clockOf(tenant_id).now(), plan.row.updated_at);
    await recordUnsent(deps, work, merchant, plan, await attemptOf(work, plan.row, next, null, now), result);
    return 'unsent';
  });
}
