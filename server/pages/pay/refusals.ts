import { ServiceError } from '#core/kernel';
import type { FieldName } from './form.ts';
import type { PayView } from './view.ts';
import type { Words } from './words.ts';

/** Meaning of an error of the core for the form. */
type Refusal =
  | { readonly kind: 'field'; readonly field: FieldName; readonly words: string; readonly status: number }
  | { readonly kind: 'notice'; readonly words: string; readonly status: number }
  /** The state of the invoice has changed; its page explains it. */
  | { readonly kind: 'state'; readonly status: number }
  /** Too many payments have failed; `retryAfter` in seconds. */
  | { readonly kind: 'wait'; readonly words: string; readonly status: number; readonly retryAfter: number };

const FIELD_NAMES: Readonly<Record<string, FieldName>> = {
  amount: 'amount',
  email: 'email',
  name: 'name',
  zip: 'zip',
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
const AWAY = new Set(['GATEWAY_ERROR', 'GATEWAY_UNAVAILABLE', 'SERVICE_UNAVAILABLE']);
const STATES = new Set(['INVOICE_ALREADY_PAID', 'INVOICE_CANCELLED', 'INVOICE_NOT_FOUND', 'MERCHANT_NOT_FOUND']);

/** Translates an error for the payer; null for internal errors, which are not shown. */
export function refusalOf(error: unknown, view: PayView, { errors }: Words): Refusal | null {
  if (!(error instanceof ServiceError)) return null;
  const { code, status, details } = error;
  if (code === 'RATE_LIMIT_EXCEEDED') {
    const retryAfter = Number(details?.retryAfter);
    return { kind: 'wait', words: errors.tooManyTries(Math.ceil(retryAfter / SECONDS_IN_MINUTE)), status, retryAfter };
  }
  if (AWAY.has(code)) return { kind: 'notice', words: errors.unavailable, status };
  if (code === 'PAYMENT_EXCEEDS_DUE')
    return view.allowPartial
      ? { kind: 'field', field: 'amount', words: errors.amount.tooMuch(view.payable.text), status }
      : { kind: 'state', status };
  if (STATES.has(code)) return { kind: 'state', status };
  if (code === 'DUPLICATE_TRANSACTION') return { kind: 'notice', words: errors.repeated, status };
  const field = FIELD_NAMES[error.field ?? ''];
  if (field === 'amount' && !view.allowPartial) return { kind: 'state', status: 409 };
  if (field !== undefined)
    return { kind: 'field', field, words: code === 'CARD_EXPIRED' ? errors.expiry.over : errors[field].wrong, status };
  if (status >= 500) return null;
  return code === 'RESOURCE_CONFLICT' ? { kind: 'state', status } : { kind: 'notice', words: errors.refused, status };
}
