import type { ErrorCode } from '#core/kernel';
import { docUrlOf } from '#server/http';

/** Explanation of an error code for integrators. */
interface ErrorExplanation {
  readonly meaning: string;
  readonly causes: readonly string[];
  readonly remedy: string;
  /** A message that the service writes, with the values of an example. */
  readonly message: string;
  readonly field?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** True if the code is never an HTTP error: a declined payment has it as `errorCode` with HTTP 200. */
  readonly isDecline?: true;
}

const ID = '01m7y495cj0020acfq3xv5ygj8';
const NOT_RETRYABLE = 'Do not repeat the request unchanged.';

/** Every error code with its meaning, causes and remedy; served under `/docs/errors/CODE` and used for the examples of the OpenAPI document. */
export const ERROR_CATALOG: Readonly<Record<ErrorCode, ErrorExplanation>> = {
  UNAUTHORIZED: {
    meaning: 'The request has no credential, or its API key is not valid.',
    causes: [
      'The header of the surface is missing: `x-api-key` on `/api/v1/public`, `Authorization: Bearer` on `/api/v1` and `/api/v1/sdk`.',
      'The key was revoked, has expired or belongs to another tenant.',
      'An API key was sent to `/api/v1`, which accepts access tokens of signed-in users only.',
    ],
    remedy: 'Check the header, the key and the surface. Create a new key under API keys if the old one is revoked.',
    message: 'The API key is not valid.',
  },
  TOKEN_EXPIRED: {
    meaning: 'The access token or link was valid once and has expired.',
    causes: ['Access tokens are valid for 15 minutes.', 'Client tokens are valid for 30 minutes. Links to set a password expire too.'],
    remedy: 'Exchange the refresh token with `POST /api/v1/auth/refresh`, or sign in again. Request a new link or client token.',
    message: 'The access token has expired. Refresh it.',
  },
  TOKEN_INVALID: {
    meaning: 'The access token, client token or link is not valid.',
    causes: [
      'The session ended: a sign-out, a password change or a repeated refresh token ends it.',
      'The API key that created the client token was revoked, or the client token belongs to another tenant.',
      'The token is incomplete, or comes from another installation.',
    ],
    remedy: 'Sign in again, or create another client token. A refresh token can be used once; a second use ends the session.',
    message: 'The access token is not valid.',
  },
  TENANT_REQUIRED: {
    meaning: 'The request does not name its tenant.',
    causes: ['The `X-Tenant-ID` header is missing on the Public or Admin surface.'],
    remedy: 'Send `X-Tenant-ID` with the ID of your account (`ten_…`). The SDK surface does not need it.',
    message: 'The X-Tenant-ID header is required.',
  },
  TENANT_NOT_FOUND: {
    meaning: 'No tenant has the ID of the `X-Tenant-ID` header.',
    causes: ['The ID has a typing error.', 'The ID comes from another installation, for example a sandbox that was deleted.'],
    remedy: 'Copy the ID from Settings, or from the line that the server prints at its start.',
    message: 'No tenant has this ID.',
  },
  INVALID_CREDENTIALS: {
    meaning: 'The email address or the password is wrong.',
    causes: [
      'The password is wrong.',
      'The email address has no user in this tenant.',
      'The user was removed.',
      'Ten wrong passwords or codes locked the sign-ins of the user for 30 minutes. `details.reason` is `locked` and `details.lockedUntil` the end, for the first right password in ten minutes.',
    ],
    remedy: 'Check both, or request a link to set a new password, which also ends a lock.',
    message: 'The email address or the password is wrong.',
  },
  FORBIDDEN: {
    meaning: 'The credential is valid, but not for this.',
    causes: ['The access token belongs to another tenant than `X-Tenant-ID`.', 'A built-in role was to be changed.'],
    remedy: 'Send the ID of the tenant in which the user signed in. Copy a built-in role to change it.',
    message: 'This access token belongs to another tenant.',
  },
  MERCHANT_NOT_AUTHORIZED: {
    meaning: 'The record or operation belongs to a merchant that the caller has no access to.',
    causes: [
      'The API key belongs to one merchant, and the record to another.',
      'The operation changes the whole account, and the caller has access to one merchant only.',
    ],
    remedy: 'Use a key or user of that merchant, or of the whole account.',
    message: 'You have no access to this merchant.',
    details: { merchantId: `mer_${ID}` },
  },
  RESOURCE_ACCESS_DENIED: {
    meaning: 'The resource belongs to the whole installation, and the caller to one of its other accounts.',
    causes: ['Backups and keys of the installation were requested by a user outside of its first account.'],
    remedy: 'Ask an owner of the first account.',
    message: 'Backups contain the whole installation. Only users of its first account can use them.',
  },
  PERMISSION_DENIED: {
    meaning: 'The caller lacks a permission, or has not confirmed the operation.',
    causes: [
      'The API key or role does not include the permission of the route; `details.permission` names it.',
      'The operation changes access, keys, channels or public addresses, and the last sign-in with the password was more than 15 minutes ago (`details.reason` is `confirmation_required`).',
    ],
    remedy:
      'Add the permission to the key or role, or use another one. Each operation lists its permission. To confirm, send the password in `currentPassword`, or sign in again.',
    message: 'This requires the permission `refunds:write`.',
    details: { permission: 'refunds:write' },
  },
  VALIDATION_ERROR: {
    meaning: 'The request is malformed.',
    causes: [
      'A field has the wrong type or a value that is not allowed; `field` names it.',
      'A field is misspelled: the operation does not have it, and it resembles another one.',
      'The operation does not have a field that would change an amount, the authentication of the payer or the way of charging.',
      'A text contains a card number (`details.reason` is `card_number_in_text`).',
      'The body is not JSON, or larger than 1 MiB (status 413).',
    ],
    remedy: `Correct the field. ${NOT_RETRYABLE}`,
    message: 'There is no field `amout`. Did you mean `amount`?',
    field: 'amout',
  },
  REQUIRED_FIELD_MISSING: {
    meaning: 'A required field is missing or empty.',
    causes: [
      '`field` names it, as the surface spells it: `card.number` or `CardNumber`.',
      'Settings of the merchant may require the security code or ZIP code.',
    ],
    remedy: `Add the field. ${NOT_RETRYABLE}`,
    message: '`amount` is required.',
    field: 'amount',
  },
  INVALID_AMOUNT: {
    meaning: 'The amount is malformed (400), or more than the record allows now (422).',
    causes: [
      'The amount is zero, negative or not a decimal number.',
      'It has more decimals than its currency.',
      'A capture or refund exceeds the remaining amount; `details` contains it.',
    ],
    remedy: 'Send a number or decimal string such as `49.99`. After 422, read the remaining amount and send at most that.',
    message: 'The amount must be greater than 0 and have at most 2 decimals in USD.',
    field: 'amount',
  },
  INVALID_EMAIL: {
    meaning: 'A field is not an email address.',
    causes: ['The address has no domain, or contains spaces.'],
    remedy: 'Correct the address.',
    message: '`email` must be an email address.',
    field: 'email',
  },
  INVALID_PHONE: {
    meaning: 'A field is not a phone number.',
    causes: ['The country code is missing.', 'The number has too few digits for its country.'],
    remedy: 'Write the number with its country code, such as +12075550142.',
    message: '`phone` must be a phone number with its country code, such as +12075550142.',
    field: 'phone',
  },
  INVALID_DATE: {
    meaning: 'A field is not a date or time, or one that is not allowed.',
    causes: ['Dates are written YYYY-MM-DD and must exist.', 'An expiry must be in the future.'],
    remedy: 'Correct the date. Days are in the time zone of the merchant.',
    message: '`startDate` must be a date, YYYY-MM-DD.',
    field: 'startDate',
  },
  INVALID_CURRENCY: {
    meaning: 'The currency is unknown, or no gateway of the merchant accepts it.',
    causes: [
      'The code is not an ISO 4217 code.',
      'The currency was withdrawn, such as HRK. Old payments in it can be read and refunded.',
      'The gateways have other currencies.',
    ],
    remedy: 'Use a code such as USD that a gateway accepts, or leave the field out: the currency of the merchant applies.',
    message: '"US" is not an ISO 4217 currency code.',
    field: 'currency',
  },
  INVALID_CARD_NUMBER: {
    meaning: 'The card number is not valid.',
    causes: ['A digit is wrong or missing, so the check digit does not match.'],
    remedy: `Ask for the number again. ${NOT_RETRYABLE}`,
    message: 'The card number is not valid.',
    field: 'card.number',
  },
  INVALID_CVV: {
    meaning: 'The security code is malformed.',
    causes: ['It does not have three digits, or four for American Express.'],
    remedy: 'Ask for the code again.',
    message: 'The security code has 3 digits. It is on the back of the card.',
    field: 'card.cvv',
  },
  INVALID_EXPIRY: {
    meaning: 'The date of expiry is malformed.',
    causes: ['The month is not 01 to 12.', 'The SDK surface expects `ExpiryDate` as MMYY.'],
    remedy: 'Ask for the date again.',
    message: 'The expiry month must be 01 to 12.',
    field: 'card.expiryMonth',
  },
  CARD_EXPIRED: {
    meaning: 'The date of expiry has passed.',
    causes: ['A card is valid through the last day of its month, by the clock of the tenant. A test clock may be ahead.'],
    remedy: 'Ask for another card.',
    message: 'The card has expired.',
    field: 'card.expiryYear',
  },
  NOT_FOUND: {
    meaning: 'There is no such record or route.',
    causes: ['The ID or path has a typing error.', 'The record was deleted, or belongs to another tenant.'],
    remedy: 'Check the path and the ID.',
    message: `There is no refund ref_${ID}.`,
  },
  TRANSACTION_NOT_FOUND: {
    meaning: 'There is no transaction with this ID.',
    causes: ['The ID belongs to another tenant or environment.', 'The ID of a refund or order was sent.'],
    remedy: 'Send the `transactionId` of the response (`txn_…`), or search with `q` in the list.',
    message: `There is no transaction txn_${ID}.`,
  },
  MERCHANT_NOT_FOUND: {
    meaning: 'There is no merchant with this ID, or it no longer accepts payments.',
    causes: ['The ID has a typing error.', 'The merchant was removed.'],
    remedy: 'List the merchants with `GET /api/v1/public/merchants`.',
    message: `There is no merchant mer_${ID}.`,
  },
  CUSTOMER_NOT_FOUND: {
    meaning: 'There is no customer with this ID.',
    causes: ['The customer was deleted.', 'The ID belongs to another tenant.'],
    remedy: 'List the customers, or create one.',
    message: `There is no customer cus_${ID}.`,
  },
  INVOICE_NOT_FOUND: {
    meaning: 'There is no invoice or payment link with this ID.',
    causes: ['The ID belongs to another tenant.', 'The draft was deleted.'],
    remedy: 'List the invoices.',
    message: `There is no invoice inv_${ID}.`,
  },
  SUBSCRIPTION_NOT_FOUND: {
    meaning: 'There is no subscription with this ID.',
    causes: ['The ID belongs to another tenant.', 'The subscription was removed from the lists.'],
    remedy: 'List the subscriptions.',
    message: `There is no subscription sub_${ID}.`,
  },
  RESOURCE_CONFLICT: {
    meaning: 'The present state of the record, or another request, does not allow the operation.',
    causes: [
      'A request with the same `Idempotency-Key` is still running; `details.retryAfter` is set.',
      'The `Idempotency-Key` was used for another request.',
      'The server was stopped during the first request with the `Idempotency-Key`; `details.reason` is `request_interrupted`.',
      'The record was changed in the meantime, or is in a state that excludes the operation; `details.reason` names it.',
    ],
    remedy: 'With `Retry-After`, repeat the same request after that time. Otherwise read the record and decide again.',
    message: 'A request with this Idempotency-Key is still running.',
    details: { retryAfter: 1 },
  },
  DUPLICATE_TRANSACTION: {
    meaning: 'The same card was charged the same amount a short time ago. Nothing was charged.',
    causes: ['The merchant refuses duplicates within a window (`duplicateWindowSeconds`).', 'The processor refuses duplicates.'],
    remedy:
      'Repeat failed requests with the same `Idempotency-Key` instead. If the second sale is intended, wait until the window is over.',
    message: 'This card was charged the same amount a short time ago. It was not charged again.',
    details: { transactionId: `txn_${ID}` },
  },
  ALREADY_VOIDED: {
    meaning: 'The transaction was voided before.',
    causes: ['Another request voided it.'],
    remedy: 'Nothing is left to do: the money is not taken.',
    message: 'This transaction was already voided.',
  },
  ALREADY_REFUNDED: {
    meaning: 'The whole amount was refunded before.',
    causes: ['Another request refunded it.', 'A refund without `amount` returns everything that is left.'],
    remedy: 'Read the refunds of the transaction.',
    message: 'This transaction is fully refunded.',
  },
  ALREADY_CAPTURED: {
    meaning: 'The authorization was captured before.',
    causes: ['Sales are captured at once.', 'Another request captured it; an authorization is captured once.'],
    remedy: 'Read the transaction. Refund it to return money.',
    message: 'This transaction was already captured.',
  },
  TRANSACTION_DECLINED: {
    meaning: 'The operation needs an approved transaction, and this one was declined; or the gateway refused the operation.',
    causes: [
      'A declined payment cannot be captured, voided or credited.',
      'As `errorCode` of a payment: the issuer declined it for a reason without a code of its own.',
    ],
    remedy: 'Read `declineCode` and `declineReason`. Charge another payment method.',
    message: 'This transaction was declined; there is nothing to capture.',
  },
  INSUFFICIENT_FUNDS: {
    meaning: 'The account of the payer does not have enough money.',
    causes: ['The issuer declined with insufficient_funds, or the bank with R01.'],
    remedy: 'Ask for another payment method or a smaller amount. A subscription retries by the settings for failed renewals.',
    message: 'The account does not have enough funds.',
    isDecline: true,
  },
  CARD_DECLINED: {
    meaning: 'The issuer declined the card without a further reason.',
    causes: ['The issuer does not say more.'],
    remedy: 'Ask for another payment method. The payer can ask the issuer.',
    message: 'The card was declined.',
    isDecline: true,
  },
  INVALID_CARD: {
    meaning: 'The issuer does not know the card, or its date of expiry differs.',
    causes: ['A digit is wrong, but the check digit matches by chance.', 'The card was replaced.'],
    remedy: 'Ask for the card again, or for another one.',
    message: 'The card number is not valid.',
    isDecline: true,
  },
  CARD_NOT_SUPPORTED: {
    meaning: 'The account at the processor does not accept this kind of card. Nothing was charged.',
    causes: ['The brand or currency is not enabled at the processor.'],
    remedy: 'Ask for another card, or let the processor enable the brand.',
    message: 'The account does not support this card or currency.',
  },
  EXCEEDS_LIMIT: {
    meaning: 'The amount exceeds a limit of the card, account or merchant.',
    causes: ['The issuer declined with exceeds_limit.', 'A fraud rule of the merchant limits the amount.'],
    remedy: 'Ask for another payment method or a smaller amount.',
    message: 'The amount exceeds the limit of the card.',
    isDecline: true,
  },
  AVS_MISMATCH: {
    meaning: 'The address does not match that of the card, and the merchant declines this.',
    causes: ['`avsResponse` is one that `declineOnAvs` of the fraud settings lists.'],
    remedy: 'Ask for the billing address again. `details` contains both responses.',
    message: 'The billing address does not match.',
    details: { avsResponse: 'N', cvvResponse: 'M' },
    isDecline: true,
  },
  CVV_MISMATCH: {
    meaning: 'The security code does not match, and the merchant declines this.',
    causes: ['`cvvResponse` is one that `declineOnCvv` of the fraud settings lists.'],
    remedy: 'Ask for the security code again.',
    message: 'The security code does not match.',
    details: { avsResponse: 'Y', cvvResponse: 'N' },
    isDecline: true,
  },
  AVS_CVV_MISMATCH: {
    meaning: 'Neither the address nor the security code matches.',
    causes: ['Both checks answered `N`.'],
    remedy: 'Ask for the card and its billing address again. Treat repeated failures as an attempt of fraud.',
    message: 'The security code does not match.',
    details: { avsResponse: 'N', cvvResponse: 'N' },
    isDecline: true,
  },
  GATEWAY_ERROR: {
    meaning: 'The processor answered with an error. Nothing was charged.',
    causes: ['The processor has a fault.', 'The account at the processor is misconfigured.'],
    remedy: 'Try again. If it persists, check the gateway under Settings.',
    message: 'The payment gateway responded with an error. Nothing was charged.',
    details: { transactionId: `txn_${ID}` },
  },
  GATEWAY_TIMEOUT: {
    meaning: 'The processor did not answer in time. The outcome is not known yet.',
    causes: ['The network failed after the request was sent.', 'The processor is overloaded.'],
    remedy:
      'Do not charge again. The transaction is `pending`; Paydesk asks the processor until the outcome is known. Repeat the request with the same `Idempotency-Key`, read the transaction, or wait for its webhook.',
    message: 'The payment gateway did not respond. Paydesk is inquiring about the outcome. Do not charge again.',
    details: { transactionId: `txn_${ID}` },
  },
  GATEWAY_UNAVAILABLE: {
    meaning: 'No gateway can take the payment now. Nothing was charged.',
    causes: [
      'The processor cannot be reached.',
      'The merchant has no gateway, or its credentials are missing.',
      'All gateways are paused after failures.',
    ],
    remedy: 'Try again shortly with the same `Idempotency-Key`. Check the gateways under Settings if it persists.',
    message: 'The payment gateway cannot be reached. Nothing was charged. Try again shortly.',
  },
  NOT_REFUNDABLE: {
    meaning: 'The transaction cannot be refunded.',
    causes: ['It was declined, voided or not captured.', 'Its outcome is not known yet.', 'The bank returned the payment.'],
    remedy: 'Void an authorization instead. `details.reason` names the state.',
    message: 'This authorization was not captured; void it instead.',
    details: { reason: 'not_captured' },
  },
  REFUND_AMOUNT_EXCEEDS: {
    meaning: 'Reserved. A refund above the remaining amount is INVALID_AMOUNT with status 422.',
    causes: ['The service does not return this code.'],
    remedy: 'Handle INVALID_AMOUNT.',
    message: 'The refunds would exceed the payment.',
    isDecline: true,
  },
  REFUND_DECLINED: {
    meaning: 'The processor declined the refund.',
    causes: ['The card was closed, or the bank refuses.', 'The account of the merchant has no funds at the processor.'],
    remedy: 'If `queuedForRetry` is true, Paydesk retries it. Otherwise return the money in another way and resolve the queue entry.',
    message: 'The account does not allow this entry.',
    isDecline: true,
  },
  SUBSCRIPTION_INACTIVE: {
    meaning: 'The subscription is not in a state that allows the operation.',
    causes: ['It has ended, or has no further payments.', 'Only a paused subscription can be resumed.'],
    remedy: 'Read its `status`. Create a new subscription after the end.',
    message: 'Only a paused subscription can be resumed.',
    details: { reason: 'not_paused' },
  },
  ALREADY_PAUSED: {
    meaning: 'The subscription is paused.',
    causes: ['Another request paused it.'],
    remedy: 'Resume it to charge again.',
    message: 'This subscription is already paused.',
  },
  ALREADY_CANCELLED: {
    meaning: 'The subscription was canceled.',
    causes: ['A person canceled it, its last retry failed, or its customer was deleted.'],
    remedy: 'Create a new subscription.',
    message: 'This subscription was canceled.',
  },
  INVOICE_ALREADY_PAID: {
    meaning: 'The invoice is paid in full.',
    causes: ['The payer or another request paid it.'],
    remedy: 'Read the payments of the invoice.',
    message: 'This invoice is paid.',
  },
  INVOICE_CANCELLED: {
    meaning: 'The invoice was canceled.',
    causes: ['A person canceled it.'],
    remedy: 'Create a new invoice.',
    message: 'This invoice was canceled.',
  },
  PAYMENT_EXCEEDS_DUE: {
    meaning: 'The payment is more than the amount due.',
    causes: ['Another payment of the invoice arrived or is pending; `details` contains the amounts.'],
    remedy: 'Send at most `details.amountDue`.',
    message: 'The payment is more than the amount due.',
    field: 'amount',
    details: { amountDue: 100, requestedAmount: 120, amountPending: 0 },
  },
  RATE_LIMIT_EXCEEDED: {
    meaning: 'Too many requests in a minute or hour.',
    causes: [
      'The limit of the tier or endpoint is reached.',
      'Too many wrong credentials came from this address.',
      'A message was sent to the same phone number or email address less than 30 seconds ago; `details.reason` is `destination`.',
    ],
    remedy: 'Wait for the seconds of `Retry-After`. The `X-RateLimit-…` headers of every response show what is left.',
    message: 'Too many requests; try again in 12 seconds.',
    details: { retryAfter: 12, limit: 100, remaining: 0, resetAt: '2026-11-21T04:02:00.000Z' },
  },
  DAILY_LIMIT_EXCEEDED: {
    meaning: 'The requests of this day are used up.',
    causes: [
      'The daily limit of the tier is reached.',
      'Ten messages were sent to the phone number or email address today; `details.reason` is `destination`.',
      'The account has sent its messages of the day; `details.reason` is `account`.',
    ],
    remedy:
      'Wait for the seconds of `Retry-After`, or raise the tier of the key. For messages, the operator of the server can raise the limit of an account with `--messages-per-day`.',
    message: 'All 10000 requests of this day are used; try again in 1 h 0 min, at 00:00 UTC.',
    details: { retryAfter: 3600, limit: 10_000, remaining: 0, resetAt: '2026-11-22T00:00:00.000Z' },
  },
  INTERNAL_ERROR: {
    meaning: 'The service failed in an unexpected way.',
    causes: ['A defect of Paydesk.'],
    remedy:
      'Repeat the request with the same `Idempotency-Key`. The log of the server has the details under the `X-Request-Id` of the response.',
    message: 'An internal error occurred. The log contains its details under the request ID.',
  },
  SERVICE_UNAVAILABLE: {
    meaning: 'The service cannot work at the moment. Nothing was changed.',
    causes: ['The server is stopping, is not set up yet, or restores a backup.', 'The database does not respond.'],
    remedy: 'Repeat the request with the same `Idempotency-Key` after a moment.',
    message: 'The database is not responding. Nothing was changed. Try again.',
  },
  DATABASE_ERROR: {
    meaning: 'The database refused the change. Nothing was changed.',
    causes: ['The disk is full.', 'The database has a fault.'],
    remedy: 'Free space on the disk and repeat the request.',
    message: 'The disk is full. Nothing was changed. Free some space and try again.',
  },
};

/** Returns a response with the code, as the Public and Admin surfaces send it. */
export function exampleOfError(code: ErrorCode): object {
  const { message, field, details } = ERROR_CATALOG[code];
  return {
    success: false,
    error: {
      code,
      message,
      ...(field === undefined ? {} : { field }),
      ...(details === undefined ? {} : { details }),
      docUrl: docUrlOf(code),
    },
  };
}
