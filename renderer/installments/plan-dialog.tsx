import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router';
import { type Invoice, useMoneyMutation } from '#renderer/client';
import { writeMoney } from '#renderer/money';
import { useMerchant } from '#renderer/session';
import { announce, Dialog, FailureNote, focusField, sentenceCase } from '#renderer/ui';
import { MethodFields } from './method-fields.tsx';
import { createPlan, methodsQuery, type NewPlan, previewQuery, refreshPlans } from './queries.ts';
import { ScheduleTable } from './schedule-table.tsx';
import { INTERVALS, type Interval, intervalText, nextStepText, suggestedConsent } from './texts.ts';

const COUNT_MIN = 2;
const COUNT_MAX = 60;
const ID = 'installments';

/** Divides the amount due of an invoice into installments. The service computes the schedule, so the preview equals the charges. */
export function PlanDialog({ invoice, onClose }: { invoice: Invoice; onClose: () => void }) {
  const { name: merchantName, timezone } = useMerchant();
  const { invoiceId, currency } = invoice;
  const customerId = invoice.customerId ?? '';
  const [count, setCount] = useState('3');
  const [interval, chooseInterval] = useState<Interval>('monthly');
  const [firstDate, setFirstDate] = useState<string>();
  const [chosenMethod, setMethod] = useState<string>();
  const [consent, setConsent] = useState(suggestedConsent(merchantName, invoice.number));
  const [isChecked, setChecked] = useState(false);
  const methods = useQuery(methodsQuery(customerId));
  const number = Number(count);
  const isCountValid = /^\d{1,2}$/.test(count) && number >= COUNT_MIN && number <= COUNT_MAX;
  const schedule = { invoiceId, count: number, interval, ...(firstDate !== undefined && { firstDate }) };
  const preview = useQuery({ ...previewQuery(schedule), enabled: isCountValid && firstDate !== '' });
  const fromToday = useQuery(previewQuery({ invoiceId, count: COUNT_MIN, interval: 'weekly' }));
  const today = fromToday.data?.[0]?.dueDate;
  const startDate = firstDate ?? today ?? '';
  const methodId =
    chosenMethod ?? methods.data?.find(({ isDefault }) => isDefault)?.paymentMethodId ?? methods.data?.[0]?.paymentMethodId ?? '';
  const needsConsent = methods.data?.find(({ paymentMethodId }) => paymentMethodId === methodId)?.consentText === null;
  const hasNoMethod = methods.data !== undefined && methods.data.length === 0;
  const create = useMoneyMutation((plan: NewPlan, key) => createPlan(plan, key), {
    onSuccess: async (plan) => {
      await refreshPlans();
      announce(`Installment plan created. ${nextStepText(plan, timezone)}`);
      onClose();
    },
    onError: () => void refreshPlans(),
  });
  const problems = {
    count: isCountValid ? undefined : `Enter a number from ${COUNT_MIN} to ${COUNT_MAX}.`,
    date:
      firstDate === '' ? 'Enter the date of the first installment.' : startDate < (today ?? '') ? 'The date is in the past.' : undefined,
    consent: needsConsent && consent.trim() === '' ? 'Enter the text that the customer agreed to.' : undefined,
  };
  const problemOf = (field: keyof typeof problems) => (isChecked ? problems[field] : undefined);
  const installments = preview.data ?? [];
  const [first] = installments;
  const isToday = today !== undefined && startDate === today;
  const submit = () => {
    if (create.isPending || methodId === '') return;
    setChecked(true);
    const wrong = (['count', 'date', 'consent'] as const).find((field) => problems[field] !== undefined);
    if (wrong !== undefined) focusField(`${ID}-${wrong}`);
    else if (first !== undefined && !preview.error)
      create.mutate({ ...schedule, paymentMethodId: methodId, ...(needsConsent && { consentText: consent.trim() }) });
  };
  const label =
    first === undefined || !isToday
      ? 'Start installments'
      : `Charge ${writeMoney(first.amount, currency)} now and ${intervalText(interval)}`;
  return (
    <Dialog
      title="Pay in installments"
      isOpen
      onClose={onClose}
      onSubmit={submit}
      actions={
        <>
          <Button variant="text" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="contained" color="primary" loading={create.isPending} disabled={hasNoMethod}>
            {label}
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        {hasNoMethod && (
          <Alert severity="warning">
            The customer has no card or bank account on file.{' '}
            <Link component={RouterLink} to={`/customers/${customerId}`}>
              Add a card
            </Link>
          </Alert>
        )}
        <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr 1fr' }, alignItems: 'start' }}>
          <TextField
            id={`${ID}-count`}
            label="Installments"
            value={count}
            onChange={({ target }) => setCount(target.value.trim())}
            error={problemOf('count') !== undefined}
            helperText={problemOf('count')}
            autoFocus
            slotProps={{ htmlInput: { inputMode: 'numeric', autoComplete: 'off', maxLength: 2 } }}
          />
          <TextField
            id={`${ID}-interval`}
            select
            label="Interval"
            value={interval}
            onChange={({ target }) => chooseInterval(target.value as Interval)}
          >
            {INTERVALS.map((each) => (
              <MenuItem key={each} value={each}>
                {sentenceCase(intervalText(each))}
              </MenuItem>
            ))}
          </TextField>
          <TextField
            id={`${ID}-date`}
            type="date"
            label="First installment"
            value={startDate}
            onChange={({ target }) => setFirstDate(target.value)}
            error={problemOf('date') !== undefined}
            helperText={problemOf('date')}
          />
        </Box>
        <MethodFields
          id={ID}
          methods={methods.data ?? []}
          methodId={methodId}
          onMethod={setMethod}
          consent={consent}
          onConsent={setConsent}
          consentProblem={problemOf('consent')}
        />
        <Box component="section" aria-label="Preview" aria-live="polite" sx={{ opacity: preview.isPlaceholderData ? 0.6 : 1 }}>
          <Typography variant="h3" sx={{ mb: 1 }}>
            Schedule of {writeMoney(invoice.amountDue, currency)}
          </Typography>
          {preview.error ? (
            <FailureNote failure={preview.error} />
          ) : (
            <ScheduleTable label="Schedule" currency={currency} rows={installments} />
          )}
        </Box>
        {methods.error && <FailureNote failure={methods.error} onRetry={() => void methods.refetch()} />}
        {create.error && <FailureNote failure={create.error} />}
      </Box>
    </Dialog>
  );
}
