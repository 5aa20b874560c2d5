import { brandName } from '#shared/card-brands';
import type { DisputeCategory } from '#shared/dispute-reasons';
import type { ChecklistEntry } from '../records.ts';
import { amountText, dayText, type EvidenceFacts } from './facts.ts';

/** Position of the merchant by the kind of the reason. It makes no claim that the records do not support. */
const POSITIONS: Readonly<Record<DisputeCategory, string>> = {
  fraud: 'The records below show how the payment was made and verified. We ask you to consider whether the cardholder made it.',
  authorization: 'The payment was authorized by the issuer. The authorization is stated below.',
  duplicate: 'The records below show this payment and its references. We hold it to be a payment of its own.',
  amount: 'The records below show the amount that was authorized and charged.',
  processing: 'The records below show how and when the payment was processed.',
  not_received: 'The records below show the payment and what was delivered for it.',
  not_as_described: 'The records below show the purchase and its terms.',
  cancelled_recurring: 'The records below show the subscription, the consent to it, and whether it was canceled before this payment.',
  cancelled: 'The records below show the purchase, its terms, and whether it was canceled.',
  credit_not_processed: 'The records below show every refund that was given for this payment.',
  general: 'The records below show the payment.',
};

const INSTALLMENT_POSITION =
  'The records below show the installment plan, the consent to it, and whether it was canceled before this payment.';

const positionOf = ({ dispute: { category }, installment }: EvidenceFacts) =>
  category === 'cancelled_recurring' && installment !== null ? INSTALLMENT_POSITION : POSITIONS[category];

/** Returns the draft of the letter to the acquirer, as paragraphs. It names the facts that were found. */
export function draftLetter(facts: EvidenceFacts, checklist: readonly ChecklistEntry[]): string[] {
  const { dispute, merchantName, transaction } = facts;
  const reason = dispute.reasonCode === null ? dispute.reason : `${dispute.reasonCode}, ${dispute.reason}`;
  const paid = transaction.card
    ? `${brandName(transaction.card.brand)} card ending in ${transaction.card.last4}`
    : `bank account ending in ${transaction.bankAccount?.last4 ?? 'unknown digits'}`;
  const kept = checklist.filter(({ state }) => state === 'found');
  return [
    `Response of ${merchantName} to dispute ${dispute.processorCase ?? dispute.disputeId}`,
    `Reason: ${reason}. Disputed amount: ${amountText(dispute.amount)}. Payment: ${amountText(transaction.amount)} on ${dayText(facts, transaction.createdAt)} with the ${paid}, reference ${transaction.processorRef}.`,
    positionOf(facts),
    ...kept.map(({ label, detail }) => `${label}: ${detail}`.replace(': Attached: ', ', attached: ')),
    `We ask you to reverse the chargeback of ${amountText(dispute.amount)}.`,
  ];
}
