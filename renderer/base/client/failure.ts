import { serviceText, serviceTextsLoaded, t } from '#renderer/base/language';
/** Failure of a request: an error of the service, or no response. */
export class ApiFailure extends Error {
  /** An error code of the API, or UNREACHABLE without a response. */
  readonly code: string;
  /** Message of the service in English, as the response contains it. */
  readonly serviceMessage: string;
  /** HTTP status; 0 without a response. */
  readonly status: number;
  /** The invalid field, by its name in the request. */
  readonly field: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  /** Value of X-Request-Id, by which the request is found in the log. */
  readonly requestId: string | undefined;
  /** Earliest time of the next attempt, in milliseconds of this computer's clock. */
  readonly retryAtMs: number | undefined;

  constructor(code: string, message: string, more: Partial<Omit<ApiFailure, 'code' | 'message'>> = {}) {
    super(message, { cause: more.cause });
    this.name = 'ApiFailure';
    this.code = code;
    this.serviceMessage = more.serviceMessage ?? message;
    this.status = more.status ?? 0;
    this.field = more.field;
    this.details = more.details ?? {};
    this.requestId = more.requestId;
    this.retryAtMs = more.retryAtMs;
  }

  /** True if the outcome of the request is unknown: a retry must send the same Idempotency-Key. */
  get isUnconfirmed(): boolean {
    const isStillRunning = this.status === 409 && this.details.retryAfter !== undefined;
    return this.status === 0 || this.status >= 500 || this.status === 429 || this.status === 401 || isStillRunning;
  }
}

export const UNREACHABLE = 'UNREACHABLE';
/** Code of a failure without a request: the person canceled the request for a password or code. */
export const CONFIRMATION_CANCELED = 'CONFIRMATION_CANCELED';

/** Converts an unsuccessful response. A body other than the contract's error envelope gives a failure with a general message. */
export async function failureOf(response: Response, body: unknown, nowMs: number): Promise<ApiFailure> {
  await serviceTextsLoaded();
  const error = envelopeError(body);
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
  const message = error === undefined ? t('The server sent an unreadable response.') : onScreen(serviceText(error.message));
  return new ApiFailure(error?.code ?? `HTTP_${response.status}`, message, {
    ...(error && { serviceMessage: error.message }),
    status: response.status,
    field: error?.field,
    details: error?.details,
    requestId: response.headers.get('X-Request-Id') ?? undefined,
    retryAtMs: Number.isFinite(retryAfter) ? nowMs + retryAfter * 1000 : undefined,
  });
}

/** Returns a message for people, without the code marks of field names: a form names its one file itself. */
const onScreen = (message: string) => message.replace(/^`file`/, t('The file')).replaceAll('`', '');

/** Returns the failure of a request without a response. */
export function unreachable(cause: unknown): ApiFailure {
  return new ApiFailure(UNREACHABLE, t('The server didn’t respond.'), { cause });
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
