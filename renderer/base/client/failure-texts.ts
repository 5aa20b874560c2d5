import { t } from '#renderer/base/language';
import { type ApiFailure, UNREACHABLE } from './failure.ts';

/** Explanation of a failure on screen: the problem, then what to do. */
interface FailureText {
  readonly problem: string;
  readonly advice: string;
}

const ASK_ADMIN = t('Ask an administrator for this permission.');

/** Texts for codes whose API message does not say what to do. Other codes show the API message. */
const FAILURE_TEXTS: Readonly<Record<string, FailureText>> = {
  [UNREACHABLE]: {
    problem: t('The server isn’t responding.'),
    advice: t('Check that it’s running, then try again. Your input is kept.'),
  },
  UNAUTHORIZED: { problem: t('Your session isn’t valid.'), advice: t('Sign in again.') },
  TOKEN_EXPIRED: { problem: t('Your session has ended.'), advice: t('Sign in again.') },
  TOKEN_INVALID: { problem: t('Your session has ended.'), advice: t('Sign in again.') },
  INVALID_CREDENTIALS: {
    problem: t('The email address or the password is wrong.'),
    advice: t('Check both. After ten failed attempts, the user is locked for 30 minutes.'),
  },
  FORBIDDEN: { problem: t('Your role does not allow this.'), advice: ASK_ADMIN },
  PERMISSION_DENIED: { problem: t('Your role does not allow this.'), advice: ASK_ADMIN },
  MERCHANT_NOT_AUTHORIZED: {
    problem: t('You don’t have access to this merchant.'),
    advice: t('Choose another merchant, or ask an administrator.'),
  },
  TRANSACTION_NOT_FOUND: { problem: t('Transaction not found.'), advice: t('Check the ID, or search for the transaction.') },
  NOT_FOUND: { problem: t('Not found.'), advice: t('It may belong to another account. Search for it instead.') },
  RATE_LIMIT_EXCEEDED: { problem: t('Too many requests.'), advice: t('Wait for the countdown, then try again.') },
  DAILY_LIMIT_EXCEEDED: { problem: t('The daily request limit is reached.'), advice: t('The limit resets tomorrow.') },
  GATEWAY_TIMEOUT: {
    problem: t('The processor did not respond in time.'),
    advice: t('Paydesk checks the outcome with the processor. Don’t repeat the payment; the result appears here.'),
  },
  GATEWAY_ERROR: { problem: t('The processor refused the request.'), advice: t('Try again in a moment.') },
  SERVICE_UNAVAILABLE: { problem: t('The server isn’t ready.'), advice: t('Try again in a moment.') },
  DATABASE_ERROR: { problem: t('The server can’t write to its database.'), advice: t('Check the disk, then try again.') },
  INTERNAL_ERROR: {
    problem: t('Something went wrong on the server.'),
    advice: t('Try again. If it happens again, send the request ID to support.'),
  },
  ALREADY_VOIDED: { problem: t('This payment is already voided.'), advice: t('There’s nothing left to do.') },
  ALREADY_CAPTURED: { problem: t('This payment is already captured.'), advice: t('Refund it to return the money.') },
  ALREADY_REFUNDED: { problem: t('This payment is already fully refunded.'), advice: t('Nothing is left to refund.') },
};

/** Code whose API message names the unavailable gateway and says whether to retry; it is shown unchanged. */
const USES_SERVER_MESSAGE = 'GATEWAY_UNAVAILABLE';
/** Returns true if the API message says more than the text of the code: a refusal with a reason of its own, or a limit of messages. */
const usesServerMessage = ({ code, details }: ApiFailure): boolean =>
  code === USES_SERVER_MESSAGE ||
  (code === 'PERMISSION_DENIED' && details?.reason !== undefined) ||
  details?.reason === 'destination' ||
  details?.reason === 'account';

/** Explains a failure; for an unknown code it returns the service's message. */
export function describeFailure(failure: ApiFailure): FailureText {
  if (usesServerMessage(failure)) return { problem: failure.message, advice: '' };
  if (failure.details?.reason === 'database_damaged')
    return { problem: failure.message, advice: t('To restore the data, see System > Status.') };
  return FAILURE_TEXTS[failure.code] ?? { problem: failure.message, advice: failure.status >= 500 ? t('Try again in a moment.') : '' };
}
