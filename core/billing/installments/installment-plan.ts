import { type Currency, formatDecimal, isoTime, type Money, money, storedCurrency, toNumber } from '#core/kernel';
import type { Payer } from '#core/sales/customers';
import { nextInstallment, type Plan, remainingOf } from './progress.ts';
import type { Interval } from './schedule.ts';
import type { AttemptRow, AttemptStatus, InstallmentRow, PlanRow, PlanStatus } from './schema.ts';

/** `retrying`: an attempt failed, and `nextRetryAt` of the plan is the time of the next one. `processing`: its payment is at the gateway. */
type InstallmentStatus = 'scheduled' | 'processing' | 'retrying' | 'past_due' | 'paid' | 'canceled';

export interface Installment {
  readonly number: number;
  readonly dueDate: string;
  readonly amount: Money;
  readonly amountPaid: Money;
  /** Amount that its charge takes: less than `amount` after an early payment. */
  readonly amountRemaining: Money;
  readonly status: InstallmentStatus;
  readonly paidAt: string | null;
  readonly transactionId: string | null;
}

/** An attempt to charge an installment. */
export interface InstallmentAttempt {
  readonly number: number;
  readonly attempt: number;
  readonly amount: Money;
  readonly status: AttemptStatus;
  readonly transactionId: string | null;
  readonly declineCode: string | null;
  readonly declineReason: string | null;
  readonly createdAt: string;
}

/** A plan that pays an invoice in installments. */
export interface InstallmentPlan {
  readonly installmentPlanId: string;
  readonly merchantId: string;
  readonly customerId: string;
  readonly customer: { readonly name: string | null; readonly email: string | null };
  readonly invoiceId: string;
  readonly status: PlanStatus;
  readonly currency: Currency;
  readonly amount: Money;
  readonly amountPaid: Money;
  readonly amountRemaining: Money;
  readonly interval: Interval | null;
  readonly installments: readonly Installment[];
  readonly nextNumber: number | null;
  readonly nextDueDate: string | null;
  readonly nextRetryAt: string | null;
  readonly failedAttempts: number;
  readonly lastDeclineCode: string | null;
  readonly lastReason: string | null;
  readonly paymentMethodId: string | null;
  /** Payment method that is charged; null after it was removed. */
  readonly method: Payer['method'];
  readonly consentText: string;
  readonly consentAt: string;
  readonly agreementChannel: PlanRow['agreement_channel'];
  readonly paymentInProgress: boolean;
  readonly pauseReason: PlanRow['pause_reason'];
  readonly pastDueAt: string | null;
  readonly completedAt: string | null;
  readonly canceledAt: string | null;
  readonly canceledBy: string | null;
  readonly cancelReason: string | null;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly attempts: readonly InstallmentAttempt[];
}

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

function installmentStatus(row: PlanRow, each: InstallmentRow): InstallmentStatus {
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
    amount: toNumber(money(row.amount_minor, currency)),
    amountPaid: toNumber(money(row.paid_minor, currency)),
    amountRemaining: toNumber(money(row.amount_minor - row.paid_minor, currency)),
    currency: row.currency,
    status: row.status,
    nextDueDate: row.status === 'canceled' ? null : (nextInstallment(plan)?.due_date ?? null),
  };
}

/** Returns the fields that the audit log keeps. */
export function auditFields(row: PlanRow) {
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
