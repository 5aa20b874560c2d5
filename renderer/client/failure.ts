/** Failure of a request: an error of the service, or no response. */
export class ApiFailure extends Error {
  /** A code of specification 7.4, or UNREACHABLE when no answer came. */
  readonly code: string;
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  /** The field at fault as the request spelled it. */
  readonly field: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  /** X-Request-Id: finds the request in the log. */
  readonly requestId: string | undefined;
  /** Earliest time of the next attempt, in milliseconds of this computer's clock. */
  readonly retryAtMs: number | undefined;

  constructor(code: string, message: string, more: Partial<Omit<ApiFailure, 'code' | 'message'>> = {}) {
    super(message, { cause: more.cause });
    this.name = 'ApiFailure';
    this.code = code;
    this.status = more.status ?? 0;
    this.field = more.field;
    this.details = more.details ?? {};
    this.requestId = more.requestId;
    this.retryAtMs = more.retryAtMs;
  }

  /** True when the request may or may not have been carried out: asking again needs the same Idempotency-Key. */
  get isOpen(): boolean {
    const isStillRunning = this.status === 409 && this.details.retryAfter !== undefined;
    return this.status === 0 || this.status >= 500 || this.status === 429 || this.status === 401 || isStillRunning;
  }
}

export const UNREACHABLE = 'UNREACHABLE';

/** Reads an answer that is no success. A body that is not the contract's envelope still gives a failure with words. */
export function failureOf(response: Response, body: unknown, nowMs: number): ApiFailure {
  const error = envelopeError(body);
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return new ApiFailure(error?.code ?? `HTTP_${response.status}`, error?.message ?? 'The service gave an answer that cannot be read.', {
    status: response.status,
    field: error?.field,
    details: error?.details,
    requestId: response.headers.get('X-Request-Id') ?? undefined,
    retryAtMs: Number.isFinite(retryAfter) ? nowMs + retryAfter * 1000 : undefined,
  });
}

/** Returns the failure of a request without a response. */
export function unreachable(cause: unknown): ApiFailure {
  return new ApiFailure(UNREACHABLE, 'The service did not answer.', { cause });
}

interface EnvelopeError {
  code: string;
  message: string;
  field?: string;
  details?: Record<string, unknown>;
}

function envelopeError(body: unknown): EnvelopeError | undefined {
  if (typeof body !== 'object' || body === null || !('error' in body)) return undefined;
  const { error } = body;
  if (typeof error !== 'object' || error === null || !('code' in error) || typeof error.code !== 'string') return undefined;
  const message = 'message' in error && typeof error.message === 'string' ? error.message : error.code;
  const field = 'field' in error && typeof error.field === 'string' ? error.field : undefined;
  const details = 'details' in error && typeof error.details === 'object' && error.details !== null ? { ...error.details } : undefined;
  return { code: error.code, message, field, details };
}
