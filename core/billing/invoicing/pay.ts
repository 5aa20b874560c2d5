import type { Work } from '#core/database';
import {
  type Actor,
  type Currency,
  formatDecimal,
  isoTime,
  later,
  type Money,
  money,
  newId,
  parseMoney,
  parseMoneyOrZero,
  realNow,
  ServiceError,
  timeAfter,
} from '#core/kernel';
import { idempotencyColumns, keyNameOf, NO_IDEMPOTENCY_KEY } from '#core/platform/idempotency';
import { dueAt } from '#core/platform/scheduling';
import { checkOpen, type Merchant } from '#core/processing/merchants';
import { checkAccess } from '#core/sales/customers';
import type { PaymentInput, PaymentMethodInput, Transaction } from '#core/sales/payments';
import type { Channel } from '#shared/channels';
import { checkAttemptLimit } from './attempt-limit.ts';
import { afterReservation, checkPayable, payableAmount } from './balance.ts';
import { trimmedOrNull } from './create.ts';
import { type Dependencies, notifyScreens, type PaidInvoice, SETTLE_JOB } from './dependencies.ts';
import { reconcilePages } from './hosted-page-state/ask.ts';
import { type FoundPayment, recordOnPage } from './hosted-page-state/transaction.ts';
import type { PayInput } from './input.ts';
import { contentOfPayment, linesOfPayment } from './items.ts';
import { paymentRow, recordManualPayment } from './manual-payment.ts';
import { findInvoice, loadInvoice } from './read.ts';
import { lockInvoice } from './repository.ts';
import { INVOICE_PAYMENTS, INVOICES, type InvoicePaymentRow, type InvoiceRow } from './schema.ts';
import { settle } from './settle.ts';
import { taxShare } from './tax.ts';

/** Time after which the job checks a payment whose request may have been lost, in real time. */
const RECHECK_AFTER_MS = 15_000;
/** Attempts to charge while parallel payments change the share of the tax. */
const SHARE_ATTEMPTS = 5;

/**
 * Records a manual payment, or charges one. The amount is in the invoice's currency; pending payments reduce the
 * amount that can
 * still be paid. A decline is a result with its transaction. @throws ServiceError INVOICE_ALREADY_PAID, INVOICE_CANCELLED,
 * PAYMENT_EXCEEDS_DUE with
 * `details.amountDue, requestedAmount, amountPending`, the codes of a sale, and GATEWAY_TIMEOUT: then the amount stays reserved until the
 * outcome is
 * known, and the call must not be repeated.
 */
export async function pay(deps: Dependencies, actor: Actor, id: string, input: PayInput): Promise<PaidInvoice> {
  const { merchant } = await findInvoice(deps, actor, id);
  checkOpen(merchant);
  await reconcilePages(deps, actor.tenantId, id);
  const { row } = await findInvoice(deps, actor, id);
  const amount = parseMoney(input.amount, row.currency as Currency);
  const { paymentMethod, method } = input;
  const surchargeMinor = surchargeFrom(input, amount.currency);
  if (paymentMethod === 'cash' || paymentMethod === 'check' || paymentMethod === 'other')
    return recordManualPayment(deps, actor, row.id, merchant, amount, { ...input, paymentMethod });
  checkPayable(row, amount);
  const customerId = await customerOf(deps, row);
  if (paymentMethod === 'token' && method === undefined) await checkStoredMethod(deps, row, customerId);
  const charged = await charge(deps, actor, {
    row,
    merchant,
    customerId,
    amount,
    surchargeMinor,
    method,
    cvv: input.cvv,
    invoiceMethod: paymentMethod,
    origin: 'desk',
    source: paymentMethod === 'token' ? 'saved' : 'keyed',
    channel: input.channel,
    bankAuthorization: input.bankAuthorization,
    // The customer of a stored payment method is rarely present.
    receiptEmail: paymentMethod === 'token' ? row.customer_email : null,
    reference: trimmedOrNull(input.reference),
    note: trimmedOrNull(input.note),
  });
  if (charged.error) throw charged.error;
  return charged.paid;
}

/** Parses a stated surcharge in minor units. @throws ServiceError INVALID_AMOUNT, also for a payment without a card. */
function surchargeFrom({ surchargeAmount = 0, paymentMethod }: PayInput, currency: Currency): number {
  const surcharge = parseMoneyOrZero(surchargeAmount, currency, 'surchargeAmount').minor;
  if (surcharge === 0 || paymentMethod === 'card' || paymentMethod === 'token') return surcharge;
  throw new ServiceError('INVALID_AMOUNT', 'Only a payment with a card has a surcharge.', { field: 'surchargeAmount' });
}

/** Returns the invoice's customer; null if it was deleted, so that its invoices can still be paid. */
export async function customerOf(deps: Dependencies, { tenant_id: tenantId, customer_id }: InvoiceRow): Promise<string | undefined> {
  if (customer_id === null) return undefined;
  try {
    await checkAccess(deps.database, { tenantId, merchantId: null }, customer_id);
    return customer_id;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'CUSTOMER_NOT_FOUND') return undefined;
    throw error;
  }
}

async function checkStoredMethod(deps: Dependencies, { tenant_id: tenantId }: InvoiceRow, customerId: string | undefined): Promise<void> {
  const payer = customerId === undefined ? null : await deps.customers.payer({ tenantId, merchantId: null }, customerId);
  if (payer?.method) return;
  throw new ServiceError('REQUIRED_FIELD_MISSING', '`token` is required: the customer has no stored payment method.', { field: 'token' });
}

/** Thrown when the amount due changed after the payer opened the page. */
export function invoiceChanged(): ServiceError {
  return new ServiceError('RESOURCE_CONFLICT', 'The invoice was changed in the meantime. Load it again.', {
    details: { reason: 'changed' },
  });
}

/** Request for a charge at a gateway. */
interface Charge {
  readonly row: InvoiceRow;
  readonly merchant: Merchant;
  readonly customerId?: string;
  /** Amount that pays the invoice. */
  readonly amount: Money;
  /** Tip of the payer, in minor units; charged in addition. */
  readonly tipMinor?: number;
  /** Surcharge that the payer agreed to, in minor units; charged in addition. */
  readonly surchargeMinor?: number;
  /** Payment method; by default the customer's stored one. */
  readonly method?: PaymentMethodInput;
  /** Security code of the stored card. */
  readonly cvv?: string;
  readonly invoiceMethod: 'card' | 'ach' | 'token';
  readonly origin: 'desk' | 'page';
  readonly source: 'keyed' | 'saved' | 'link' | 'recurring';
  readonly channel?: Channel;
  readonly bankAuthorization?: PaymentInput['bankAuthorization'];
  readonly installment?: NonNullable<PaymentInput['invoice']>['installment'];
  /** By default the number of the invoice. */
  readonly description?: string;
  readonly reference: string | null;
  readonly note: string | null;
  readonly attemptKey?: string;
  /** Address for the receipt of a successful payment. */
  readonly receiptEmail?: string | null;
  readonly payer?: { readonly name?: string; readonly email?: string; readonly zip?: string };
  /** Device details of the payer on the page. */
  readonly payerContext?: PaymentInput['payerContext'];
  /** Payment that the payer made on a page of the processor; nothing is sent. */
  readonly hosted?: FoundPayment;
  /** Payment whose amount was reserved before, in one commit with those of other invoices. */
  readonly reserved?: InvoicePaymentRow;
  /** Ties the payment to another record in the unit of work of its intent; the invoice is locked. */
  readonly claim?: (work: Work, intent: ChargeIntent) => Promise<void>;
}

/** A charge that is about to be sent. */
interface ChargeIntent {
  readonly transactionId: string;
  /** Amount of the invoice reserved by other pending payments, in minor units. */
  readonly otherPendingMinor: number;
}

/** A charge of a stored payment method on a schedule, without the payer. */
export interface ScheduledCharge {
  readonly amount: Money;
  readonly customerId: string;
  readonly token: string;
  readonly description: string;
  /** Address for the receipt of a successful charge; null for none. */
  readonly receiptEmail: string | null;
  readonly claim: (work: Work, intent: ChargeIntent) => Promise<void>;
  readonly installment: NonNullable<NonNullable<PaymentInput['invoice']>['installment']>;
}

/**
 * Charges a part of an invoice on a schedule. The outcome is published as `invoice.changed`. Returns the error of a charge without a result;
 * an error before the payment was written is thrown.
 */
export async function chargeOnSchedule(
  deps: Dependencies,
  actor: Actor,
  id: string,
  { amount, customerId, token, description, receiptEmail, claim, installment }: ScheduledCharge,
): Promise<ServiceError | null> {
  await reconcilePages(deps, actor.tenantId, id);
  const { row, merchant } = await findInvoice(deps, actor, id);
  checkPayable(row, amount);
  const charged = await charge(
    deps,
    { ...actor, idempotencyKey: null },
    {
      row,
      merchant,
      customerId,
      amount,
      method: { kind: 'token', token },
      invoiceMethod: 'token',
      origin: 'desk',
      source: 'recurring',
      description: `Invoice ${row.number}, ${description}`,
      reference: null,
      note: null,
      receiptEmail,
      claim,
      installment,
    },
  );
  return charged.error ?? null;
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
export async function charge(deps: Dependencies, actor: Actor, request: Charge): Promise<Charged> {
  for (let attemptsLeft = SHARE_ATTEMPTS; ; attemptsLeft -= 1) {
    try {
      return await chargeOnce(deps, actor, request);
    } catch (error) {
      if (!(error instanceof TaxShareChanged)) throw error;
      if (attemptsLeft === 1) throw invoiceChanged();
    }
  }
}

/** Thrown before anything is written if a parallel payment changed the share of the tax. */
class TaxShareChanged extends Error {}

async function chargeOnce(deps: Dependencies, actor: Actor, request: Charge): Promise<Charged> {
  const { row: invoiceBefore, merchant, amount, payer, tipMinor = 0, surchargeMinor = 0 } = request;
  const { tenantId } = actor;
  const { reserved } = request;
  const paymentId = reserved?.id ?? newId('ivp', deps.clockOf(tenantId).now());
  const read = deps.database.read(tenantId);
  const present = (await read.one(INVOICES, { id: invoiceBefore.id })) ?? invoiceBefore;
  const content = contentOfPayment(present, amount.minor);
  const hasTooLittle = payableAmount(present).minor < amount.minor;
  const taxMinor = reserved?.tax_minor ?? (hasTooLittle ? 0 : await taxShare(read, present, amount.minor));
  const prepare = async (work: Work, transactionId: string) => {
    if (reserved) return sendReserved(deps, work, reserved, transactionId);
    deps.idempotencyKeys.claim(work, actor);
    const row = await lockInvoice(work, invoiceBefore.id);
    checkPayable(row, amount);
    if (row.currency !== amount.currency) throw invoiceChanged();
    if ((await taxShare(work, row, amount.minor)) !== taxMinor) throw new TaxShareChanged('The share of the tax changed.');
    if (request.origin === 'page' && request.hosted === undefined) await checkAttemptLimit(deps, work, row, request.attemptKey);
    await request.claim?.(work, { transactionId, otherPendingMinor: row.pending_minor });
    const at = isoTime(timeAfter(deps.clockOf(tenantId).now(), row.updated_at));
    const payment: InvoicePaymentRow = {
      ...paymentRow(actor, row, paymentId, amount.minor, at),
      ...idempotencyColumns(actor),
      ...dueAt(later(realNow(), RECHECK_AFTER_MS)),
      tax_minor: taxMinor,
      tip_minor: tipMinor,
      surcharge_minor: surchargeMinor,
      method: request.invoiceMethod,
      status: 'pending',
      origin: request.origin,
      transaction_id: transactionId,
      attempt_key: request.attemptKey ?? null,
      receipt_email: request.receiptEmail ?? null,
      reference: request.reference,
      note: request.note,
    };
    work.insert(INVOICE_PAYMENTS, payment);
    await work.update(INVOICES, { id: row.id }, { ...afterReservation(row, amount.minor), updated_at: at });
    notifyScreens(deps, work, row);
    work.afterCommit(() => deps.scheduler.wake(SETTLE_JOB, tenantId));
  };
  const pay = () => {
    if (request.hosted)
      return recordOnPage(deps, { ...actor, idempotencyKey: null }, present, request.hosted, {
        taxMinor,
        customerId: request.customerId,
        prepare,
      });
    return deps.payments.createPayment(
      { ...actor, idempotencyKey: null },
      {
        type: 'sale',
        amount: formatDecimal(money(amount.minor + tipMinor + surchargeMinor, amount.currency)),
        tipAmount: formatDecimal(money(tipMinor + content.tipMinor, amount.currency)),
        discountAmount: formatDecimal(money(content.discountMinor, amount.currency)),
        grantedDiscount: content.granted,
        taxAmount: formatDecimal(money(taxMinor, amount.currency)),
        surchargeAmount: formatDecimal(money(surchargeMinor, amount.currency)),
        currency: amount.currency,
        method: request.method,
        cvv: request.cvv,
        customerId: request.customerId,
        merchantId: merchant.merchantId,
        customer: {
          name: payer?.name ?? invoiceBefore.customer_name ?? undefined,
          email: payer?.email ?? invoiceBefore.customer_email ?? undefined,
        },
        billing: payer?.zip === undefined ? undefined : { zip: payer.zip },
        payerContext: request.payerContext,
        orderId: content.orderId,
        purchaseOrderNumber: present.purchase_order_number ?? undefined,
        description: request.description ?? `Invoice ${invoiceBefore.number}`,
        source: request.source,
        channel: request.channel,
        bankAuthorization: request.bankAuthorization,
        invoice: {
          invoiceId: invoiceBefore.id,
          claim: { prepare },
          lines: linesOfPayment(present, amount.minor),
          installment: request.installment,
        },
      },
    );
  };
  try {
    const transaction = await pay();
    return { paymentId, paid: await conclude(deps, actor, merchant, invoiceBefore.id, paymentId, transaction) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return afterFault(deps, actor, merchant, invoiceBefore.id, paymentId, error);
  }
}

/** Ties a reserved payment to its transaction. @throws ServiceError RESOURCE_CONFLICT if the reservation was released. */
async function sendReserved(deps: Dependencies, work: Work, { id, invoice_id }: InvoicePaymentRow, transactionId: string): Promise<void> {
  const row = await lockInvoice(work, invoice_id);
  const payment = await work.lockOne(INVOICE_PAYMENTS, { id });
  if (payment?.status !== 'pending' || payment.transaction_id !== null) throw invoiceChanged();
  await work.update(INVOICE_PAYMENTS, { id }, { transaction_id: transactionId, ...dueAt(later(realNow(), RECHECK_AFTER_MS)) });
  notifyScreens(deps, work, row);
  work.afterCommit(() => deps.scheduler.wake(SETTLE_JOB, row.tenant_id));
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
  return deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    const row = await lockInvoice(work, invoiceId);
    const payment = await work.lockOne(INVOICE_PAYMENTS, { id: paymentId });
    const paidInvoice = { invoice: await loadInvoice(deps, work, row, merchant), transaction };
    const name = payment && keyNameOf(payment);
    if (name) {
      await deps.idempotencyKeys.completeInWork(work, name, deps.renderResponse(name.route, { paidInvoice }));
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
  // The payment was rejected before anything was written.
  if (payment?.transaction_id == null) throw error;
  if (error.code !== 'GATEWAY_TIMEOUT') {
    const transaction = await deps.payments.find(actor.tenantId, payment.transaction_id);
    // A failure of Paydesk itself, such as of the database, is not a decline: the job checks the payment again.
    if (transaction.status === 'pending') throw error;
    const settled = await settle(deps, actor, paymentId, transaction);
    return settled === null || transaction.status === 'failed' ? { paymentId, error } : { paymentId, paid: settled };
  }
  const isOpen = await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    const present = await work.lockOne(INVOICE_PAYMENTS, { id: paymentId });
    if (present?.status !== 'pending') return false;
    const name = keyNameOf(present);
    if (name) {
      await deps.idempotencyKeys.completeInWork(work, name, deps.renderResponse(name.route, { error }));
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
