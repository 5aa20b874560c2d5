import type { Invoice } from '#renderer/client';
import { writeMoney } from '#renderer/money';
import { dayText, exactTime } from '#renderer/ui';
import { CHECKING, dueNote, isExpired, moneyOf } from '../texts.ts';
import type { CurrentTime } from '../use-current-time.ts';

interface StatusNote {
  readonly tone: 'success' | 'info' | 'warning';
  readonly text: string;
}

/** Describes the state of an invoice and the next step. */
export function statusNoteOf(invoice: Invoice, { today, nowMs }: CurrentTime, timeZone: string): StatusNote {
  const { status, kind, amountPending, amountDue, currency } = invoice;
  if (amountPending > 0) {
    return {
      tone: 'warning',
      text: `${CHECKING} ${writeMoney(amountPending, currency)} is pending; the outcome appears here automatically.`,
    };
  }
  if (isExpired(invoice, nowMs)) {
    return {
      tone: 'info',
      text: `The link expired${onDate(invoice.expiresAt, timeZone)}. Its page accepts no more payments, but you can still record payments here.`,
    };
  }
  const amountLeft = moneyOf(amountDue, invoice);
  switch (status) {
    case 'draft':
      return { tone: 'info', text: 'Draft. Not sent yet.' };
    case 'sent':
      return {
        tone: 'info',
        text:
          kind === 'link'
            ? `Anyone with the link can pay ${amountLeft}${untilText(invoice, timeZone)}.`
            : `${amountLeft} ${dueText(invoice, today)}.`,
      };
    case 'partially_paid':
      return {
        tone: 'info',
        text: `Partially paid: ${amountLeft} remaining${invoice.dueDate === null ? '' : `, ${dueText(invoice, today)}`}.`,
      };
    case 'overdue':
      return {
        tone: 'warning',
        text: `${amountLeft} was due on ${invoice.dueDate === null ? 'an earlier day' : dayText(invoice.dueDate)}: ${dueNote(invoice, today)}. It can still be paid.`,
      };
    case 'paid':
      return { tone: 'success', text: `Paid in full${onDate(invoice.paidAt, timeZone)}.` };
    case 'cancelled':
      return { tone: 'info', text: cancelledText(invoice, timeZone) };
  }
}

const onDate = (instant: string | null, timeZone: string) => (instant === null ? '' : ` on ${exactTime(instant, timeZone)}`);
const untilText = ({ expiresAt }: Invoice, timeZone: string) => (expiresAt === null ? '' : ` until ${exactTime(expiresAt, timeZone)}`);
const dueText = (invoice: Invoice, today: string) =>
  invoice.dueDate === null ? 'due' : `due on ${dayText(invoice.dueDate)}, ${dueNote(invoice, today)}`;

function cancelledText({ cancelledAt, cancelReason }: Invoice, timeZone: string): string {
  const why = cancelReason === null ? 'No reason was given.' : `Reason: ${/[.!?]$/.test(cancelReason) ? cancelReason : `${cancelReason}.`}`;
  return `Canceled${onDate(cancelledAt, timeZone)}. ${why} No payment is due.`;
}
