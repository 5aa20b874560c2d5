import type { Dispute } from '#renderer/client';
import { dayText } from '#renderer/ui';

const DAY_MS = 86_400_000;

/** Returns the calendar days from today until a date; negative if it has passed. */
export const daysUntil = (date: string, nowMs: number) => Math.ceil((Date.parse(`${date}T23:59:59`) - nowMs) / DAY_MS) - 1;

/** Describes the due date of a dispute: "in 3 days". */
export function dueText({ awaitsResponse, dueDate }: Dispute, nowMs: number): string {
  if (!awaitsResponse) return '';
  const days = daysUntil(dueDate, nowMs);
  if (days < 0) return 'overdue';
  if (days === 0) return 'today';
  return days === 1 ? 'tomorrow' : `in ${days} days`;
}

/** Returns the name of the reason with its code. */
export const reasonText = ({ reasonCode, reason }: Dispute) => (reasonCode === null ? reason : `${reasonCode} ${reason}`);

/** Describes the next step of a dispute. @param write Writes an amount with its currency. */
export function nextStepText(dispute: Dispute, write: (amount: number) => string): string {
  const { amount, withheldAmount, returnedAmount } = dispute;
  const due = dayText(dispute.dueDate);
  const money = write(amount);
  const parts = `${write(returnedAmount)} of ${money} was returned; the payer keeps ${write(withheldAmount)}`;
  switch (dispute.status) {
    case 'retrieval':
      return `The payer’s bank asks about this payment. Nothing was charged back yet. Respond by ${due}.`;
    case 'open':
      return `${money} was charged back. Submit evidence by ${due}, or accept the dispute.`;
    case 'prearbitration':
      return `The payer’s bank rejected the evidence. Respond by ${due}, or accept the dispute.`;
    case 'arbitration':
      return `The card scheme decides. Respond by ${due}.`;
    case 'submitted':
      return 'The evidence was submitted. Record the decision when the bank reports it.';
    case 'won':
      if (dispute.stage === 'retrieval') return 'The inquiry ended. Nothing was charged back.';
      return withheldAmount > 0 ? `Won in part. ${parts}.` : `Won. ${money} was returned.`;
    case 'lost':
      return returnedAmount > 0 ? `Lost in part. ${parts}.` : `Lost. The payer keeps ${money}.`;
    default:
      return `Accepted. The payer keeps ${money}.`;
  }
}
