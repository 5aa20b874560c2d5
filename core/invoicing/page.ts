import {
  type Actor,
  type Currency,
  EMAIL_MAX,
  isEmailAddress,
  isStorable,
  parseMoney,
  ServiceError,
  serviceActor,
  step,
} from '#core/kernel';
import type { Merchant } from '#core/merchants';
import { checkPayable, payable } from './balance.ts';
import { isPageToken } from './codes.ts';
import { textOf } from './create.ts';
import type { PageInput } from './input.ts';
import { type Invoice, type PagePayment, toPagePayment } from './invoice.ts';
import type { Needs } from './needs.ts';
import { changed, charge, customerOf } from './pay.ts';
import { shown } from './read.ts';
import { missing, ofPage } from './repository.ts';
import { INVOICE_PAYMENTS, type InvoicePaymentRow, type InvoiceRow } from './schema.ts';
import { INVOICE_STEPS } from './steps.ts';

/** open takes a payment; busy: a payment under way holds all that is due; closed: the merchant is gone. */
type PageState = 'open' | 'paid' | 'cancelled' | 'expired' | 'busy' | 'closed';

/** What the hosted page of an invoice needs. */
export interface PayPage {
  readonly tenantId: string;
  readonly merchant: Merchant;
  readonly invoice: Invoice;
  readonly isSandbox: boolean;
  readonly state: PageState;
  /** How it may be paid, in the merchant's order. */
  readonly methods: readonly ('card' | 'ach')[];
  readonly requireCvv: boolean;
  readonly requireZip: boolean;
}

const ATTEMPT_KEY_MAX = 100;
const NAME_MAX = 200;
const ZIP_MAX = 20;

/** The invoice that a page's token opens, with all that the page shows. INVOICE_NOT_FOUND for an unknown token. */
export async function openPage(on: Needs, token: string): Promise<PayPage> {
  const { row, merchant } = await find(on, token);
  const { requireCvv, requireZip } = merchant.vtSettings;
  return {
    tenantId: row.tenant_id,
    merchant,
    invoice: await shown(on, on.database.read(row.tenant_id), row, merchant),
    isSandbox: on.environmentOf(row.tenant_id) === 'sandbox',
    state: stateOf(on, row, merchant),
    methods: methodsOf(merchant),
    requireCvv,
    requireZip,
  };
}

async function find(on: Needs, token: string): Promise<{ row: InvoiceRow; merchant: Merchant }> {
  const row = isPageToken(token) ? await ofPage(on.database.readAcrossTenants(), token) : null;
  if (!row) throw missing('');
  return { row, merchant: await on.merchants.merchantFor({ tenantId: row.tenant_id, merchantId: null }, row.merchant_id) };
}

function methodsOf({ vtSettings }: Merchant): ('card' | 'ach')[] {
  return vtSettings.allowedModes.filter((mode) => mode !== 'token');
}

function stateOf(on: Needs, row: InvoiceRow, merchant: Merchant): PageState {
  if (row.status === 'paid' || row.status === 'cancelled') return row.status;
  if (merchant.deletedAt !== null) return 'closed';
  if (row.expires_ms !== null && row.expires_ms <= on.clockOf(row.tenant_id).now()) return 'expired';
  return payable(row).minor === 0 ? 'busy' : 'open';
}

/**
 * Takes the payer's payment. The same attemptKey twice is one payment, whose state as it is then is answered. A decline is a payment that `failed`, and so
 * is what certainly was not charged; one whose outcome is not known is `pending`. Throws INVOICE_ALREADY_PAID, INVOICE_CANCELLED, RESOURCE_CONFLICT
 * (expired), MERCHANT_NOT_FOUND (closed), PAYMENT_EXCEEDS_DUE, RATE_LIMIT_EXCEEDED
 * (too many have failed here), the Validation codes.
 */
export async function payOnPage(
  on: Needs,
  token: string,
  input: PageInput,
  from: { readonly ip: string | null; readonly requestId: string },
): Promise<PagePayment> {
  const { row, merchant } = await find(on, token);
  const attemptKey = checkedKey(input.attemptKey);
  const before = await attemptOf(on, row, attemptKey);
  if (before) return toPagePayment(before);
  refuseUnlessOpen(stateOf(on, row, merchant), row);
  if (input.currency !== undefined && input.currency !== row.currency) throw changed();
  const payer = payerFrom(input, merchant);
  const left = payable(row);
  const asked = input.amount === undefined ? null : parseMoney(input.amount, row.currency as Currency);
  checkPayable(row, asked);
  const amount = asked ?? left;
  if (row.allow_partial === 0 && amount.minor !== left.minor)
    throw new ServiceError('VALIDATION_ERROR', 'It must be paid as a whole.', { field: 'amount' });
  const by: Actor = { ...serviceActor(row.tenant_id), credentialId: 'page', name: 'payer', ...from };
  const { method } = input;
  const customerId = await customerOf(on, row);
  try {
    const { paymentId } = await charge(on, by, {
      row,
      merchant,
      customerId,
      amount,
      method,
      invoiceMethod: method.kind,
      origin: 'page',
      source: 'link',
      reference: null,
      note: null,
      attemptKey,
      receiptEmail: payer.email,
      payer,
    });
    return await pagePayment(on, token, paymentId);
  } catch (error) {
    // The same form came twice at once: the other one is paying.
    const other = await attemptOf(on, row, attemptKey);
    if (other) return toPagePayment(other);
    throw error;
  }
}

/** A payment of the page's invoice as it stands. INVOICE_NOT_FOUND where it is another's. */
export async function pagePayment(on: Needs, token: string, paymentId: string): Promise<PagePayment> {
  const { row } = await find(on, token);
  if (!isStorable(paymentId)) throw missing('');
  const payment = await on.database.read(row.tenant_id).one(INVOICE_PAYMENTS, { id: paymentId, invoice_id: row.id });
  if (!payment) throw missing('');
  return toPagePayment(payment);
}

function attemptOf(on: Needs, { tenant_id, id }: InvoiceRow, attemptKey: string): Promise<InvoicePaymentRow | null> {
  return on.database.read(tenant_id).one(INVOICE_PAYMENTS, { invoice_id: id, attempt_key: attemptKey });
}

function checkedKey(key: string): string {
  if (key.length > 0 && key.length <= ATTEMPT_KEY_MAX && isStorable(key)) return key;
  throw new ServiceError('VALIDATION_ERROR', `attemptKey must have 1 to ${ATTEMPT_KEY_MAX} characters.`, { field: 'attemptKey' });
}

function refuseUnlessOpen(state: PageState, row: InvoiceRow): void {
  step(INVOICE_STEPS, row.status, 'pay', { status: row.status });
  if (state === 'closed') throw new ServiceError('MERCHANT_NOT_FOUND', 'This merchant takes no more payments.');
  if (state === 'expired')
    throw new ServiceError('RESOURCE_CONFLICT', 'This page takes no more payments.', { details: { reason: 'expired' } });
}

/** Who pays, as the page says; REQUIRED_FIELD_MISSING for what the merchant asks for, VALIDATION_ERROR for a way to pay that it does not take. */
function payerFrom({ method, name, email, zip }: PageInput, merchant: Merchant) {
  if (method.kind === 'token' || !methodsOf(merchant).includes(method.kind))
    throw new ServiceError('VALIDATION_ERROR', 'This way to pay is not taken here.', { field: 'method' });
  const { requireCvv, requireZip } = merchant.vtSettings;
  const isCard = method.kind === 'card';
  if (isCard && requireCvv && !method.cvv)
    throw new ServiceError('REQUIRED_FIELD_MISSING', 'The security code is required.', { field: 'card.cvv' });
  const payer = { name: short(name, NAME_MAX, 'name'), email: short(email, EMAIL_MAX, 'email'), zip: short(zip, ZIP_MAX, 'zip') };
  if (isCard && requireZip && payer.zip === undefined)
    throw new ServiceError('REQUIRED_FIELD_MISSING', 'The ZIP code is required.', { field: 'zip' });
  if (payer.email !== undefined && !isEmailAddress(payer.email))
    throw new ServiceError('INVALID_EMAIL', 'email must be an e-mail address.', { field: 'email' });
  return payer;
}

function short(text: string | undefined, most: number, field: string): string | undefined {
  const kept = textOf(text) ?? undefined;
  if (kept === undefined || (kept.length <= most && isStorable(kept))) return kept;
  throw new ServiceError('VALIDATION_ERROR', `${field} must have at most ${most} characters.`, { field });
}
