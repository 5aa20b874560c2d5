import type { AttemptAlert, AttemptOperation, AttemptState } from '../schema.ts';

const ALERT_TEXTS: Readonly<Record<AttemptAlert, string>> = {
  'set-up':
    'The gateway refuses requests because its account is not set up correctly. Correct its settings; inquiries then continue automatically.',
  'unknown-original': 'The gateway does not know the payment that this changes. Look for it there, then decide.',
  'several-found': 'The gateway has several payments with our reference. Check there which one is valid, then decide.',
  'other-amount': 'The amount at the gateway differs from ours. Check there which amount was charged, then decide.',
  'processor-at-a-loss': 'The gateway itself cannot determine the outcome. Check there, then decide. Inquiries continue until then.',
  'void-too-late': 'A rule declined this payment, but it was settled before it could be voided. Refund it at the gateway, then decide.',
  'capture-refused':
    'The gateway refused a capture that Paydesk had accepted, so the capture was canceled and no money was taken. Ask the customer for another payment method.',
  'late-approval':
    'The gateway approved this operation after it had been recorded as failed. Paydesk voids a payment automatically; check at the gateway whether anything is left to do.',
  returned: 'The bank returned refunded or credited money, so the payer does not have it. Pay it in another way.',
};

interface AttemptSituation {
  readonly alert: AttemptAlert | null;
  readonly operation: AttemptOperation;
  readonly state: AttemptState;
  /** Status of the payment. */
  readonly status: string;
  readonly isInReview: boolean;
  readonly needsPerson: boolean;
}

/** Describes the situation of an attempt and the next step. */
export function describeAttempt(situation: AttemptSituation): string {
  if (situation.state === 'held')
    return 'The capture should have been sent by now, but its gateway cannot be reached. It is retried every minute. Check whether the gateway responds.';
  if (situation.alert !== null) return ALERT_TEXTS[situation.alert];
  if (situation.operation === 'void' && (situation.status === 'declined' || situation.status === 'failed'))
    return 'The gateway approved this declined or failed payment. Its void is retried until the gateway accepts it.';
  if (situation.isInReview) return 'The gateway holds the payment for review. Paydesk inquires until the gateway has decided.';
  if (situation.needsPerson)
    return 'The payment has been unconfirmed for more than an hour. Look for the payment at the gateway, then decide. Inquiries continue until then.';
  if (situation.state === 'sending')
    return 'The server stopped while the request was being sent. Paydesk is now inquiring about the outcome.';
  return "The gateway's response was lost. Paydesk inquires about the outcome automatically, and nothing is sent a second time.";
}
