import {
  type Actor,
  type Currency,
  EMAIL_MAX,
  formatDecimal,
  isEmailAddress,
  isStorable,
  type Money,
  money,
  parseMoney,
  parseMoneyOrZero,
  ServiceError,
  serviceActor,
  step,
} from '#core/kernel';
import type { Merchant } from '#core/processing/merchants';
import { highestSurchargePercent, type SurchargeQuote } from '#core/sales/payments';
import type { Language } from '#shared/languages';
import { checkPayable, payableAmount } from './balance.ts';
import { isPageToken } from './codes.ts';
import { trimmedOrNull } from './create.ts';
import type { Dependencies } from './dependencies.ts';
import { reconcilePages } from './hosted-page-state/ask.ts';
import type { PageInput, PageOrigin } from './input.ts';
import { toPagePayment } from './invoice.ts';
import { charge, customerOf, invoiceChanged } from './pay.ts';
import { loadInvoice } from './read.ts';
import type { Invoice, PagePayment } from './records.ts';
import { languageOf } from './reminders/read.ts';
import { findByPageToken, invoiceNotFound } from './repository.ts';
import { INVOICE_PAYMENTS, type InvoicePaymentRow, type InvoiceRow } from './schema.ts';
import { INVOICE_STEPS } from './steps.ts';
import { type TipChoice, type TipOffer, tipOf, tipOfferOf } from './tips.ts';

/** `open` accepts a payment; `busy`: a pending payment reserves the whole amount due; `closed`: the merchant no longer exists. */
type PageState = 'open' | 'paid' | 'cancelled' | 'expired' | 'busy' | 'closed';

/** Payment methods and required fields of pages for payers. */
export interface PaymentRules {
  /** Accepted payment methods in the merchant's order. */
  readonly methods: readonly ('card' | 'ach')[];
  readonly requireCvv: boolean;
  /** True if a card payment needs a ZIP code: the merchant requires it, or the law of the payer's state decides about a surcharge. */
  readonly requireZip: boolean;
  /** Surcharge on credit cards that the merchant's rule has, in percent; 0 for none. Law and card schemes may allow less. */
  readonly surchargePercent: number;
}

/** Data of an invoice's hosted page. */
export interface PayPage extends PaymentRules {
  readonly tenantId: string;
  readonly merchant: Merchant;
  /** Language that was chosen for the customer; null for none. */
  readonly language: Language | null;
  readonly invoice: Invoice;
  readonly isSandbox: boolean;
  readonly state: PageState;
  /** Tips that the page offers; null for none. */
  readonly tips: TipOffer | null;
}

const ATTEMPT_KEY_MAX = 100;
const NAME_MAX = 200;
const ZIP_MAX = 20;
const SHIPPING_MAX = 300;
const FIRST_DIGITS = 8;

/** Returns the data of the pay page with a token. @throws ServiceError INVOICE_NOT_FOUND for an unknown token. */
export async function openPage(deps: Dependencies, token: string): Promise<PayPage> {
  const { row, merchant } = await findPage(deps, token);
  return {
    tenantId: row.tenant_id,
    merchant,
    language: await languageOf(deps, row.tenant_id, row.customer_id),
    invoice: await loadInvoice(deps, deps.database.read(row.tenant_id), row, merchant),
    isSandbox: deps.environmentOf(row.tenant_id) === 'sandbox',
    state: stateOf(deps, row, merchant),
    ...paymentRulesOf(merchant),
    tips: tipOfferOf(merchant, row),
  };
}

export const paymentRulesOf = (merchant: Merchant): PaymentRules => ({
  methods: methodsOf(merchant),
  requireCvv: merchant.vtSettings.requireCvv,
  requireZip: requiresZip(merchant),
  surchargePercent: highestSurchargePercent(merchant),
});

async function findPage(deps: Dependencies, token: string): Promise<{ row: InvoiceRow; merchant: Merchant }> {
  const row = isPageToken(token) ? await findByPageToken(deps.database.readAcrossTenants(), token) : null;
  if (!row) throw invoiceNotFound('');
  return { row, merchant: await deps.merchants.merchantFor({ tenantId: row.tenant_id, merchantId: null }, row.merchant_id) };
}

function requiresZip(merchant: Merchant): boolean {
  return merchant.vtSettings.requireZip || highestSurchargePercent(merchant) > 0;
}

function methodsOf({ vtSettings }: Merchant): ('card' | 'ach')[] {
  return vtSettings.allowedModes.filter((mode) => mode !== 'token');
}

function stateOf(deps: Dependencies, row: InvoiceRow, merchant: Merchant): PageState {
  if (row.status === 'paid' || row.status === 'cancelled') return row.status;
  if (merchant.deletedAt !== null) return 'closed';
  if (row.expires_ms !== null && row.expires_ms <= deps.clockOf(row.tenant_id).now()) return 'expired';
  return payableAmount(row).minor === 0 ? 'busy' : 'open';
}

/**
 * Pays an invoice on its page. The same `attemptKey` makes one payment, whose present state is returned. A decline, or a charge that was
 * certainly not made, is a `failed` payment; an unknown outcome is `pending`. @throws ServiceError INVOICE_ALREADY_PAID, INVOICE_CANCELLED,
 * RESOURCE_CONFLICT (expired), MERCHANT_NOT_FOUND (closed), PAYMENT_EXCEEDS_DUE, RATE_LIMIT_EXCEEDED (too many failed payments), the
 * Validation codes.
 */
export async function payOnPage(
  deps: Dependencies,
  token: string,
  input: PageInput,
  { userAgent, deviceId, ...from }: PageOrigin,
): Promise<PagePayment> {
  const { row: found } = await findPage(deps, token);
  const attemptKey = checkedKey(input.attemptKey);
  const before = await attemptOf(deps, found, attemptKey);
  if (before) return toPagePayment(before);
  await reconcilePages(deps, found.tenant_id, found.id);
  const { row, merchant } = await findPage(deps, token);
  refuseUnlessOpen(stateOf(deps, row, merchant), row);
  if (input.currency !== undefined && input.currency !== row.currency) throw invoiceChanged();
  const payer = payerFrom(input, merchant);
  const shippingAddress = shippingFrom(input, row);
  const remaining = payableAmount(row);
  const requested = input.amount === undefined ? null : parseMoney(input.amount, row.currency as Currency);
  checkPayable(row, requested);
  const amount = requested ?? remaining;
  if (row.allow_partial === 0 && amount.minor !== remaining.minor)
    throw new ServiceError('VALIDATION_ERROR', 'The amount due must be paid in full.', { field: 'amount' });
  const actor: Actor = { ...serviceActor(row.tenant_id), credentialId: 'page', name: 'payer', ...from };
  const { method } = input;
  const customerId = await customerOf(deps, row);
  const tipMinor = tipOf(input.tip, tipOfferOf(merchant, row), amount);
  const surcharge = await surchargeOf(deps, row, { method, zip: payer.zip, amount, tipMinor });
  if (surcharge.surchargeAmount.minor > shownSurcharge(input, amount.currency)) throw surchargeNotShown(surcharge);
  try {
    const { paymentId } = await charge(deps, actor, {
      row,
      merchant,
      customerId,
      amount,
      tipMinor,
      surchargeMinor: surcharge.surchargeAmount.minor,
      method,
      invoiceMethod: method.kind,
      origin: 'page',
      source: 'link',
      bankAuthorization: method.kind === 'ach' ? { text: input.consentText } : undefined,
      reference: null,
      note: null,
      attemptKey,
      receiptEmail: payer.email,
      payer,
      payerContext: { ipAddress: from.ip ?? undefined, userAgent, deviceId, shippingAddress },
    });
    return await pagePayment(deps, token, paymentId);
  } catch (error) {
    // The same form was sent twice in parallel, and the other request makes the payment.
    const other = await attemptOf(deps, row, attemptKey);
    if (other) return toPagePayment(other);
    throw error;
  }
}

/** Returns the surcharge of a payment on the page, to be shown before the payer pays. @throws ServiceError INVOICE_NOT_FOUND. */
export async function quoteOnPage(
  deps: Dependencies,
  token: string,
  input: { readonly firstDigits: string; readonly amount: string; readonly zip?: string; readonly tip?: TipChoice },
): Promise<SurchargeQuote> {
  const { row, merchant } = await findPage(deps, token);
  refuseUnlessOpen(stateOf(deps, row, merchant), row);
  const { firstDigits, zip } = input;
  const amount = parseMoney(input.amount, row.currency as Currency);
  return surchargeOf(deps, row, { firstDigits, zip, amount, tipMinor: tipOf(input.tip, tipOfferOf(merchant, row), amount) });
}

interface ChosenCard {
  /** Amount that pays the invoice. */
  readonly amount: Money;
  readonly tipMinor: number;
  readonly zip?: string;
  readonly method?: PageInput['method'];
  readonly firstDigits?: string;
}

export function surchargeOf(
  deps: Dependencies,
  row: Pick<InvoiceRow, 'tenant_id' | 'merchant_id'>,
  { amount, tipMinor, zip, method, firstDigits }: ChosenCard,
): Promise<SurchargeQuote> {
  return deps.payments.quoteSurcharge(serviceActor(row.tenant_id), {
    merchantId: row.merchant_id,
    amount: formatDecimal(money(amount.minor + tipMinor, amount.currency)),
    tipAmount: formatDecimal(money(tipMinor, amount.currency)),
    currency: amount.currency,
    firstDigits: firstDigits ?? (method?.kind === 'card' ? method.number.replace(/\D/g, '').slice(0, FIRST_DIGITS) : undefined),
    token: method?.kind === 'token' ? method.token : undefined,
    isBankAccount: method?.kind === 'ach',
    billing: { zip },
    source: 'link',
  });
}

/** Returns the surcharge that the payer saw, in minor units. */
function shownSurcharge({ surchargeAmount }: PageInput, currency: Currency): number {
  return surchargeAmount === undefined ? 0 : parseMoneyOrZero(surchargeAmount, currency, 'surchargeAmount').minor;
}

/** Thrown before anything is charged if the payer has not seen the surcharge of the card. */
export function surchargeNotShown({ surchargeAmount, totalAmount, surchargePercent }: SurchargeQuote): ServiceError {
  return new ServiceError('RESOURCE_CONFLICT', 'This card has a surcharge that the page did not show.', {
    details: { reason: 'surcharge_not_shown', surchargeAmount, totalAmount, surchargePercent },
  });
}

/** Returns a payment of the page's invoice. @throws ServiceError INVOICE_NOT_FOUND for a payment of another invoice. */
export async function pagePayment(deps: Dependencies, token: string, paymentId: string): Promise<PagePayment> {
  const { row } = await findPage(deps, token);
  if (!isStorable(paymentId)) throw invoiceNotFound('');
  const payment = await deps.database.read(row.tenant_id).one(INVOICE_PAYMENTS, { id: paymentId, invoice_id: row.id });
  if (!payment) throw invoiceNotFound('');
  return toPagePayment(payment);
}

function attemptOf(deps: Dependencies, { tenant_id, id }: InvoiceRow, attemptKey: string): Promise<InvoicePaymentRow | null> {
  return deps.database.read(tenant_id).one(INVOICE_PAYMENTS, { invoice_id: id, attempt_key: attemptKey });
}

export function checkedKey(key: string): string {
  if (key.length > 0 && key.length <= ATTEMPT_KEY_MAX && isStorable(key)) return key;
  throw new ServiceError('VALIDATION_ERROR', `\`attemptKey\` must have 1 to ${ATTEMPT_KEY_MAX} characters.`, { field: 'attemptKey' });
}

function refuseUnlessOpen(state: PageState, row: InvoiceRow): void {
  step(INVOICE_STEPS, row.status, 'pay', { status: row.status });
  if (state === 'closed') throw new ServiceError('MERCHANT_NOT_FOUND', 'This merchant no longer accepts payments.');
  if (state === 'expired')
    throw new ServiceError('RESOURCE_CONFLICT', 'This page no longer accepts payments.', { details: { reason: 'expired' } });
}

/**
 * Reads the payer from the form. @throws ServiceError REQUIRED_FIELD_MISSING for a field that the merchant requires, VALIDATION_ERROR for a
 * payment method that it does not accept.
 */
export function payerFrom(
  { method, name, email, zip }: Pick<PageInput, 'method' | 'name' | 'email' | 'zip'>,
  merchant: Merchant,
  { acceptsStored = false } = {},
): Partial<Record<'name' | 'email' | 'zip', string>> {
  const isAccepted = method.kind === 'token' ? acceptsStored : methodsOf(merchant).includes(method.kind);
  if (!isAccepted) throw new ServiceError('VALIDATION_ERROR', 'This payment method is not accepted here.', { field: 'method' });
  const { requireCvv } = merchant.vtSettings;
  const isCard = method.kind === 'card';
  if (isCard && requireCvv && !method.cvv)
    throw new ServiceError('REQUIRED_FIELD_MISSING', 'The security code is required.', { field: 'card.cvv' });
  const payer = {
    name: optionalText(name, NAME_MAX, 'name'),
    email: optionalText(email, EMAIL_MAX, 'email'),
    zip: optionalText(zip, ZIP_MAX, 'zip'),
  };
  if (isCard && requiresZip(merchant) && payer.zip === undefined)
    throw new ServiceError('REQUIRED_FIELD_MISSING', 'The ZIP code is required.', { field: 'zip' });
  if (payer.email !== undefined && !isEmailAddress(payer.email))
    throw new ServiceError('INVALID_EMAIL', '`email` must be an email address.', { field: 'email' });
  return payer;
}

function shippingFrom({ shippingAddress }: PageInput, row: InvoiceRow): string | undefined {
  if (row.collect_shipping === 0) return undefined;
  const address = optionalText(shippingAddress, SHIPPING_MAX, 'shippingAddress');
  if (address !== undefined) return address;
  throw new ServiceError('REQUIRED_FIELD_MISSING', 'The shipping address is required.', { field: 'shippingAddress' });
}

function optionalText(text: string | undefined, lengthMax: number, field: string): string | undefined {
  const trimmed = trimmedOrNull(text) ?? undefined;
  if (trimmed === undefined || (trimmed.length <= lengthMax && isStorable(trimmed))) return trimmed;
  throw new ServiceError('VALIDATION_ERROR', `\`${field}\` must have at most ${lengthMax} characters.`, { field });
}
