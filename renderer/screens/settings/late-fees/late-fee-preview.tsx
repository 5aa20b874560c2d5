import Box from '@mui/material/Box';
import { t } from '#renderer/base/language';
import { writeAmount } from '#renderer/base/money';
import { dayText, Entry, FailureNote, MoneyText } from '#renderer/kit/ui';
import { Group } from '../fields.tsx';
import { FirstInvoices, useSettingsPreview } from '../first-invoices.tsx';
import { LifeCalendar } from '../life-calendar.tsx';
import { useReminderDays } from '../life-days.ts';
import { previewLateFees, type ValuesOf } from '../sections.ts';

/** Calendar of the late fees of one invoice, and the unpaid invoices that are charged first. */
export function LateFeePreview({ merchantId, settings }: { readonly merchantId: string; readonly settings: ValuesOf<'lateFees'> }) {
  const reminders = useReminderDays(merchantId);
  const preview = useSettingsPreview('late-fee-preview', merchantId, settings, (asked) => previewLateFees(merchantId, asked));
  if (preview.error) return <FailureNote failure={preview.error} />;
  if (!preview.data) return preview.isLoading ? <Box sx={{ height: 240 }} /> : null;
  const { life, dueDate, invoiceAmount, currency, first, firstCount: count, isComplete } = preview.data;
  return (
    <>
      <Group title={t('Preview of one invoice')}>
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
          {t('An invoice of {{amount}} {{currency}} that is sent today, is due on {{day}} and stays unpaid', {
            amount: writeAmount(invoiceAmount, currency),
            currency,
            day: dayText(dueDate),
          })}
        </Box>
        <LifeCalendar label={t('Calendar of the late fees')} dueDate={dueDate} reminders={reminders} fees={life.map(({ day }) => day)} />
        <Box component="ol" aria-label={t('Late fees')} sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {life.map(({ period, day, amount }) => (
            <Entry key={period}>
              <span>{dayText(day)}</span>
              <Box component="span" sx={{ marginInlineStart: 'auto' }}>
                <MoneyText amount={amount} currency={currency} code />
              </Box>
            </Entry>
          ))}
        </Box>
      </Group>
      {settings.enabled && (
        <FirstInvoices
          title={t('Charged first')}
          none={t('No unpaid invoice is charged for now. Fees of days that have passed are not charged.')}
          countText={
            isComplete
              ? t('{{count, number}} unpaid invoices are charged. These come first:', { count })
              : t('At least {{count, number}} unpaid invoices are charged. These come first:', { count })
          }
          invoices={first.map(({ next, ...invoice }) => ({ ...invoice, when: dayText(next.day), amount: next.amount }))}
        />
      )}
    </>
  );
}
