import type { Invoice } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { dayText, fullTime } from '#renderer/kit/ui';
import { isExpired } from '#renderer/shared/invoices';
import { CHECKING, dueNote, moneyOf } from '../texts.ts';
import type { CurrentTime } from '../use-current-time.ts';

interface StatusNote {
  /** True if a person should act. */
  readonly isWarning: boolean;
  readonly text: string;
}

/** Says what the status and the amounts of an invoice do not show. */
export function statusNoteOf(invoice: Invoice, { today, nowMs }: CurrentTime, timeZone: string): StatusNote | null {
  const { status, kind, amountPending, amountDue, currency } = invoice;
  const fact = (text: string) => ({ isWarning: false, text });
  if (amountPending > 0) {
    return {
      isWarning: true,
      text: `${CHECKING} ${t('{{amount}} is pending; the outcome appears here automatically.', { amount: writeMoney(amountPending, currency) })}`,
    };
  }
  const { expiresAt, dueDate, paidAt } = invoice;
  if (expiresAt !== null && isExpired(invoice, nowMs)) {
    return fact(
      t('The link expired on {{date}}. Its page accepts no more payments, but you can still record payments here.', {
        date: fullTime(expiresAt, timeZone),
      }),
    );
  }
  const amount = moneyOf(amountDue, invoice);
  const when = dueNote(invoice, today);
  switch (status) {
    case 'draft':
      return fact(t('Not sent yet.'));
    case 'sent':
    case 'partially_paid':
      if (kind === 'link') return fact(openLinkText(amount, expiresAt && fullTime(expiresAt, timeZone)));
      return dueDate === null ? null : fact(t('Due on {{date}}, {{when}}.', { date: dayText(dueDate), when }));
    case 'overdue':
      return {
        isWarning: true,
        text:
          dueDate === null
            ? t('{{amount}} was due on an earlier day. It can still be paid.', { amount })
            : t('{{amount}} was due on {{date}}: {{when}}. It can still be paid.', { amount, date: dayText(dueDate), when }),
      };
    case 'paid':
      return paidAt === null ? null : fact(t('Paid in full on {{date}}.', { date: fullTime(paidAt, timeZone) }));
    case 'cancelled':
      return fact(cancelledText(invoice, timeZone));
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
