import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router';
import type { Invoice } from '#renderer/base/client';
import { Trans, t } from '#renderer/base/language';
import { decimalText, readAmount, toMinor, writeMoney } from '#renderer/base/money';
import { FailureNote, FormDialog, focusField, useSubmit } from '#renderer/kit/ui';
import { DateField } from '#renderer/session/date-entry';
import { useMerchant } from '#renderer/session/user';
import { MethodFields } from './method-fields.tsx';
import { type OwnInstallment, scheduleProblem } from './own-schedule.ts';
import { OwnScheduleFields, ownFieldId } from './own-schedule-fields.tsx';
import { createPlan, methodsQuery, type NewPlan, previewQuery, refreshPlans } from './queries.ts';
import { ScheduleTable } from './schedule-table.tsx';
import { chargeNowText, INTERVAL_NAMES, INTERVALS, type Interval, nextStepText, suggestedConsent } from './texts.ts';

const COUNT_MIN = 2;
const COUNT_MAX = 60;
const ID = 'installments';
/** Choice of the interval that lists dates and amounts one by one. */
const OWN = 'own';

/** Divides the amount due of an invoice into installments. The service computes the schedule, so the preview equals the charges. */
export function PlanDialog({ invoice, onClose }: { invoice: Invoice; onClose: () => void }) {
  const { name: merchantName, timezone } = useMerchant();
  const { invoiceId, currency } = invoice;
  const customerId = invoice.customerId ?? '';
  const [count, setCount] = useState('3');
  const [interval, chooseInterval] = useState<Interval>('monthly');
  /** Dates and amounts that replace count, interval and first date; null for equal installments. */
  const [own, setOwn] = useState<readonly OwnInstallment[] | null>(null);
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
  const create = useSubmit({
    send: (plan: NewPlan, key) => createPlan(plan, key),
    refreshFirst: refreshPlans,
    announcement: (plan) => `${t('Installment plan created.')} ${nextStepText(plan, timezone)}`,
    onClose,
  });
  const ownProblem = own && today !== undefined ? scheduleProblem(own, { amountDue: invoice.amountDue, currency, today }) : null;
  const problems = {
    count: own !== null || isCountValid ? undefined : t('Enter a number from {{min}} to {{max}}.', { min: COUNT_MIN, max: COUNT_MAX }),
    date:
      own !== null
        ? undefined
        : firstDate === ''
          ? t('Enter the date of the first installment.')
          : startDate < (today ?? '')
            ? t('The date is in the past.')
            : undefined,
    consent: needsConsent && consent.trim() === '' ? t('Enter the text that the customer agreed to.') : undefined,
  };
  const problemOf = (field: keyof typeof problems) => (isChecked ? problems[field] : undefined);
  const installments = preview.data ?? [];
  const first = own === null ? installments[0] : ownFirstOf(own, currency);
  const isToday = today !== undefined && (own === null ? startDate : own[0]?.dueDate) === today;
  const submit = () => {
    if (methodId === '') return;
    setChecked(true);
    const wrong = (['count', 'date', 'consent'] as const).find((field) => problems[field] !== undefined);
    if (wrong !== undefined) return focusField(`${ID}-${wrong}`);
    if (ownProblem !== null) return focusField(ownFieldId(ownProblem.id, ownProblem.field));
    const terms = { paymentMethodId: methodId, ...(needsConsent && { consentText: consent.trim() }) };
    if (own !== null) create.onSubmit({ invoiceId, installments: requestOf(own, currency), ...terms });
    else if (first !== undefined && !preview.error) create.onSubmit({ ...schedule, ...terms });
  };
  const label =
    first === undefined || !isToday
      ? t('Start installments')
      : chargeNowText(writeMoney(first.amount, currency), own === null ? interval : null);
  const choose = (chosen: Interval | typeof OWN) => {
    if (chosen !== OWN) {
      setOwn(null);
      return chooseInterval(chosen);
    }
    setOwn(
      installments.map((each) => ({
        id: each.number,
        dueDate: each.dueDate,
        amount: decimalText(toMinor(each.amount, currency), currency),
      })),
    );
  };
  return (
    <FormDialog {...create} title={t('Pay in installments')} submitLabel={label} isDisabled={hasNoMethod} onSubmit={submit}>
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        {hasNoMethod && (
          <Alert severity="warning">
            <Trans
              i18nKey="The customer has no card or bank account on file. <0>Add a card</0>"
              components={[<Link key="0" component={RouterLink} to={`/customers/${customerId}`} />]}
            />
          </Alert>
        )}
        <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr 1fr' }, alignItems: 'start' }}>
          <TextField
            id={`${ID}-count`}
            label={t('Installments')}
            value={count}
            onChange={({ target }) => setCount(target.value.trim())}
            error={problemOf('count') !== undefined}
            helperText={problemOf('count')}
            disabled={own !== null}
            autoFocus
            slotProps={{ htmlInput: { inputMode: 'numeric', autoComplete: 'off', maxLength: 2 } }}
          />
          <TextField
            id={`${ID}-interval`}
            select
            label={t('Interval')}
            value={own === null ? interval : OWN}
            onChange={({ target }) => choose(target.value as Interval | typeof OWN)}
          >
            {INTERVALS.map((each) => (
              <MenuItem key={each} value={each}>
                {INTERVAL_NAMES[each]}
              </MenuItem>
            ))}
            <MenuItem value={OWN} disabled={installments.length === 0}>
              {t('Own dates')}
            </MenuItem>
          </TextField>
          <DateField
            id={`${ID}-date`}
            label={t('First installment')}
            value={startDate}
            onChange={setFirstDate}
            error={problemOf('date') !== undefined}
            helperText={problemOf('date')}
            disabled={own !== null}
          />
        </Box>
        {own !== null && (
          <OwnScheduleFields
            installments={own}
            onChange={setOwn}
            amountDue={invoice.amountDue}
            currency={currency}
            problem={isChecked ? ownProblem : null}
            min={COUNT_MIN}
            max={COUNT_MAX}
          />
        )}
        <MethodFields
          id={ID}
          methods={methods.data ?? []}
          methodId={methodId}
          onMethod={setMethod}
          consent={consent}
          onConsent={setConsent}
          consentProblem={problemOf('consent')}
        />
        {own === null && (
          <Box component="section" aria-label={t('Preview')} aria-live="polite" sx={{ opacity: preview.isPlaceholderData ? 0.6 : 1 }}>
            <Typography variant="h3" sx={{ mb: 1 }}>
              {t('Schedule of {{amount}}', { amount: writeMoney(invoice.amountDue, currency) })}
            </Typography>
            {preview.error ? (
              <FailureNote failure={preview.error} />
            ) : (
              <ScheduleTable label={t('Schedule')} currency={currency} rows={installments} />
            )}
          </Box>
        )}
        {methods.error && <FailureNote failure={methods.error} onRetry={() => void methods.refetch()} />}
      </Box>
    </FormDialog>
  );
}

/** Returns an entered schedule in the form of the API. */
const requestOf = (installments: readonly OwnInstallment[], currency: string) =>
  installments.map(({ dueDate, amount }) => {
    const reading = readAmount(amount, currency);
    return { dueDate, amount: reading.kind === 'valid' ? reading.decimal : amount };
  });

/** Returns the amount of the first installment of an entered schedule; undefined while it cannot be read. */
function ownFirstOf([first]: readonly OwnInstallment[], currency: string): { readonly amount: number } | undefined {
  const reading = readAmount(first?.amount ?? '', currency);
  return reading.kind === 'valid' ? { amount: Number(reading.decimal) } : undefined;
}
