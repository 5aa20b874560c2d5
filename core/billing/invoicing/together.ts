import { listOf, lit, queriesOn, TENANT, UniqueViolation, type Work } from '#core/database';
import {
  type Actor,
  type Currency,
  isoTime,
  later,
  type Money,
  money,
  newId,
  realNow,
  ServiceError,
  serviceActor,
  storedCurrency,
  timeAfter,
} from '#core/kernel';
import { dueAt } from '#core/platform/scheduling';
import { checkOpen, type Merchant } from '#core/processing/merchants';
import type { PaymentMethodInput, SurchargeQuote } from '#core/sales/payments';
import { checkAttemptLimit } from './attempt-limit.ts';
import { afterReservation, checkPayable, payableAmount } from './balance.ts';
import { OPEN } from './daily-run.ts';
import { type Dependencies, notifyScreens, SETTLE_JOB } from './dependencies.ts';
import { reconcilePages } from './hosted-page-state/ask.ts';
import type { PageInput, PageOrigin } from './input.ts';
import { toPagePayment } from './invoice.ts';
import { paymentRow } from './manual-payment.ts';
import { checkedKey, payerFrom, surchargeNotShown, surchargeOf } from './page.ts';
import { charge, invoiceChanged } from './pay.ts';
import type { PagePayment } from './records.ts';
import { lockInvoice } from './repository.ts';
import { INVOICE_PAYMENTS, INVOICES, type InvoicePaymentRow, type InvoiceRow, PAYMENT_GROUPS, type PaymentGroupRow } from './schema.ts';
import { releaseUnsent } from './settle.ts';
import { taxShare } from './tax.ts';

/** Largest number of invoices that one submission pays. */
export const TOGETHER_MAX = 20;
/** Largest number of open invoices that the page of a customer shows. */
const OPEN_MAX = 200;
/** Time after which the job releases a reservation whose request was lost. A request in progress finds its reservation released and charges nothing. */
const RELEASE_AFTER_MS = 10 * 60_000;
/** Time after which a submission charges no further invoice. */
const CHARGING_MAX_MS = 4 * 60_000;

/** The customer whose invoices are read and paid. */
export interface InvoicePayer {
  readonly tenantId: string;
  readonly merchantId: string;
  readonly customerId: string;
}

/** An unpaid invoice of a customer. */
export interface OpenInvoice {
  readonly invoiceId: string;
  readonly number: string;
  readonly description: string | null;
  readonly amountDue: Money;
  /** Amount that can be paid now: the amount due without pending payments. */
  readonly payable: Money;
  readonly dueDate: string | null;
  readonly isOverdue: boolean;
  /** Path of the page of the invoice. */
  readonly path: string;
  /** True if its own page asks for a shipping address, so that it cannot be paid with others. */
  readonly needsAddress: boolean;
}

const openInvoices = ({ customerId, merchantId }: InvoicePayer) =>
  queriesOn(INVOICES)
    .selectFrom('invoices')
    .where('tenant_id', '=', TENANT)
    .where('customer_id', '=', customerId)
    .where('merchant_id', '=', merchantId)
    .where('kind', '=', lit('invoice'))
    .where(
      'status',
      'in',
      OPEN.map((status) => lit(status)),
    );

/** Unpaid invoices of a customer in a currency. */
export interface OpenTotal {
  readonly count: number;
  readonly amountDue: Money;
}

/** Returns the totals of the unpaid invoices of a customer, without some of them. */
export async function openTotalsOf(deps: Dependencies, payer: InvoicePayer, without: readonly string[]): Promise<OpenTotal[]> {
  const all = openInvoices(payer);
  const rows = await deps.database
    .read(payer.tenantId)
    .rows(
      (without.length === 0 ? all : all.where('id', 'not in', listOf(without)))
        .select(({ fn }) => [
          'currency',
          fn.countAll<number>().as('n'),
          fn.sum<number>('amount_minor').as('amount'),
          fn.sum<number>('paid_minor').as('paid'),
        ])
        .groupBy('currency'),
    );
  return rows.map(({ currency, n, amount, paid }) => ({
    count: Number(n),
    amountDue: money(Number(amount) - Number(paid), storedCurrency(currency)),
  }));
}

/** Returns the unpaid invoices of a customer, those that are due first at the beginning; at most 200. */
export async function openInvoicesOf(deps: Dependencies, payer: InvoicePayer): Promise<OpenInvoice[]> {
  const query = openInvoices(payer).selectAll().orderBy('due_date').orderBy('id').limit(OPEN_MAX);
  const rows = await deps.database.read(payer.tenantId).rows<InvoiceRow>(query);
  return rows.map((row) => ({
    invoiceId: row.id,
    number: row.number,
    description: row.description,
    amountDue: money(row.amount_minor - row.paid_minor, row.currency as Currency),
    payable: payableAmount(row),
    dueDate: row.due_date,
    isOverdue: row.status === 'overdue',
    path: `/pay/${row.page_token}`,
    needsAddress: row.collect_shipping === 1,
  }));
}

/** Payment of several invoices of a customer with one card or bank account. */
export interface TogetherInput extends Pick<PageInput, 'attemptKey' | 'method' | 'consentText' | 'name' | 'email' | 'zip'> {
  /** Invoices with the amounts that the payer saw, in minor units. */
  readonly invoices: readonly { readonly invoiceId: string; readonly amountMinor: number }[];
  /** Surcharge that the payer saw, in minor units, for all invoices together. */
  readonly surchargeMinor: number;
}

/** A payment of several invoices with the payment of each; null if an invoice was not charged. */
export interface PaymentGroup {
  readonly groupId: string;
  readonly payments: readonly { readonly number: string; readonly amount: Money; readonly payment: PagePayment | null }[];
}

interface Reserved {
  readonly invoiceId: string;
  readonly paymentId: string;
  readonly amountMinor: number;
}

/**
 * Pays several invoices, each with a payment of its own. One commit reserves the amounts of all of them, so that no other payment takes one; then they are
 * charged one after the other, and the first that is not approved ends the submission: what was not charged is released. The same `attemptKey` makes
 * one submission, whose ID is returned. @throws ServiceError RESOURCE_CONFLICT if an invoice has changed or a surcharge was not shown; the Validation codes.
 */
export async function payTogether(
  deps: Dependencies,
  payer: InvoicePayer,
  input: TogetherInput,
  { userAgent, deviceId, ...from }: PageOrigin,
): Promise<string> {
  const attemptKey = checkedKey(input.attemptKey);
  const known = await groupOf(deps, payer, { attempt_key: attemptKey });
  if (known) return known.id;
  const merchant = checkOpen(await deps.merchants.merchantFor({ tenantId: payer.tenantId, merchantId: null }, payer.merchantId));
  const details = payerFrom(input, merchant, { acceptsStored: true });
  await Promise.all(input.invoices.slice(0, TOGETHER_MAX).map(({ invoiceId }) => reconcilePages(deps, payer.tenantId, invoiceId)));
  const open = await openInvoicesOf(deps, payer);
  const chosen = chosenFrom(open, input.invoices);
  const surcharges = await surchargesOf(deps, payer, chosen, input);
  const actor: Actor = { ...serviceActor(payer.tenantId), credentialId: 'page', name: 'payer', ...from };
  const receiptEmail = details.email ?? null;
  const group = await reserve(deps, actor, payer, { attemptKey, chosen, surcharges, method: input.method, receiptEmail });
  if (typeof group === 'string') return group;
  const endMs = performance.now() + CHARGING_MAX_MS;
  let isGoing = true;
  for (const reserved of group.reserved) {
    isGoing &&= performance.now() < endMs;
    isGoing &&= await chargeReserved(deps, actor, merchant, reserved, {
      customerId: payer.customerId,
      method: input.method,
      consentText: input.consentText,
      payer: details,
      payerContext: { ipAddress: from.ip ?? undefined, userAgent, deviceId },
    });
    if (!isGoing) await releaseUnsent(deps, payer.tenantId, reserved.paymentId);
  }
  return group.groupId;
}

/** Returns the open invoices of a submission, in the order of their IDs. @throws ServiceError RESOURCE_CONFLICT for one whose amount has changed. */
function chosenFrom(open: readonly OpenInvoice[], invoices: TogetherInput['invoices']): OpenInvoice[] {
  const ids = new Set(invoices.map(({ invoiceId }) => invoiceId));
  if (invoices.length === 0 || invoices.length > TOGETHER_MAX || ids.size < invoices.length)
    throw new ServiceError('VALIDATION_ERROR', `Choose 1 to ${TOGETHER_MAX} invoices.`, { field: 'invoices' });
  const chosen = invoices
    .map(({ invoiceId, amountMinor }) => {
      const found = open.find((each) => each.invoiceId === invoiceId);
      if (!found || found.payable.minor !== amountMinor || amountMinor === 0 || found.needsAddress) throw invoiceChanged();
      return found;
    })
    .sort((left, right) => (left.invoiceId < right.invoiceId ? -1 : 1));
  if (new Set(chosen.map(({ payable }) => payable.currency)).size > 1)
    throw new ServiceError('VALIDATION_ERROR', 'Choose invoices in one currency.', { field: 'invoices' });
  return chosen;
}

/** Returns the surcharge of each invoice, in minor units. @throws ServiceError RESOURCE_CONFLICT if the sum is more than the payer saw. */
async function surchargesOf(
  deps: Dependencies,
  payer: InvoicePayer,
  chosen: readonly OpenInvoice[],
  { method, zip, surchargeMinor }: TogetherInput,
): Promise<number[]> {
  const quotes: SurchargeQuote[] = [];
  for (const { payable } of chosen)
    quotes.push(
      await surchargeOf(deps, { tenant_id: payer.tenantId, merchant_id: payer.merchantId }, { method, zip, amount: payable, tipMinor: 0 }),
    );
  const [first] = quotes;
  const sum = quotes.reduce((total, quote) => total + quote.surchargeAmount.minor, 0);
  if (first === undefined || sum <= surchargeMinor) return quotes.map((quote) => quote.surchargeAmount.minor);
  const total = chosen.reduce((all, { payable }) => all + payable.minor, sum);
  const { currency } = first.surchargeAmount;
  throw surchargeNotShown({ ...first, surchargeAmount: money(sum, currency), totalAmount: money(total, currency) });
}

interface Reservation {
  readonly attemptKey: string;
  readonly chosen: readonly OpenInvoice[];
  readonly surcharges: readonly number[];
  readonly method: PaymentMethodInput;
  readonly receiptEmail: string | null;
}

/** Reserves the amounts of all invoices in one commit. Returns the ID of the group if the same submission runs already. */
async function reserve(
  deps: Dependencies,
  actor: Actor,
  payer: InvoicePayer,
  { attemptKey, chosen, surcharges, method, receiptEmail }: Reservation,
): Promise<string | { readonly groupId: string; readonly reserved: readonly Reserved[] }> {
  const groupId = newId('ivg', deps.clockOf(payer.tenantId).now());
  try {
    return await deps.database.unitOfWork.transaction(payer.tenantId, async (work) => {
      const reserved: Reserved[] = [];
      for (const [nth, invoice] of chosen.entries())
        reserved.push(
          await reserveOne(deps, work, actor, invoice, { attemptKey, surchargeMinor: surcharges[nth] ?? 0, method, receiptEmail }),
        );
      work.insert(PAYMENT_GROUPS, {
        tenant_id: payer.tenantId,
        id: groupId,
        customer_id: payer.customerId,
        attempt_key: attemptKey,
        payments: JSON.stringify(reserved),
        created_at: isoTime(deps.clockOf(payer.tenantId).now()),
      });
      return { groupId, reserved };
    });
  } catch (error) {
    // The same form was sent twice in parallel, and the other request makes the payments.
    const other = await groupOf(deps, payer, { attempt_key: attemptKey });
    if (other && (error instanceof UniqueViolation || error instanceof ServiceError)) return other.id;
    throw error;
  }
}

async function reserveOne(
  deps: Dependencies,
  work: Work,
  actor: Actor,
  { invoiceId, payable }: OpenInvoice,
  given: Pick<Reservation, 'attemptKey' | 'method' | 'receiptEmail'> & { readonly surchargeMinor: number },
): Promise<Reserved> {
  const row = await lockInvoice(work, invoiceId);
  checkPayable(row, payable);
  if (payableAmount(row).minor !== payable.minor || row.currency !== payable.currency) throw invoiceChanged();
  await checkAttemptLimit(deps, work, row, given.attemptKey);
  const now = timeAfter(deps.clockOf(actor.tenantId).now(), row.updated_at);
  const at = isoTime(now);
  const payment: InvoicePaymentRow = {
    ...paymentRow(actor, row, newId('ivp', now), payable.minor, at),
    ...dueAt(later(realNow(), RELEASE_AFTER_MS)),
    tax_minor: await taxShare(work, row, payable.minor),
    surcharge_minor: given.surchargeMinor,
    method: given.method.kind,
    status: 'pending',
    origin: 'page',
    attempt_key: given.attemptKey,
    receipt_email: given.receiptEmail,
    reference: null,
    note: null,
  };
  work.insert(INVOICE_PAYMENTS, payment);
  await work.update(INVOICES, { id: row.id }, { ...afterReservation(row, payable.minor), updated_at: at });
  notifyScreens(deps, work, row);
  work.afterCommit(() => deps.scheduler.wake(SETTLE_JOB, actor.tenantId));
  return { invoiceId, paymentId: payment.id, amountMinor: payable.minor };
}

type ChargeDetails = Pick<Parameters<typeof charge>[2], 'customerId' | 'method' | 'payer' | 'payerContext'> & {
  readonly method: PaymentMethodInput;
  readonly consentText: string | undefined;
};

/** Charges a reserved payment. Returns true if it was approved, so that the next one is charged. */
async function chargeReserved(
  deps: Dependencies,
  actor: Actor,
  merchant: Merchant,
  { invoiceId, paymentId }: Reserved,
  { consentText, ...details }: ChargeDetails,
): Promise<boolean> {
  const read = deps.database.read(actor.tenantId);
  const [row, reserved] = await Promise.all([read.one(INVOICES, { id: invoiceId }), read.one(INVOICE_PAYMENTS, { id: paymentId })]);
  if (!row || !reserved) return false;
  try {
    const charged = await charge(deps, actor, {
      ...details,
      row,
      merchant,
      amount: money(reserved.amount_minor, reserved.currency as Currency),
      surchargeMinor: reserved.surcharge_minor,
      invoiceMethod: details.method.kind,
      origin: 'page',
      source: 'link',
      bankAuthorization: details.method.kind === 'ach' ? { text: consentText } : undefined,
      reference: null,
      note: null,
      reserved,
    });
    return charged.error === undefined && charged.paid.transaction?.status === 'approved';
  } catch (error) {
    // Nothing was sent. The page shows that this invoice was not charged.
    if (!(error instanceof ServiceError) || error.status >= 500)
      deps.report('A payment of several invoices stopped', { paymentId, cause: error });
    return false;
  }
}

function groupOf(
  deps: Dependencies,
  { tenantId, customerId }: InvoicePayer,
  where: { readonly id: string } | { readonly attempt_key: string },
): Promise<PaymentGroupRow | null> {
  return deps.database.read(tenantId).one(PAYMENT_GROUPS, { customer_id: customerId, ...where });
}

/** Returns a submission of the customer with the present state of its payments; null if there is none. */
export async function paymentGroup(deps: Dependencies, payer: InvoicePayer, groupId: string): Promise<PaymentGroup | null> {
  const group = await groupOf(deps, payer, { id: groupId });
  if (!group) return null;
  const read = deps.database.read(payer.tenantId);
  const reserved = JSON.parse(group.payments) as Reserved[];
  const payments = reserved.map(async ({ invoiceId, paymentId, amountMinor }) => {
    const [row, payment] = await Promise.all([read.one(INVOICES, { id: invoiceId }), read.one(INVOICE_PAYMENTS, { id: paymentId })]);
    const amount = money(amountMinor, (row?.currency ?? 'USD') as Currency);
    return { number: row?.number ?? '', amount, payment: payment && toPagePayment(payment) };
  });
  return { groupId, payments: await Promise.all(payments) };
}

/** Returns the ID of the submission with a key; null if there is none. */
export async function knownGroup(deps: Dependencies, payer: InvoicePayer, attemptKey: string): Promise<string | null> {
  return (await groupOf(deps, payer, { attempt_key: attemptKey }))?.id ?? null;
}

/** Deletes the submissions of a deleted customer. */
export async function forgetGroups(work: Work, customerId: string): Promise<void> {
  await work.delete(PAYMENT_GROUPS, { customer_id: customerId });
}
