import type { AttemptAlert, AttemptOperation, AttemptState } from '../schema.ts';

const ALERT_WORDS: Readonly<Record<AttemptAlert, string>> = {
  'set-up': 'The gateway refuses our questions because its account is set up wrongly; mend its settings, and it is asked again by itself.',
  'unknown-original': 'The gateway does not know the payment that this changes; look for it there, then decide.',
  'several-found': 'The gateway has several payments under our reference; look which of them stands, then decide.',
  'other-amount': 'The gateway has it with another amount than ours; look there what was taken, then decide.',
  'processor-at-a-loss': 'The gateway itself cannot say what became of it; look there, then decide. It is asked on meanwhile.',
  'void-too-late':
    'A rule declined this payment, but it was settled before it could be voided; give the money back at the gateway, then decide.',
  'capture-refused':
    'The gateway refused a capture that was made here, and it was undone: the money was not taken. Ask for another way to pay.',
  'late-approval':
    'The gateway approved this after it had been recorded as failed. A payment is voided there by itself; look there whether anything is left.',
  returned: 'Money that was given back came back from the bank: the payer does not have it. Pay it in another way.',
};

interface Told {
  readonly alert: AttemptAlert | null;
  readonly operation: AttemptOperation;
  readonly state: AttemptState;
  /** Status of the payment. */
  readonly status: string;
  readonly isInReview: boolean;
  readonly wantsPerson: boolean;
}

/** Describes an open attempt and the next step in one sentence. */
export function wordsOf(of: Told): string {
  if (of.state === 'held')
    return 'The capture was to be sent by now, but its gateway could not be told. It is sent again every minute; look whether the gateway answers.';
  if (of.alert !== null) return ALERT_WORDS[of.alert];
  if (of.operation === 'void' && (of.status === 'declined' || of.status === 'failed'))
    return 'The gateway approved this payment, which was not to be taken; its void is sent again until the gateway has taken it.';
  if (of.isInReview) return 'The gateway holds it for review; it is asked until the payment is released.';
  if (of.wantsPerson)
    return 'The gateway has not said for more than an hour what became of it; look for it there, then decide. It is asked on meanwhile.';
  if (of.state === 'sending') return 'It was being sent when its server stopped; the gateway is asked now what became of it.';
  return "The gateway's answer was lost; it is asked again by itself, and nothing is sent a second time.";
}
