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
import { ANSWERED, onceColumns, onceNameOf } from '#core/platform/idempotency';
import { dueAt } from '#core/platform/scheduling';
import { checkPayable, paidBy } from './balance.ts';
import { keep } from './change.ts';
import { textOf } from './create.ts';
import type { PayInput } from './input.ts';
import { type Needs, onceIn, type PaidInvoice, SETTLE_JOB, tellScreens } from './needs.ts';
import { present, shown } from './read.ts';
import { lockInvoice } from './repository.ts';
import { INVOICE_PAYMENTS, INVOICES, type InvoicePaymentRow, type InvoiceRow } from './schema.ts';
import { settle } from './settle.ts';
import { note, paymentFields, tell } from './tell.ts';
import { refuseTooManyTries } from './tries.ts';

/** A payment whose request was lost is looked at this long after it was sent, in real time. */
const LOST_AFTER_MS = 15_000;

/**
 * Records a payment that was taken without us, or charges one (specification 4.10). The amount is in the invoice's currency; pending
 * payments count against what is due. A decline is a result with its transaction. Throws INVOICE_ALREADY_PAID, INVOICE_CANCELLED,
 * PAYMENT_EXCEEDS_DUE with `details.amountDue, requestedAmount, amountPending`, the codes of a sale, and GATEWAY_TIMEOUT: then the amount stays held
 * until the outcome is found out, and the call must not be repeated.
 */
export async function pay(on: Needs, by: Actor, id: string, input: PayInput): Promise<PaidInvoice> {
  const { row, merchant } = await present(on, by, id);
  openFor(merchant);
  const amount = parseMoney(input.amount, row.currency as Currency);
  const { paymentMethod, method } = input;
  if (paymentMethod === 'cash' || paymentMethod === 'check' || paymentMethod === 'other')
    return record(on, by, row.id, merchant, amount, input);
  checkPayable(row, amount);
  const customerId = await customerOf(on, row);
  if (paymentMethod === 'token' && method === undefined) await checkOnFile(on, row, customerId);
  const charged = await charge(on, by, {
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

/** The invoice's customer while it is there: a deleted one's invoices are paid without it. */
export async function customerOf(on: Needs, { tenant_id: tenantId, customer_id }: InvoiceRow): Promise<string | undefined> {
  if (customer_id === null) return undefined;
  try {
    await checkReach(on.database, { tenantId, merchantId: null }, customer_id);
    return customer_id;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'CUSTOMER_NOT_FOUND') return undefined;
    throw error;
  }
}

async function checkOnFile(on: Needs, { tenant_id: tenantId }: InvoiceRow, customerId: string | undefined): Promise<void> {
  const payer = customerId === undefined ? null : await on.customers.payer({ tenantId, merchantId: null }, customerId);
  if (payer?.method) return;
  throw new ServiceError('REQUIRED_FIELD_MISSING', 'token is required: there is nothing on file to pay with.', { field: 'token' });
}

/** A payment that needs no gateway, in one unit of work. */
function record(on: Needs, by: Actor, id: string, merchant: Merchant, amount: Money, input: PayInput): Promise<PaidInvoice> {
  const carryOut = async (work: Work): Promise<PaidInvoice> => {
    const row = await lockInvoice(work, id);
    checkPayable(row, amount);
    const now = timeAfter(on.clockOf(by.tenantId).now(), row.updated_at);
    const at = isoTime(now);
    const amount_minor = amount.minor;
    const payment: InvoicePaymentRow = {
      ...paymentRow(by, row, newId('ivp', now), amount_minor, at),
      method: input.paymentMethod,
      status: 'succeeded',
      origin: 'desk',
      reference: textOf(input.reference),
      note: textOf(input.note),
      concluded_at: at,
    };
    work.insert(INVOICE_PAYMENTS, payment);
    const next = await keep(on, work, row, paidBy(row, amount_minor, at), merchant, now);
    note(on, work, by, 'payment_received', row, next, paymentFields(payment));
    await tell(on, work, next.status === 'paid' ? 'invoice.paid' : 'invoice.partially_paid', next, null, now);
    return { invoice: await shown(on, work, next, merchant), transaction: null };
  };
  return onceIn(on, by, carryOut, (paidInvoice) => ({ paidInvoice }));
}

/** What was to be paid is not what is asked for any more. */
export function changed(): ServiceError {
  return new ServiceError('RESOURCE_CONFLICT', 'The invoice was changed meanwhile; look at it again.', { details: { reason: 'changed' } });
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
    ...ANSWERED,
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
  /** Without it, what the customer has on file. */
  readonly method?: PaymentMethodInput;
  readonly invoiceMethod: 'card' | 'ach' | 'token';
  readonly origin: 'desk' | 'page';
  readonly source: 'keyed' | 'saved' | 'link';
  readonly reference: string | null;
  readonly note: string | null;
  readonly attemptKey?: string;
  /** Where the receipt goes once it is paid. */
  readonly receiptEmail?: string;
  readonly payer?: { readonly name?: string; readonly email?: string; readonly zip?: string };
}

/** What came of a charge; `error` is what the caller is told of one that has no result yet, or was never sent. */
type Charged =
  | { readonly paymentId: string; readonly paid: PaidInvoice; readonly error?: undefined }
  | { readonly paymentId: string; readonly error: ServiceError };

/**
 * Charges a part of an invoice. The payment's claim on what is due, its row and the transaction's intent are one unit of work under the invoice's
 * lock, so two at once never pay more than is due; the answer of the request is kept with the payment's outcome, by whoever finds it.
 */
export async function charge(on: Needs, by: Actor, of: Charge): Promise<Charged> {
  const { row: known, merchant, amount, payer } = of;
  const { tenantId } = by;
  const paymentId = newId('ivp', on.clockOf(tenantId).now());
  const prepare = async (work: Work, transactionId: string) => {
    on.once.open(work, by);
    const row = await lockInvoice(work, known.id);
    checkPayable(row, amount);
    if (row.currency !== amount.currency) throw changed();
    if (of.origin === 'page') await refuseTooManyTries(on, work, row);
    const at = isoTime(timeAfter(on.clockOf(tenantId).now(), row.updated_at));
    const payment: InvoicePaymentRow = {
      ...paymentRow(by, row, paymentId, amount.minor, at),
      ...onceColumns(by),
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
    tellScreens(on, work, tenantId);
    work.afterCommit(() => on.scheduler.wake(SETTLE_JOB));
  };
  try {
    const transaction = await on.payments.sell(
      { ...by, once: null },
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
    return { paymentId, paid: await conclude(on, by, merchant, known.id, paymentId, transaction) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return afterFault(on, by, merchant, known.id, paymentId, error);
  }
}

/** Settles a payment whose transaction has an outcome; one that the gateway holds for review is answered as it stands. */
async function conclude(
  on: Needs,
  by: Actor,
  merchant: Merchant,
  invoiceId: string,
  paymentId: string,
  transaction: Transaction,
): Promise<PaidInvoice> {
  if (transaction.status !== 'pending') {
    const settled = await settle(on, by, paymentId, transaction);
    if (settled) return settled;
  }
  return on.database.unitOfWork.run(by.tenantId, async (work) => {
    const row = await lockInvoice(work, invoiceId);
    const payment = await work.lockOne(INVOICE_PAYMENTS, { id: paymentId });
    const paidInvoice = { invoice: await shown(on, work, row, merchant), transaction };
    const name = payment && onceNameOf(payment);
    if (name) {
      await on.once.finishIn(work, name, on.renderAnswer(name.route, { paidInvoice }));
      await work.update(INVOICE_PAYMENTS, { id: paymentId }, ANSWERED);
    }
    return paidInvoice;
  });
}

/** What certainly was not charged is taken back; what nobody knows yet stays held, and its answer is kept as the error. */
async function afterFault(
  on: Needs,
  by: Actor,
  merchant: Merchant,
  invoiceId: string,
  paymentId: string,
  error: ServiceError,
): Promise<Charged> {
  const payment = await on.database.read(by.tenantId).one(INVOICE_PAYMENTS, { id: paymentId });
  // Refused before anything was written.
  if (payment?.transaction_id == null) throw error;
  if (error.code !== 'GATEWAY_TIMEOUT') {
    const transaction = await on.payments.find(by.tenantId, payment.transaction_id);
    // What failed here, such as the database, is nobody's decline: the payment is looked at again.
    if (transaction.status === 'pending') throw error;
    const settled = await settle(on, by, paymentId, transaction);
    return settled === null || transaction.status === 'failed' ? { paymentId, error } : { paymentId, paid: settled };
  }
  const isOpen = await on.database.unitOfWork.run(by.tenantId, async (work) => {
    const present = await work.lockOne(INVOICE_PAYMENTS, { id: paymentId });
    if (present?.status !== 'pending') return false;
    const name = onceNameOf(present);
    if (name) {
      await on.once.finishIn(work, name, on.renderAnswer(name.route, { error }));
      await work.update(INVOICE_PAYMENTS, { id: paymentId }, ANSWERED);
    }
    return true;
  });
  if (isOpen) return { paymentId, error };
  // The doubt has ended meanwhile, and its answer is kept.
  const transaction = await on.payments.find(by.tenantId, payment.transaction_id);
  if (transaction.status === 'failed') return { paymentId, error };
  return { paymentId, paid: await conclude(on, by, merchant, invoiceId, paymentId, transaction) };
}
