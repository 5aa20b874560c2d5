/** The error of a response, with the values that identify it in the server's log. */
export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly field?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly docUrl?: string;
}

/** A response with an error. Each code has a class of its own, such as `RateLimitExceededError` for RATE_LIMIT_EXCEEDED. */
export class PaydeskError extends Error {
  override readonly name: string = 'PaydeskError';
  /** Code of the error, such as INVALID_AMOUNT. */
  readonly code: string;
  /** HTTP status. */
  readonly status: number;
  /** Value of the X-Request-Id header, under which the server's log and audit log have the request; null without a response. */
  readonly requestId: string | null;
  /** Name of the invalid field, as sent; undefined if the error concerns no field. */
  readonly field: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  /** Page that explains the code, relative to the address of the server. */
  readonly docUrl: string | undefined;

  constructor(error: ErrorBody, status: number, requestId: string | null, options?: { cause?: unknown }) {
    super(error.message, options);
    this.code = error.code;
    this.status = status;
    this.requestId = requestId;
    this.field = error.field;
    this.details = error.details ?? {};
    this.docUrl = error.docUrl;
  }
}
