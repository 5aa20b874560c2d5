/**
 * Every error code of the contract with its HTTP status.
 * Only INVALID_AMOUNT has two statuses: 400 for malformed input, and 422 if the current amounts of the resource do not allow it.
 */
export const ERRORS = {
  UNAUTHORIZED: 401,
  TOKEN_EXPIRED: 401,
  TOKEN_INVALID: 401,
  TENANT_REQUIRED: 401,
  TENANT_NOT_FOUND: 401,
  INVALID_CREDENTIALS: 401,
  FORBIDDEN: 403,
  MERCHANT_NOT_AUTHORIZED: 403,
  RESOURCE_ACCESS_DENIED: 403,
  PERMISSION_DENIED: 403,
  VALIDATION_ERROR: 400,
  REQUIRED_FIELD_MISSING: 400,
  INVALID_AMOUNT: 400,
  INVALID_EMAIL: 400,
  INVALID_PHONE: 400,
  INVALID_DATE: 400,
  INVALID_CURRENCY: 400,
  INVALID_CARD_NUMBER: 400,
  INVALID_CVV: 400,
  INVALID_EXPIRY: 400,
  CARD_EXPIRED: 400,
  NOT_FOUND: 404,
  TRANSACTION_NOT_FOUND: 404,
  MERCHANT_NOT_FOUND: 404,
  CUSTOMER_NOT_FOUND: 404,
  INVOICE_NOT_FOUND: 404,
  SUBSCRIPTION_NOT_FOUND: 404,
  RESOURCE_CONFLICT: 409,
  DUPLICATE_TRANSACTION: 409,
  ALREADY_VOIDED: 409,
  ALREADY_REFUNDED: 409,
  ALREADY_CAPTURED: 409,
  TRANSACTION_DECLINED: 422,
  INSUFFICIENT_FUNDS: 422,
  CARD_DECLINED: 422,
  INVALID_CARD: 422,
  CARD_NOT_SUPPORTED: 422,
  EXCEEDS_LIMIT: 422,
  AVS_MISMATCH: 422,
  CVV_MISMATCH: 422,
  AVS_CVV_MISMATCH: 422,
  GATEWAY_ERROR: 502,
  GATEWAY_TIMEOUT: 502,
  GATEWAY_UNAVAILABLE: 503,
  NOT_REFUNDABLE: 422,
  REFUND_AMOUNT_EXCEEDS: 422,
  REFUND_DECLINED: 422,
  SUBSCRIPTION_INACTIVE: 422,
  ALREADY_PAUSED: 409,
  ALREADY_CANCELLED: 409,
  INVOICE_ALREADY_PAID: 409,
  INVOICE_CANCELLED: 422,
  PAYMENT_EXCEEDS_DUE: 422,
  RATE_LIMIT_EXCEEDED: 429,
  DAILY_LIMIT_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
  DATABASE_ERROR: 500,
} as const;

export type ErrorCode = keyof typeof ERRORS;

interface ErrorContext {
  /** Name of the invalid field in the core. Each API surface translates it to its own spelling. */
  field?: string;
  /** Additional data. Amounts are `Money`; each surface renders them like amounts in `data`. */
  details?: Record<string, unknown>;
  /** For the log only; never sent to a client. */
  cause?: unknown;
}

/** The only error that is returned to callers: a refusal with a code of the contract. */
export class ServiceError extends Error {
  override name = 'ServiceError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly field: string | undefined;
  readonly details: Record<string, unknown> | undefined;

  constructor(code: ErrorCode, message: string, context: ErrorContext & { status?: number } = {}) {
    super(message, { cause: context.cause });
    this.code = code;
    this.status = context.status ?? ERRORS[code];
    this.field = context.field;
    this.details = context.details;
  }
}

/** Returns INVALID_AMOUNT with status 422, for a well-formed amount that is above the remaining amount. */
export function amountAboveLimit(message: string, details: Record<string, unknown>, field = 'amount'): ServiceError {
  return new ServiceError('INVALID_AMOUNT', message, { status: 422, field, details });
}
