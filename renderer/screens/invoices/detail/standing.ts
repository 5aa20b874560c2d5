import type { Invoice } from '#renderer/client';
import { writeMoney } from '#renderer/money';
import { dayText, exactTime } from '#renderer/ui';
import type { Present } from '../use-present.ts';
import { CHECKING, dueNote, isExpired, moneyOf } from '../words.ts';

interface Standing {
  readonly tone: 'success' | 'info' | 'warning';
  readonly text: string;
}

/** Describes the state of an invoice and the next step. */
export function standingOf(invoice: Invoice, { today, nowMs }: Present, timeZone: string): Standing {
  const { status, kind, amountPending, amountDue, currency } = invoice;
  if (amountPending > 0) {
    return {
      tone: 'warning',
      text: `${CHECKING} ${writeMoney(amountPending, currency)} is under way; the outcome appears here by itself.`,
    };
  }
  if (isExpired(invoice, nowMs)) {
    return {
      tone: 'info',
      text: `The link expired${at(invoice.expiresAt, timeZone)}. Its page takes no more payments; money taken here still counts.`,
    };
  }
  const left = moneyOf(amountDue, invoice);
  switch (status) {
    case 'draft':
      return { tone: 'info', text: 'A draft: nobody was written to. It can still be changed.' };
    case 'sent':
      return {
        tone: 'info',
        text:
          kind === 'link' ? `Open: whoever has the link can pay ${left}${ends(invoice, timeZone)}.` : `${left} ${dueText(invoice, today)}.`,
      };
    case 'partially_paid':
      return { tone: 'info', text: `Paid in part: ${left} is left${invoice.dueDate === null ? '' : `, ${dueText(invoice, today)}`}.` };
    case 'overdue':
      return {
        tone: 'warning',
        text: `${left} was due on ${invoice.dueDate === null ? 'an earlier day' : dayText(invoice.dueDate)}: ${dueNote(invoice, today)}. It can still be paid.`,
      };
    case 'paid':
      return { tone: 'success', text: `Paid in full${at(invoice.paidAt, timeZone)}.` };
    case 'cancelled':
      return { tone: 'info', text: cancelledText(invoice, timeZone) };
  }
}

const at = (instant: string | null, timeZone: string) => (instant === null ? '' : ` on ${exactTime(instant, timeZone)}`);
const ends = ({ expiresAt }: Invoice, timeZone: string) => (expiresAt === null ? '' : ` until ${exactTime(expiresAt, timeZone)}`);
const dueText = (invoice: Invoice, today: string) =>
  invoice.dueDate === null ? 'asked for' : `due on ${dayText(invoice.dueDate)}, ${dueNote(invoice, today)}`;

function cancelledText({ cancelledAt, cancelReason }: Invoice, timeZone: string): string {
  const why = cancelReason === null ? 'No reason was given.' : `Reason: ${/[.!?]$/.test(cancelReason) ? cancelReason : `${cancelReason}.`}`;
  return `Cancelled${at(cancelledAt, timeZone)}. ${why} Nothing more is asked for.`;
}
