import { type Currency, formatDecimal, isoTime, money, storedCurrency } from '#core/kernel';
import type { Payer } from '#core/sales/customers';
import { nextInstallment, type Plan, remainingOf } from './progress.ts';
import type { Installment, InstallmentAttempt, InstallmentPlan } from './records.ts';
import type { AttemptRow, InstallmentRow, PlanRow } from './schema.ts';

/** Returns the payment method that a plan charges. It never charges another one, to which its consent does not refer. */
export function methodOf({ payment_method_id }: PlanRow, { method }: Payer): Payer['method'] {
  return method !== null && method.paymentMethodId === payment_method_id ? method : null;
}

export function toInstallmentPlan(plan: Plan, payer: Payer, attempts: readonly AttemptRow[]): InstallmentPlan {
  const { row, installments } = plan;
  const currency = storedCurrency(row.currency);
  const isOpen = row.status === 'active' || row.status === 'past_due' || row.status === 'paused';
  const next = isOpen ? nextInstallment(plan) : null;
  return {
    installmentPlanId: row.id,
    merchantId: row.merchant_id,
    customerId: row.customer_id,
    customer: { name: payer.name, email: payer.email },
    invoiceId: row.invoice_id,
    status: row.status,
    currency,
    amount: money(row.amount_minor, currency),
    amountPaid: money(row.paid_minor, currency),
    amountRemaining: money(row.amount_minor - row.paid_minor, currency),
    interval: row.charge_interval,
    installments: installments.map((each) => toInstallment(row, each)),
    nextNumber: next?.number ?? null,
    nextDueDate: next?.due_date ?? null,
    nextRetryAt: isOpen && row.retry_ms !== null ? isoTime(row.retry_ms) : null,
    failedAttempts: row.failed_attempts,
    lastDeclineCode: row.last_decline_code,
    lastReason: row.last_reason,
    paymentMethodId: row.payment_method_id,
    method: methodOf(row, payer),
    consentText: row.consent_text,
    consentAt: row.consent_at,
    agreementChannel: row.agreement_channel,
    paymentInProgress: row.pending_transaction !== null,
    pauseReason: row.status === 'paused' ? row.pause_reason : null,
    pastDueAt: row.past_due_at,
    completedAt: row.completed_at,
    canceledAt: row.canceled_at,
    canceledBy: row.canceled_by,
    cancelReason: row.cancel_reason,
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    attempts: attempts.map((each) => toAttempt(each, currency)),
  };
}

function toInstallment(row: PlanRow, each: InstallmentRow): Installment {
  const currency = storedCurrency(row.currency);
  return {
    number: each.number,
    dueDate: each.due_date,
    amount: money(each.amount_minor, currency),
    amountPaid: money(each.paid_minor, currency),
    amountRemaining: money(remainingOf(each), currency),
    status: installmentStatus(row, each),
    paidAt: each.paid_at,
    transactionId: each.transaction_id,
  };
}

function installmentStatus(row: PlanRow, each: InstallmentRow): Installment['status'] {
  if (remainingOf(each) === 0) return 'paid';
  const isNext = each.number === row.next_number;
  if (isNext && row.pending_transaction !== null) return 'processing';
  if (row.status === 'canceled') return 'canceled';
  if (!isNext) return 'scheduled';
  if (row.status === 'past_due') return 'past_due';
  return row.retry_ms === null ? 'scheduled' : 'retrying';
}

const toAttempt = (row: AttemptRow, currency: Currency): InstallmentAttempt => ({
  number: row.number,
  attempt: row.attempt,
  amount: money(row.amount_minor, currency),
  status: row.status,
  transactionId: row.transaction_id,
  declineCode: row.decline_code,
  declineReason: row.decline_reason,
  createdAt: row.created_at,
});

/** Returns the data of the plan in its events. */
export function eventData(plan: Plan) {
  const { row } = plan;
  const currency = storedCurrency(row.currency);
  return {
    installmentPlanId: row.id,
    invoiceId: row.invoice_id,
    customerId: row.customer_id,
    amount: money(row.amount_minor, currency),
    amountPaid: money(row.paid_minor, currency),
    amountRemaining: money(row.amount_minor - row.paid_minor, currency),
    currency: row.currency,
    status: row.status,
    nextDueDate: row.status === 'canceled' ? null : (nextInstallment(plan)?.due_date ?? null),
  };
}

/** Returns the fields that the audit log keeps. */
export function auditFields(row: PlanRow): Readonly<Record<string, unknown>> {
  const decimal = (minor: number) => formatDecimal(money(minor, storedCurrency(row.currency)));
  return {
    status: row.status,
    invoiceId: row.invoice_id,
    customerId: row.customer_id,
    amount: decimal(row.amount_minor),
    amountPaid: decimal(row.paid_minor),
    currency: row.currency,
    installments: row.installment_count,
    interval: row.charge_interval,
    paymentMethodId: row.payment_method_id,
    nextNumber: row.next_number,
    cancelReason: row.cancel_reason,
  };
}
