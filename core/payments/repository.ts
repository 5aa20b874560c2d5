import type { Read, Work } from '#core/database';
import { assert, type Currency, money, ServiceError } from '#core/kernel';
import { declineErrorOf } from './declines.ts';
import { adviceOf } from './sale/advice.ts';
import { ATTEMPTS, type AttemptRow, type AttemptState, REFUNDS, type RefundRow, TRANSACTIONS, type TransactionRow } from './schema.ts';
import type { BankAccountOnRecord, CardOnRecord, HistoryEntry, Refund, Transaction } from './transaction.ts';

function parsed<Shape>(text: string | null): Shape | null {
  return text === null ? null : (JSON.parse(text) as Shape);
}

function cardOf(row: { card_brand: string | null; last4: string; card_expiry: string | null }): CardOnRecord | null {
  if (row.card_brand === null || row.card_expiry === null) return null;
  const [expiryMonth = '', expiryYear = ''] = row.card_expiry.split('/');
  return { brand: row.card_brand, last4: row.last4, expiryMonth, expiryYear };
}

function bankAccountOf(row: { account_type: string | null; last4: string; bank_name?: string | null }): BankAccountOnRecord | null {
  return row.account_type === null ? null : { bankName: row.bank_name ?? null, last4: row.last4, accountType: row.account_type };
}

export function toTransaction(row: TransactionRow): Transaction {
  const currency = row.currency as Currency;
  const captured = row.captured_minor > 0;
  return {
    transactionId: row.id,
    tenantId: row.tenant_id,
    merchantId: row.merchant_id,
    type: row.type,
    paymentMethod: row.method,
    amount: money(row.amount_minor, currency),
    currency,
    status: row.status,
    captured,
    capturedAmount: money(row.captured_minor, currency),
    capturedAt: row.captured_at,
    captureHeldUntil: row.capture_held_until,
    returnedAt: row.returned_at,
    returnCode: row.return_code,
    retryAdvice: adviceOf(row.retry_advice),
    refundedAmount: money(row.refunded_minor, currency),
    refundStatus: row.refunded_minor === 0 ? 'none' : row.refunded_minor < row.captured_minor ? 'partial' : 'full',
    reservedAmount: money(row.reserved_minor, currency),
    voidedAt: row.voided_at,
    voidReason: row.void_reason,
    settledAt: row.settled_at,
    settlementDate: row.settlement_date,
    settlementId: row.settlement_id,
    gateway: row.gateway,
    processorRef: row.processor_ref,
    authCode: row.auth_code,
    avsResponse: row.avs_response,
    cvvResponse: row.cvv_response,
    declineCode: row.decline_code,
    declineReason: row.decline_reason,
    ...declineErrorOf({ declineCode: row.decline_code, avsResponse: row.avs_response, cvvResponse: row.cvv_response }),
    token: row.token,
    card: cardOf(row),
    bankAccount: bankAccountOf(row),
    customer: row.customer_name === null && row.customer_email === null ? null : { name: row.customer_name, email: row.customer_email },
    billing: parsed(row.billing),
    rerunOf: row.rerun_of,
    customerId: row.customer_id,
    subscriptionId: row.subscription_id,
    invoiceId: row.invoice_id,
    orderId: row.order_id,
    description: row.description,
    metadata: parsed(row.metadata),
    source: row.source,
    pendingReason: row.pending_reason,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function toRefund(row: RefundRow): Refund {
  const currency = row.currency as Currency;
  return {
    refundId: row.id,
    transactionId: row.transaction_id,
    merchantId: row.merchant_id,
    status: row.status,
    amount: money(row.amount_minor, currency),
    remainingAmount: money(row.remaining_minor, currency),
    currency,
    reason: row.reason,
    type: row.type,
    refundedAt: row.refunded_at,
    settledAt: row.settled_at,
    card: cardOf(row),
    bankAccount: bankAccountOf(row),
    declineCode: row.decline_code,
    declineReason: row.decline_reason,
    errorCode: row.status === 'declined' ? 'REFUND_DECLINED' : null,
    queuedForRetry: row.retry_scheduled_at !== null,
    retryScheduledAt: row.retry_scheduled_at,
    processorRef: row.processor_ref,
    sentAs: row.sent_as ?? 'refund',
    createdAt: row.created_at,
  };
}

/** The transaction's row, locked; TRANSACTION_NOT_FOUND when the tenant has none of that id. */
export async function lockTransaction(work: Work, transactionId: string): Promise<TransactionRow> {
  return (await work.lockOne(TRANSACTIONS, { id: transactionId })) ?? missing(transactionId);
}

export async function readTransaction(read: Read, transactionId: string): Promise<TransactionRow> {
  return (await read.one(TRANSACTIONS, { id: transactionId })) ?? missing(transactionId);
}

function missing(transactionId: string): never {
  throw new ServiceError('TRANSACTION_NOT_FOUND', `There is no transaction ${transactionId.slice(0, 60)}.`, { details: { transactionId } });
}

export async function readRefund(read: Read, refundId: string): Promise<RefundRow> {
  const row = await read.one(REFUNDS, { id: refundId });
  if (!row) throw new ServiceError('NOT_FOUND', `There is no refund ${refundId.slice(0, 60)}.`, { details: { refundId } });
  return row;
}

export async function lockRefund(work: Work, refundId: string): Promise<RefundRow> {
  const row = await work.lockOne(REFUNDS, { id: refundId });
  assert(row, 'a refund attempt has its refund');
  return row;
}

/** The word that the history has for an attempt without a result. */
const OPEN_RESULTS: Readonly<Record<AttemptState, string>> = { sending: 'pending', doubt: 'in_doubt', held: 'held', done: 'pending' };

/** The attempts made for a transaction in their order: its history. */
export async function historyOf(read: Read, transactionId: string): Promise<HistoryEntry[]> {
  const rows = await read.find(ATTEMPTS, { transaction_id: transactionId }, { orderBy: [['id', 'asc']] });
  return rows.map((row: AttemptRow) => ({
    at: row.concluded_at ?? row.created_at,
    actor: row.actor,
    action: row.operation,
    result: row.result ?? OPEN_RESULTS[row.state],
    amount: money(row.amount_minor, row.currency as Currency),
    processorRef: row.processor_ref,
    reason: row.reason,
  }));
}

/** The attempts made for a refund after its first, in their order. */
export async function retriesOf(read: Read, transactionId: string, refundId: string): Promise<AttemptRow[]> {
  const rows = await read.find(ATTEMPTS, { transaction_id: transactionId, refund_id: refundId }, { orderBy: [['id', 'asc']] });
  return rows.slice(1);
}
