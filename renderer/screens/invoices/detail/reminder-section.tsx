import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import TextField from '@mui/material/TextField';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router';
import type { Invoice } from '#renderer/base/client';
import { addDays } from '#renderer/base/dates';
import { t } from '#renderer/base/language';
import { dayText, Entry, FailureNote, focusField, fullTime, PanelForm, Section, StatusChip, TimeText, useSubmit } from '#renderer/kit/ui';
import { DateField } from '#renderer/session/date-entry';
import { useMay, useMerchant } from '#renderer/session/user';
import { recordPromise, resumeReminders, stopReminders, withdrawPromise } from '../operations.ts';
import { refreshInvoices, remindersQuery } from '../queries.ts';
import { isOpen } from '../texts.ts';
import { useCurrentTime } from '../use-current-time.ts';
import { reminderDays, stateText } from './reminder-texts.ts';

const OPERATIONS = { stop: stopReminders, resume: resumeReminders, withdraw: withdrawPromise };
const NAME_MAX = 100;
const PROMISE_DAYS = 7;

interface ReminderSectionProps {
  readonly invoice: Invoice;
  readonly onPanelClosed: () => void;
}

/** Reminders of an invoice: sent ones, the next one, and a promise of the customer to pay. */
export function ReminderSection({ invoice, onPanelClosed }: ReminderSectionProps) {
  const { invoiceId, promise, remindersStopped } = invoice;
  const isDraft = invoice.status === 'draft';
  const { timezone } = useMerchant();
  const may = useMay();
  const reminders = useQuery(remindersQuery(invoiceId));
  const [isPromising, setPromising] = useState(false);
  const change = useMutation({
    mutationFn: ({ operation, reason }: { operation: keyof typeof OPERATIONS; reason?: 'dispute' }) =>
      operation === 'stop' ? stopReminders(invoiceId, reason ?? 'manual') : OPERATIONS[operation](invoiceId),
    onSuccess: () => refreshInvoices(),
    onError: () => void refreshInvoices(),
  });
  if (reminders.isLoadingError) return <FailureNote failure={reminders.error} onRetry={() => void reminders.refetch()} />;
  const found = reminders.data;
  const canChange = may('invoices:write') && isOpen(invoice);
  if (!found || (!canChange && found.sent.length === 0 && promise === null)) return null;
  const close = () => {
    setPromising(false);
    onPanelClosed();
  };
  return (
    <Section title={t('Reminders')}>
      <Box sx={{ display: 'grid', gap: 3 }}>
        {isOpen(invoice) && (
          <Box role="status" sx={{ fontSize: 13, color: 'text.secondary' }}>
            {stateText(found, invoice, timezone)}
          </Box>
        )}
        {promise && (
          <Alert severity="info">
            {t('{{person}} promised to pay by {{day}}. Recorded by {{user}} on {{time}}.', {
              person: promise.by,
              day: dayText(promise.date),
              user: promise.recordedBy,
              time: fullTime(promise.at, timezone),
            })}
          </Alert>
        )}
        {canChange && (
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
            {!isDraft && (
              <Button size="small" onClick={() => setPromising(true)} aria-expanded={isPromising}>
                {promise ? t('Change promise') : t('Record promise to pay')}
              </Button>
            )}
            {promise && (
              <Button size="small" onClick={() => change.mutate({ operation: 'withdraw' })} loading={change.isPending}>
                {t('Remove promise')}
              </Button>
            )}
            {remindersStopped === null ? (
              <>
                {found.state !== 'off' && (
                  <Button size="small" onClick={() => change.mutate({ operation: 'stop' })} loading={change.isPending}>
                    {t('End reminders')}
                  </Button>
                )}
                {!isDraft && (
                  <Button size="small" onClick={() => change.mutate({ operation: 'stop', reason: 'dispute' })} loading={change.isPending}>
                    {t('Customer disputes it')}
                  </Button>
                )}
              </>
            ) : (
              <Button size="small" onClick={() => change.mutate({ operation: 'resume' })} loading={change.isPending}>
                {t('Continue reminders')}
              </Button>
            )}
          </Box>
        )}
        {change.error && <FailureNote failure={change.error} />}
        {isPromising && <PromisePanel invoice={invoice} onClose={close} />}
        {found.sent.length > 0 && (
          <Box component="ol" aria-label={t('Sent reminders')} sx={{ m: 0, p: 0, listStyle: 'none' }}>
            {found.sent.map(({ days, to, at, messageId, status, error, sentAt, answer }) => (
              <Entry key={days}>
                <StatusChip state={status} />
                {may('notifications:read') ? (
                  <Link component={RouterLink} to={`/messages/${messageId}`}>
                    {reminderDays(days)}
                  </Link>
                ) : (
                  <span>{reminderDays(days)}</span>
                )}
                <Box component="span" sx={{ overflowWrap: 'anywhere' }}>
                  {to}
                </Box>
                <Box component="span" sx={{ color: 'text.secondary', marginInlineStart: 'auto' }}>
                  <TimeText at={at} timeZone={timezone} />
                </Box>
                <Box sx={{ flexBasis: '100%', color: 'text.secondary', overflowWrap: 'anywhere' }}>
                  {error ?? (sentAt && t('Accepted on {{time}}: {{answer}}', { time: fullTime(sentAt, timezone), answer: answer ?? '' }))}
                </Box>
              </Entry>
            ))}
          </Box>
        )}
      </Box>
    </Section>
  );
}

function PromisePanel({ invoice, onClose }: { invoice: Invoice; onClose: () => void }) {
  const { today } = useCurrentTime();
  const [date, setDate] = useState(invoice.promise?.date ?? addDays(today, PROMISE_DAYS));
  const [by, setBy] = useState(invoice.promise?.by ?? invoice.customer?.name ?? '');
  const [isChecked, setChecked] = useState(false);
  const saving = useSubmit({
    send: () => recordPromise(invoice.invoiceId, { date, by: by.trim() }),
    refreshFirst: refreshInvoices,
    announcement: t('Promise recorded. No reminder is sent until {{day}} has passed.', { day: dayText(date) }),
    onClose,
  });
  const problemOf = (field: 'date' | 'by') => (saving.failure?.field === field ? saving.failure.message : undefined);
  const dateProblem = (isChecked && date === '' ? t('Enter a date.') : undefined) ?? problemOf('date');
  const nameProblem = (isChecked && by.trim() === '' ? t('Enter a name.') : undefined) ?? problemOf('by');
  const submit = () => {
    setChecked(true);
    if (date === '') focusField('promise-date');
    else if (by.trim() === '') focusField('promise-by');
    else saving.onSubmit();
  };
  return (
    <PanelForm
      {...saving}
      title={t('Promise to pay')}
      explanation={t('No reminder is sent until the day has passed. On that day, the invoice is in the list “To do”.')}
      submitLabel={t('Record promise')}
      failure={saving.failure && dateProblem === undefined && nameProblem === undefined ? saving.failure : null}
      onSubmit={submit}
    >
      <DateField
        id="promise-date"
        label={t('Pays by')}
        value={date}
        onChange={(next) => {
          setDate(next);
          saving.reset();
        }}
        error={dateProblem !== undefined}
        helperText={dateProblem}
        min={today}
      />
      <TextField
        id="promise-by"
        label={t('Promised by')}
        value={by}
        onChange={({ target }) => {
          setBy(target.value);
          saving.reset();
        }}
        autoFocus
        error={nameProblem !== undefined}
        helperText={nameProblem}
        slotProps={{ htmlInput: { maxLength: NAME_MAX, autoComplete: 'off' } }}
      />
    </PanelForm>
  );
}
