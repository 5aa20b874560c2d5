import type { Dispute } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { dayText } from '#renderer/kit/ui';

const DAY_MS = 86_400_000;

/** Returns the calendar days from today until a date; negative if it has passed. */
const daysUntil = (date: string, nowMs: number) => Math.ceil((Date.parse(`${date}T23:59:59`) - nowMs) / DAY_MS) - 1;

/** Describes the due date of a dispute: "in 3 days". */
export function dueText({ awaitsResponse, dueDate }: Dispute, nowMs: number): string {
  if (!awaitsResponse) return '';
  const days = daysUntil(dueDate, nowMs);
  if (days < 0) return t('overdue');
  if (days === 0) return t('today');
  return days === 1 ? t('tomorrow') : t('in {{count, number}} days', { count: days });
}

/** Returns the name of the reason with its code. */
export const reasonText = ({ reasonCode, reason }: Dispute) =>
  reasonCode === null ? serviceText(reason) : `${reasonCode} ${serviceText(reason)}`;

/** Describes the next step of a dispute. @param write Writes an amount with its currency. */
export function nextStepText(dispute: Dispute, write: (amount: number) => string): string {
  const { amount, withheldAmount, returnedAmount } = dispute;
  const due = dayText(dispute.dueDate);
  const money = write(amount);
  const parts = { money, returned: write(returnedAmount), kept: write(withheldAmount) };
  switch (dispute.status) {
    case 'retrieval':
      return t('The payer’s bank asks about this payment. Nothing was charged back yet. Respond by {{due}}.', { due });
    case 'open':
      return t('{{money}} was charged back. Submit evidence by {{due}}, or accept the dispute.', { money, due });
    case 'prearbitration':
      return t('The payer’s bank rejected the evidence. Respond by {{due}}, or accept the dispute.', { due });
    case 'arbitration':
      return t('The card scheme decides. Respond by {{due}}.', { due });
    case 'submitted':
      return t('The evidence was submitted. Record the decision when the bank reports it.');
    case 'won':
      if (dispute.stage === 'retrieval') return t('The inquiry ended. Nothing was charged back.');
      return withheldAmount > 0
        ? t('Won in part. {{returned}} of {{money}} was returned; the payer keeps {{kept}}.', parts)
        : t('Won. {{money}} was returned.', { money });
    case 'lost':
      return returnedAmount > 0
        ? t('Lost in part. {{returned}} of {{money}} was returned; the payer keeps {{kept}}.', parts)
        : t('Lost. The payer keeps {{money}}.', { money });
    default:
      return t('Accepted. The payer keeps {{money}}.', { money });
  }
}
