import type { UnconfirmedCounts, UnconfirmedOperation } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { accountText, cardText } from '#renderer/base/payment-methods';
import { formatDuration } from '#renderer/kit/ui';
import type { Inquired, RecordedOutcome } from './queries.ts';

interface OperationTexts {
  readonly name: string;
  readonly ofAmount: (amount: string) => string;
  /** Answer to the question what the gateway shows. */
  readonly approved: string;
}

const OPERATIONS: Readonly<Record<UnconfirmedOperation['operation'], OperationTexts>> = {
  sale: { name: t('Sale'), ofAmount: (amount) => t('sale of {{amount}}', { amount }), approved: t('The sale, approved') },
  auth: {
    name: t('Authorization'),
    ofAmount: (amount) => t('authorization of {{amount}}', { amount }),
    approved: t('The authorization, approved'),
  },
  credit: { name: t('Credit'), ofAmount: (amount) => t('credit of {{amount}}', { amount }), approved: t('The credit, approved') },
  capture: { name: t('Capture'), ofAmount: (amount) => t('capture of {{amount}}', { amount }), approved: t('The capture, approved') },
  cancel_capture: {
    name: t('Capture cancellation'),
    ofAmount: (amount) => t('capture cancellation of {{amount}}', { amount }),
    approved: t('The capture cancellation, approved'),
  },
  adjust: {
    name: t('Change of the amount'),
    ofAmount: (amount) => t('change of the amount of {{amount}}', { amount }),
    approved: t('The change of the amount, approved'),
  },
  void: { name: t('Void'), ofAmount: (amount) => t('void of {{amount}}', { amount }), approved: t('The void, approved') },
  refund: { name: t('Refund'), ofAmount: (amount) => t('refund of {{amount}}', { amount }), approved: t('The refund, approved') },
};

export const operationName = ({ operation }: Pick<UnconfirmedOperation, 'operation'>): string => OPERATIONS[operation].name;

/** Names an operation with its amount within a sentence: "sale of $12.00". */
export const operationOfAmount = ({ operation, amount, currency }: UnconfirmedOperation): string =>
  OPERATIONS[operation].ofAmount(writeMoney(amount, currency));

/** Names an operation as approved: "The sale, approved". */
export const approvedOperationText = ({ operation }: UnconfirmedOperation): string => OPERATIONS[operation].approved;

const PAYMENT_STATUSES: Readonly<Record<string, string>> = {
  approved: t('The payment is approved.'),
  pending: t('The payment is pending.'),
  declined: t('The payment is declined.'),
  voided: t('The payment is voided.'),
  failed: t('The payment is failed.'),
};

export const paymentStatusText = (status: string): string => PAYMENT_STATUSES[status] ?? t('The payment is {{status}}.', { status });

/** Returns true if the operation creates a payment. */
export const createsPayment = ({ operation }: Pick<UnconfirmedOperation, 'operation'>): boolean =>
  ['sale', 'auth', 'credit'].includes(operation);

/** "Visa ••6975", "Bank account ••4321". */
export function paidWith({ card, bankAccount }: Pick<UnconfirmedOperation, 'card' | 'bankAccount'>): string {
  if (card) return cardText(card);
  return bankAccount ? accountText(bankAccount) : '';
}

/** Returns state and label of the status chip. */
export function chipOf({ needsPerson, pendingReason }: UnconfirmedOperation): { readonly state: string; readonly label: string } {
  if (needsPerson) return { state: 'problem', label: t('Needs attention') };
  return pendingReason === null ? { state: 'unconfirmed', label: t('Unconfirmed') } : { state: 'pending', label: t('In review') };
}

/** Returns the times of the last and the next inquiry, such as "Checked 2 min ago, next check in 40 s". */
export function inquiriesText({ lastInquiryAt, nextInquiryAt }: UnconfirmedOperation, nowMs: number): string {
  const last =
    lastInquiryAt === null
      ? t('Not checked yet')
      : t('Checked {{duration}} ago', { duration: formatDuration(Math.max(0, nowMs - Date.parse(lastInquiryAt))) });
  if (nextInquiryAt === null) return last;
  const leftMs = Date.parse(nextInquiryAt) - nowMs;
  return `${last}, ${leftMs <= 0 ? t('next check now') : t('next check in {{duration}}', { duration: formatDuration(leftMs) })}`;
}

/** Describes the result of an inquiry in one sentence. */
export function inquiryResultText(operation: UnconfirmedOperation, inquired: Inquired): string {
  const payment = { operation: operationName(operation), amount: writeMoney(operation.amount, operation.currency) };
  if (inquired.ended) return `${t('{{operation}} of {{amount}}: confirmed.', payment)} ${paymentStatusText(inquired.transaction.status)}`;
  return inquired.isInquiring
    ? t('{{operation}} of {{amount}}: a check is already in progress, and the gateway has not responded yet.', payment)
    : t('{{operation}} of {{amount}}: the gateway has no outcome yet. We check again automatically.', payment);
}

/** Largest number of listed operations. */
const LISTED_MAX = 200;

/** Describes the number of operations, who resolves them, and how many are listed. */
export function factsOf({ unconfirmed, inReview, needsPerson }: UnconfirmedCounts, listed: number): string {
  const total = unconfirmed + inReview;
  if (total + needsPerson === 0) return t('The outcome of every payment is confirmed.');
  const parts = [
    unconfirmed > 0 && t('{{count}} unconfirmed', { count: unconfirmed }),
    inReview > 0 && t('{{count}} held for review by the gateway', { count: inReview }),
  ].filter(Boolean);
  const attention = needsPerson === 0 ? t('no action needed yet') : t('{{count}} need attention', { count: needsPerson });
  const sentences = [
    `${[parts.join(', '), attention].filter(Boolean).join('; ')}.`,
    t('We check automatically and never send a payment twice.'),
    listed >= LISTED_MAX && total > listed && t('The oldest {{listed}} of {{total}} are listed.', { listed, total }),
  ];
  return sentences.filter(Boolean).join(' ');
}

/** Describes the effect of a recorded outcome on the money and the ledger. */
export function consequenceOf(operation: UnconfirmedOperation, outcome: RecordedOutcome['outcome']): string {
  const amount = writeMoney(operation.amount, operation.currency);
  if (outcome === 'failed') {
    if (operation.operation === 'refund')
      return t(
        'The refund is recorded as failed, and {{amount}} can be refunded again. If the gateway did send it, the customer receives it twice.',
        { amount },
      );
    if (createsPayment(operation))
      return t(
        'The payment is recorded as failed and isn’t booked, and {{amount}} can be charged again. If the gateway did charge it, the customer pays twice.',
        { amount },
      );
    return t('The payment is unchanged, and the operation can be repeated.');
  }
  switch (operation.operation) {
    case 'sale':
    case 'capture':
      return t('{{amount}} is recorded as captured: it is booked, is settled and can be refunded.', { amount });
    case 'auth':
      return t('{{amount}} is recorded as authorized and can be captured.', { amount });
    case 'refund':
    case 'credit':
      return t('{{amount}} is recorded as refunded to the customer.', { amount });
    case 'void':
      return t('The payment is recorded as voided and isn’t settled.');
    default:
      return t('The capture is recorded as canceled: the payment is an authorization again.');
  }
}
