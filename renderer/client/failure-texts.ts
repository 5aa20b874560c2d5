import { type ApiFailure, UNREACHABLE } from './failure.ts';

/** Explanation of a failure on screen: the problem, then what to do. */
export interface FailureText {
  readonly problem: string;
  readonly advice: string;
}

const ASK_ADMIN = 'Ask an administrator for this permission.';

/** Texts for codes whose API message does not say what to do. Other codes show the API message. */
const FAILURE_TEXTS: Readonly<Record<string, FailureText>> = {
  [UNREACHABLE]: {
    problem: 'The server isn’t responding.',
    advice: 'Check that it’s running, then try again. Your input is kept.',
  },
  UNAUTHORIZED: { problem: 'Your session isn’t valid.', advice: 'Sign in again.' },
  TOKEN_EXPIRED: { problem: 'Your session has ended.', advice: 'Sign in again.' },
  TOKEN_INVALID: { problem: 'Your session has ended.', advice: 'Sign in again.' },
  INVALID_CREDENTIALS: {
    problem: 'The email address or the password is wrong.',
    advice: 'Check both. After ten failed attempts, the user is locked for 30 minutes.',
  },
  FORBIDDEN: { problem: 'Your role does not allow this.', advice: ASK_ADMIN },
  PERMISSION_DENIED: { problem: 'Your role does not allow this.', advice: ASK_ADMIN },
  MERCHANT_NOT_AUTHORIZED: {
    problem: 'You don’t have access to this merchant.',
    advice: 'Choose another merchant, or ask an administrator.',
  },
  TRANSACTION_NOT_FOUND: { problem: 'Transaction not found.', advice: 'Check the ID, or search for the transaction.' },
  NOT_FOUND: { problem: 'Not found.', advice: 'It may belong to another account. Search for it instead.' },
  RATE_LIMIT_EXCEEDED: { problem: 'Too many requests.', advice: 'Wait for the countdown, then try again.' },
  DAILY_LIMIT_EXCEEDED: { problem: 'The daily request limit is reached.', advice: 'The limit resets tomorrow.' },
  GATEWAY_TIMEOUT: {
    problem: 'The processor did not respond in time.',
    advice: 'Paydesk checks the outcome with the processor. Don’t repeat the payment; the result appears here.',
  },
  GATEWAY_ERROR: { problem: 'The processor refused the request.', advice: 'Try again in a moment.' },
  SERVICE_UNAVAILABLE: { problem: 'The server isn’t ready.', advice: 'Try again in a moment.' },
  DATABASE_ERROR: { problem: 'The server can’t write to its database.', advice: 'Check the disk, then try again.' },
  INTERNAL_ERROR: {
    problem: 'Something went wrong on the server.',
    advice: 'Try again. If it happens again, send the request ID to support.',
  },
  ALREADY_VOIDED: { problem: 'This payment is already voided.', advice: 'There’s nothing left to do.' },
  ALREADY_CAPTURED: { problem: 'This payment is already captured.', advice: 'Refund it to return the money.' },
  ALREADY_REFUNDED: { problem: 'This payment is already fully refunded.', advice: 'Nothing is left to refund.' },
};

/** Code whose API message names the unavailable gateway and says whether to retry; it is shown unchanged. */
const USES_SERVER_MESSAGE = 'GATEWAY_UNAVAILABLE';

/** Explains a failure; for an unknown code it returns the service's message. */
export function describeFailure(failure: ApiFailure): FailureText {
  if (failure.code === USES_SERVER_MESSAGE) return { problem: failure.message, advice: '' };
  if (failure.details?.reason === 'database_damaged')
    return { problem: failure.message, advice: 'To restore the data, see System > Status.' };
  return FAILURE_TEXTS[failure.code] ?? { problem: failure.message, advice: failure.status >= 500 ? 'Try again in a moment.' : '' };
}
