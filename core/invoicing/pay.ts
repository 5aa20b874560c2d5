import { checkReach } from '#core/customers';
import type { Work } from '#core/database';
import {
  type Actor,
  type Currency,
  formatDecimal,
  isoTime,
  later,
  type Money,
  newId,
  parseMoney,
  realNow,
  ServiceError,
  timeAfter,
} from '#core/kernel';
import { type Merchant, openFor } from '#core/merchants';
import type { PaymentMethodInput, Transaction } from '#core/payments';
import { idempotencyColumns, keyNameOf, NO_IDEMPOTENCY_KEY } from '#core/platform/idempotency';
import { dueAt } from '#core/platform/scheduling';
import { refuseTooManyAttempts } from './attempt-limit.ts';
import { checkPayable, paidBy } from './balance.ts';
import { keep } from './change.ts';
import { textOf } from './create.ts';
import { type Dependencies, notifyScreens, onceIn, type PaidInvoice, SETTLE_JOB } from './dependencies.ts';
import { auditInvoice, emitInvoiceEvent, paymentFields } from './events.ts';
import type { PayInput } from './input.ts';
import { present, shown } from './read.ts';
import { lockInvoice } from './repository.ts';
import { INVOICE_PAYMENTS, INVOICES, type InvoicePaymentRow, type InvoiceRow } from './schema.ts';
import { settle } from './settle.ts';

/** A payment whose request was lost is looked at this long after it was sent, in real time. */
const LOST_AFTER_MS = 15_000;

/**
 * Records a payment that was taken without us, or charges one (specification 4.10). The amount is in the invoice's currency; pending
 * payments count against what is due. A decline is a result with its transaction. Throws INVOICE_ALREADY_PAID, INVOICE_CANCELLED,
 * PAYMENT_EXCEEDS_DUE with `details.amountDue, requestedAmount, amountPending`, the codes of a sale, and GATEWAY_TIMEOUT: then the amount stays held
 * until the outcome is found out, and the call must not be repeated.
 */
export async function pay(deps: Dependencies, actor: Actor, id: string, input: PayInput): Promise<PaidInvoice> {
  const { row, merchant } = await present(deps, actor, id);
  openFor(merchant);
  const amount = parseMoney(input.amount, row.currency as Currency);
  const { paymentMethod, method } = input;
  if (paymentMethod === 'cash' || paymentMethod === 'check' || paymentMethod === 'other')
    return record(deps, actor, row.id, merchant, amount, input);
  checkPayable(row, amount);
  const customerId = await customerOf(deps, row);
  if (paymentMethod === 'token' && method === undefined) await checkOnFile(deps, row, customerId);
  const charged = await charge(deps, actor, {
    row,
    merchant,
    customerId,
    amount,
    method,
    invoiceMethod: paymentMethod,
    origin: 'desk',
    source: paymentMethod === 'token' ? 'saved' : 'keyed',
    reference: textOf(input.reference),
    note: textOf(input.note),
  });
  if (charged.error) throw charged.error;
  return charged.paid;
}

/** Returns the invoice's customer; null if it was deleted, so that its invoices can still be paid. */
export async function customerOf(deps: Dependencies, { tenant_id: tenantId, customer_id }: InvoiceRow): Promise<string | undefined> {
  if (customer_id === null) return undefined;
  try {
    await checkReach(deps.database, { tenantId, merchantId: null }, customer_id);
    return customer_id;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'CUSTOMER_NOT_FOUND') return undefined;
    throw error;
  }
}

async function checkOnFile(deps: Dependencies, { tenant_id: tenantId }: InvoiceRow, customerId: string | undefined): Promise<void> {
  const payer = customerId === undefined ? null : await deps.customers.payer({ tenantId, merchantId: null }, customerId);
  if (payer?.method) return;
  throw new ServiceError('REQUIRED_FIELD_MISSING', '`token` is required: the customer has no stored payment method.', { field: 'token' });
}

/** A payment that needs no gateway, in one unit of work. */
function record(deps: Dependencies, actor: Actor, id: string, merchant: Merchant, amount: Money, input: PayInput): Promise<PaidInvoice> {
  const carryOut = async (work: Work): Promise<PaidInvoice> => {
    const row = await lockInvoice(work, id);
    checkPayable(row, amount);
    const now = timeAfter(deps.clockOf(actor.tenantId).now(), row.updated_at);
    const at = isoTime(now);
    const amount_minor = amount.minor;
    const payment: InvoicePaymentRow = {
      ...paymentRow(actor, row, newId('ivp', now), amount_minor, at),
      method: input.paymentMethod,
      status: 'succeeded',
      origin: 'desk',
      reference: textOf(input.reference),
      note: textOf(input.note),
      concluded_at: at,
    };
    work.insert(INVOICE_PAYMENTS, payment);
    const next = await keep(deps, work, row, paidBy(row, amount_minor, at), merchant, now);
    auditInvoice(deps, work, actor, 'payment_received', row, next, paymentFields(payment));
    await emitInvoiceEvent(deps, work, next.status === 'paid' ? 'invoice.paid' : 'invoice.partially_paid', next, null, now);
    return { invoice: await shown(deps, work, next, merchant), transaction: null };
  };
  return onceIn(deps, actor, carryOut, (paidInvoice) => ({ paidInvoice }));
}

/** Thrown when the amount due changed after the payer opened the page. */
export function changed(): ServiceError {
  return new ServiceError('RESOURCE_CONFLICT', 'The invoice was changed in the meantime. Load it again.', {
    details: { reason: 'changed' },
  });
}

function paymentRow({ tenantId, name }: Actor, row: InvoiceRow, id: string, amount_minor: number, at: string) {
  return {
    tenant_id: tenantId,
    id,
    invoice_id: row.id,
    amount_minor,
    currency: row.currency,
    actor: name,
    transaction_id: null,
    attempt_key: null,
    decline_code: null,
    decline_reason: null,
    receipt_email: null,
    ...NO_IDEMPOTENCY_KEY,
    ...dueAt(null),
    created_at: at,
    concluded_at: null,
  };
}

/** A payment that the gateway is to be asked for. */
interface Charge {
  readonly row: InvoiceRow;
  readonly merchant: Merchant;
  readonly customerId?: string;
  readonly amount: Money;
  /** Payment method; by default the customer's stored one. */
  readonly method?: PaymentMethodInput;
  readonly invoiceMethod: 'card' | 'ach' | 'token';
  readonly origin: 'desk' | 'page';
  readonly source: 'keyed' | 'saved' | 'link';
  readonly reference: string | null;
  readonly note: string | null;
  readonly attemptKey?: string;
  /** Address for the receipt of a successful payment. */
  readonly receiptEmail?: string;
  readonly payer?: { readonly name?: string; readonly email?: string; readonly zip?: string };
}

/** Result of a charge; `error` is returned to the caller of a charge without a result, or of one that was never sent. */
type Charged =
  | { readonly paymentId: string; readonly paid: PaidInvoice; readonly error?: undefined }
  | { readonly paymentId: string; readonly error: ServiceError };

/**
 * Charges a part of an invoice. The reservation of the amount, its row and the transaction's intent are one unit of work under the
 * invoice's lock, so that parallel payments never exceed the amount due. The response is stored together with the outcome, by the request
 * or by the job that finds it.
 */
export async function charge(deps: Dependencies, actor: Actor, of: Charge): Promise<Charged> {
  const { row: known, merchant, amount, payer } = of;
  const { tenantId } = actor;
  const paymentId = newId('ivp', deps.clockOf(tenantId).now());
  const prepare = async (work: Work, transactionId: string) => {
    deps.once.open(work, actor);
    const row = await lockInvoice(work, known.id);
    checkPayable(row, amount);
    if (row.currency !== amount.currency) throw changed();
    if (of.origin === 'page') await refuseTooManyAttempts(deps, work, row);
    const at = isoTime(timeAfter(deps.clockOf(tenantId).now(), row.updated_at));
    const payment: InvoicePaymentRow = {
      ...paymentRow(actor, row, paymentId, amount.minor, at),
      ...idempotencyColumns(actor),
      ...dueAt(later(realNow(), LOST_AFTER_MS)),
      method: of.invoiceMethod,
      status: 'pending',
      origin: of.origin,
      transaction_id: transactionId,
      attempt_key: of.attemptKey ?? null,
      receipt_email: of.receiptEmail ?? null,
      reference: of.reference,
      note: of.note,
    };
    work.insert(INVOICE_PAYMENTS, payment);
    await work.update(INVOICES, { id: row.id }, { pending_minor: row.pending_minor + amount.minor, updated_at: at });
    notifyScreens(deps, work, tenantId);
    work.afterCommit(() => deps.scheduler.wake(SETTLE_JOB));
  };
  try {
    const transaction = await deps.payments.sell(
      { ...actor, idempotencyKey: null },
      {
        type: 'sale',
        amount: formatDecimal(amount),
        currency: amount.currency,
        method: of.method,
        customerId: of.customerId,
        merchantId: merchant.merchantId,
        customer: { name: payer?.name ?? known.customer_name ?? undefined, email: payer?.email ?? known.customer_email ?? undefined },
        billing: payer?.zip === undefined ? undefined : { zip: payer.zip },
        orderId: known.number,
        description: `Invoice ${known.number}`,
        source: of.source,
        invoice: { invoiceId: known.id, claim: { prepare } },
      },
    );
    return { paymentId, paid: await conclude(deps, actor, merchant, known.id, paymentId, transaction) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return afterFault(deps, actor, merchant, known.id, paymentId, error);
  }
}

/** Records a payment whose transaction has an outcome. A payment that the gateway holds for review is returned unchanged. */
async function conclude(
  deps: Dependencies,
  actor: Actor,
  merchant: Merchant,
  invoiceId: string,
  paymentId: string,
  transaction: Transaction,
): Promise<PaidInvoice> {
  if (transaction.status !== 'pending') {
    const settled = await settle(deps, actor, paymentId, transaction);
    if (settled) return settled;
  }
  return deps.database.unitOfWork.run(actor.tenantId, async (work) => {
    const row = await lockInvoice(work, invoiceId);
    const payment = await work.lockOne(INVOICE_PAYMENTS, { id: paymentId });
    const paidInvoice = { invoice: await shown(deps, work, row, merchant), transaction };
    const name = payment && keyNameOf(payment);
    if (name) {
      await deps.once.finishIn(work, name, deps.renderAnswer(name.route, { paidInvoice }));
      await work.update(INVOICE_PAYMENTS, { id: paymentId }, NO_IDEMPOTENCY_KEY);
    }
    return paidInvoice;
  });
}

/**
 * Releases the reservation of a charge that was certainly not made. An unknown outcome stays reserved, and the error is stored as its
 * response.
 */
async function afterFault(
  deps: Dependencies,
  actor: Actor,
  merchant: Merchant,
  invoiceId: string,
  paymentId: string,
  error: ServiceError,
): Promise<Charged> {
  const payment = await deps.database.read(actor.tenantId).one(INVOICE_PAYMENTS, { id: paymentId });
  // Refused before anything was written.
  if (payment?.transaction_id == null) throw error;
  if (error.code !== 'GATEWAY_TIMEOUT') {
    const transaction = await deps.payments.find(actor.tenantId, payment.transaction_id);
    // A failure of Paydesk itself, such as of the database, is not a decline: the job checks the payment again.
    if (transaction.status === 'pending') throw error;
    const settled = await settle(deps, actor, paymentId, transaction);
    return settled === null || transaction.status === 'failed' ? { paymentId, error } : { paymentId, paid: settled };
  }
  const isOpen = await deps.database.unitOfWork.run(actor.tenantId, async (work) => {
    const present = await work.lockOne(INVOICE_PAYMENTS, { id: paymentId });
    if (present?.status !== 'pending') return false;
    const name = keyNameOf(present);
    if (name) {
      await deps.once.finishIn(work, name, deps.renderAnswer(name.route, { error }));
      await work.update(INVOICE_PAYMENTS, { id: paymentId }, NO_IDEMPOTENCY_KEY);
    }
    return true;
  });
  if (isOpen) return { paymentId, error };
  // The outcome was found in the meantime, and its response is stored.
  const transaction = await deps.payments.find(actor.tenantId, payment.transaction_id);
  if (transaction.status === 'failed') return { paymentId, error };
  return { paymentId, paid: await conclude(deps, actor, merchant, invoiceId, paymentId, transaction) };
}
