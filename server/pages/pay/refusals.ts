import { ServiceError } from '#core/kernel';
import type { FieldName } from './form.ts';
import type { Texts } from './texts-en.ts';
import type { PayView } from './view.ts';

/** Meaning of an error of the core for the form. */
type Refusal =
  | { readonly kind: 'field'; readonly field: FieldName; readonly text: string; readonly status: number }
  | { readonly kind: 'notice'; readonly text: string; readonly status: number }
  /** The state of the invoice has changed; its page explains it. */
  | { readonly kind: 'state'; readonly status: number }
  /** Too many payments have failed; `retryAfter` in seconds. */
  | { readonly kind: 'wait'; readonly text: string; readonly status: number; readonly retryAfter: number };

const FIELD_NAMES: Readonly<Record<string, FieldName>> = {
  amount: 'amount',
  tipAmount: 'tipAmount',
  email: 'email',
  name: 'name',
  zip: 'zip',
  shippingAddress: 'shippingStreet',
  'billing.zip': 'zip',
  'customer.email': 'email',
  'customer.name': 'name',
  'card.number': 'number',
  'card.expiryMonth': 'expiry',
  'card.expiryYear': 'expiry',
  'card.cvv': 'cvv',
  'bankAccount.routingNumber': 'routing',
  'bankAccount.accountNumber': 'account',
  'bankAccount.accountHolderName': 'name',
};

const SECONDS_IN_MINUTE = 60;
const UNAVAILABLE = new Set(['GATEWAY_ERROR', 'GATEWAY_UNAVAILABLE', 'SERVICE_UNAVAILABLE']);
const STATE_CHANGES = new Set(['INVOICE_ALREADY_PAID', 'INVOICE_CANCELLED', 'INVOICE_NOT_FOUND', 'MERCHANT_NOT_FOUND']);

/** Translates an error for the payer; null for internal errors, which are not shown. */
export function refusalOf(error: unknown, view: PayView, { errors }: Texts): Refusal | null {
  if (!(error instanceof ServiceError)) return null;
  const { code, status, details } = error;
  if (code === 'RATE_LIMIT_EXCEEDED') {
    const retryAfter = Number(details?.retryAfter);
    return { kind: 'wait', text: errors.tooManyAttempts(Math.ceil(retryAfter / SECONDS_IN_MINUTE)), status, retryAfter };
  }
  // The processor decides a payment on its own page of the invoice.
  if (UNAVAILABLE.has(code) || details?.reason === 'hosted_page_payment') return { kind: 'notice', text: errors.unavailable, status };
  if (code === 'PAYMENT_EXCEEDS_DUE')
    return view.allowPartial
      ? { kind: 'field', field: 'amount', text: errors.amount.tooMuch(view.payable.text), status }
      : { kind: 'state', status };
  if (STATE_CHANGES.has(code)) return { kind: 'state', status };
  if (code === 'DUPLICATE_TRANSACTION') return { kind: 'notice', text: errors.repeated, status };
  const field = FIELD_NAMES[error.field ?? ''];
  if (field === 'amount' && !view.allowPartial) return { kind: 'state', status: 409 };
  if (field !== undefined)
    return { kind: 'field', field, text: code === 'CARD_EXPIRED' ? errors.expiry.expired : errors[field].wrong, status };
  if (status >= 500) return null;
  return code === 'RESOURCE_CONFLICT' ? { kind: 'state', status } : { kind: 'notice', text: errors.refused, status };
}
