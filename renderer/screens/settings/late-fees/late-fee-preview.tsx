import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import { t } from '#renderer/base/language';
import { writeAmount } from '#renderer/base/money';
import { dayText, Entry, FailureNote, MoneyText, useDebounced } from '#renderer/kit/ui';
import { useMay } from '#renderer/session/user';
import { Group } from '../fields.tsx';
import { LifeCalendar } from '../life-calendar.tsx';
import { useReminderDays } from '../life-days.ts';
import { type LateFeePreview as Preview, previewLateFees, type ValuesOf } from '../sections.ts';

const PAUSE_MS = 300;

/** Calendar of the late fees of one invoice, and the unpaid invoices that are charged first. */
export function LateFeePreview({ merchantId, settings }: { readonly merchantId: string; readonly settings: ValuesOf<'lateFees'> }) {
  const canSeeInvoices = useMay()('invoices:read');
  const asked = useDebounced(JSON.stringify(settings), PAUSE_MS);
  const reminders = useReminderDays(merchantId);
  const preview = useQuery({
    queryKey: ['settings', merchantId, 'late-fee-preview', asked],
    queryFn: () => previewLateFees(merchantId, JSON.parse(asked) as object),
    enabled: canSeeInvoices,
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (!canSeeInvoices) return null;
  if (preview.error) return <FailureNote failure={preview.error} />;
  if (!preview.data) return <Box sx={{ height: 240 }} />;
  const { life, dueDate, invoiceAmount, currency } = preview.data;
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
      {settings.enabled && <First preview={preview.data} />}
    </>
  );
}

function First({ preview: { first, firstCount, isComplete } }: { readonly preview: Preview }) {
  return (
    <Group title={t('Charged first')}>
      {first.length === 0 ? (
        <Alert severity="info">{t('No unpaid invoice is charged for now. Fees of days that have passed are not charged.')}</Alert>
      ) : (
        <>
          <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
            {isComplete
              ? t('{{count, number}} unpaid invoices are charged. These come first:', { count: firstCount })
              : t('At least {{count, number}} unpaid invoices are charged. These come first:', { count: firstCount })}
          </Box>
          <Box component="ol" aria-label={t('Charged first')} sx={{ m: 0, p: 0, listStyle: 'none' }}>
            {first.map(({ invoiceId, number, customerName, currency, next }) => (
              <Entry key={invoiceId}>
                <Link component={RouterLink} to={`/invoices/${invoiceId}`}>
                  {number}
                </Link>
                <Box component="span" sx={{ overflowWrap: 'anywhere' }}>
                  {customerName}
                </Box>
                <Box component="span" sx={{ color: 'text.secondary' }}>
                  {dayText(next.day)}
                </Box>
                <Box component="span" sx={{ marginInlineStart: 'auto' }}>
                  <MoneyText amount={next.amount} currency={currency} code />
                </Box>
              </Entry>
            ))}
          </Box>
        </>
      )}
    </Group>
  );
}
