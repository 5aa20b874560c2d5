import { type ApiFailure, UNREACHABLE } from './failure.ts';

/** A failure for people: what happened, then what to do. */
export interface Words {
  readonly what: string;
  readonly next: string;
}

const ASK_ADMIN = 'Ask an administrator for the permission.';

/** Codes whose own message says too little about what to do next. The rest speak for themselves. */
const WORDS: Readonly<Record<string, Words>> = {
  [UNREACHABLE]: { what: 'The service does not answer.', next: 'Check that it is running, then try again. Nothing you entered is lost.' },
  UNAUTHORIZED: { what: 'Your session is not valid.', next: 'Sign in again.' },
  TOKEN_EXPIRED: { what: 'Your session has ended.', next: 'Sign in again.' },
  TOKEN_INVALID: { what: 'Your session has ended.', next: 'Sign in again.' },
  INVALID_CREDENTIALS: {
    what: 'The email address or the password is wrong.',
    next: 'Check both. After ten wrong tries the account is locked for 30 minutes.',
  },
  FORBIDDEN: { what: 'Your role does not allow this.', next: ASK_ADMIN },
  PERMISSION_DENIED: { what: 'Your role does not allow this.', next: ASK_ADMIN },
  MERCHANT_NOT_AUTHORIZED: { what: 'This merchant is outside your reach.', next: 'Choose another merchant, or ask an administrator.' },
  TRANSACTION_NOT_FOUND: { what: 'There is no such transaction.', next: 'Check the id, or search for it.' },
  NOT_FOUND: { what: 'This does not exist.', next: 'It may belong to another business. Search for it instead.' },
  RATE_LIMIT_EXCEEDED: { what: 'Too many requests in a short time.', next: 'Wait for the countdown, then try again.' },
  DAILY_LIMIT_EXCEEDED: { what: "Today's number of requests is used up.", next: 'The count starts anew tomorrow.' },
  GATEWAY_TIMEOUT: {
    what: 'The processor did not answer in time.',
    next: 'The service asks it what became of this. Do not repeat it; the result appears here.',
  },
  GATEWAY_ERROR: { what: 'The processor refused the request.', next: 'Try again in a moment.' },
  SERVICE_UNAVAILABLE: { what: 'The service is not ready.', next: 'Try again in a moment.' },
  DATABASE_ERROR: { what: 'The service cannot write to its database.', next: 'Check the disk, then try again.' },
  INTERNAL_ERROR: { what: 'Something went wrong in the service.', next: 'Try again. If it stays, pass on the request id.' },
  ALREADY_VOIDED: { what: 'This payment is voided already.', next: 'Nothing is left to do.' },
  ALREADY_CAPTURED: { what: 'This payment is captured already.', next: 'Refund it to give money back.' },
  ALREADY_REFUNDED: { what: 'This payment is refunded in full already.', next: 'Nothing is left to give back.' },
};

/** A gateway that is away, or none at all: the service's own message says which, and whether to try again. */
const SPEAKS_FOR_ITSELF = 'GATEWAY_UNAVAILABLE';

/** Explains a failure; for an unknown code it returns the service's message. */
export function wordsOf(failure: ApiFailure): Words {
  if (failure.code === SPEAKS_FOR_ITSELF) return { what: failure.message, next: '' };
  if (failure.details?.reason === 'database_damaged')
    return { what: failure.message, next: 'System, Status says how to restore the data.' };
  return WORDS[failure.code] ?? { what: failure.message, next: failure.status >= 500 ? 'Try again in a moment.' : '' };
}
