import type { Invoice } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { dayText, fullTime } from '#renderer/kit/ui';
import { isExpired } from '#renderer/shared/invoices';
import { CHECKING, dueNote, moneyOf } from '../texts.ts';
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
      text: `${CHECKING} ${t('{{amount}} is pending; the outcome appears here automatically.', { amount: writeMoney(amountPending, currency) })}`,
    };
  }
  const { expiresAt, dueDate, paidAt } = invoice;
  if (expiresAt !== null && isExpired(invoice, nowMs)) {
    return {
      tone: 'info',
      text: t('The link expired on {{date}}. Its page accepts no more payments, but you can still record payments here.', {
        date: fullTime(expiresAt, timeZone),
      }),
    };
  }
  const amount = moneyOf(amountDue, invoice);
  const when = dueNote(invoice, today);
  switch (status) {
    case 'draft':
      return { tone: 'info', text: t('Draft. Not sent yet.') };
    case 'sent':
      if (kind === 'link') return { tone: 'info', text: openLinkText(amount, expiresAt && fullTime(expiresAt, timeZone)) };
      return {
        tone: 'info',
        text:
          dueDate === null
            ? t('{{amount}} due.', { amount })
            : t('{{amount}} due on {{date}}, {{when}}.', { amount, date: dayText(dueDate), when }),
      };
    case 'partially_paid':
      return {
        tone: 'info',
        text:
          dueDate === null
            ? t('Partially paid: {{amount}} remaining.', { amount })
            : t('Partially paid: {{amount}} remaining, due on {{date}}, {{when}}.', { amount, date: dayText(dueDate), when }),
      };
    case 'overdue':
      return {
        tone: 'warning',
        text:
          dueDate === null
            ? t('{{amount}} was due on an earlier day. It can still be paid.', { amount })
            : t('{{amount}} was due on {{date}}: {{when}}. It can still be paid.', { amount, date: dayText(dueDate), when }),
      };
    case 'paid':
      return {
        tone: 'success',
        text: paidAt === null ? t('Paid in full.') : t('Paid in full on {{date}}.', { date: fullTime(paidAt, timeZone) }),
      };
    case 'cancelled':
      return { tone: 'info', text: cancelledText(invoice, timeZone) };
  }
}

const openLinkText = (amount: string, date: string | null) =>
  date === null
    ? t('Anyone with the link can pay {{amount}}.', { amount })
    : t('Anyone with the link can pay {{amount}} until {{date}}.', { amount, date });

function cancelledText({ cancelledAt, cancelReason }: Invoice, timeZone: string): string {
  return [
    cancelledAt === null ? t('Canceled.') : t('Canceled on {{date}}.', { date: fullTime(cancelledAt, timeZone) }),
    cancelReason === null
      ? t('No reason was given.')
      : t('Reason: {{reason}}', { reason: /[.!?]$/.test(cancelReason) ? cancelReason : `${cancelReason}.` }),
    t('No payment is due.'),
  ].join(' ');
}
