import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useEffect, useState } from 'react';
import { Link as RouterLink } from 'react-router';
import type { Customer, Subscription } from '#renderer/base/client';
import { Trans, t } from '#renderer/base/language';
import { writeAmount, writeMoney } from '#renderer/base/money';
import { methodText } from '#renderer/base/payment-methods';
import { dayText, FailureNote, FormDialog, focusField, SelectField, useSubmit } from '#renderer/kit/ui';
import { DateField } from '#renderer/session/date-entry';
import { useMerchant } from '#renderer/session/user';
import { AgreementField, CustomerField, customerName, FREQUENCIES, frequencyText } from '#renderer/shared/customers';
import { DateStrip } from './date-strip.tsx';
import { createSubscription } from './operations.ts';
import { DATES_SHOWN } from './queries.ts';
import { AmountField, EndFields, MethodField, NameField, TaxFields } from './subscription-fields.tsx';
import { type NewSubscriptionEntry, type NewSubscriptionField, useNewSubscription } from './use-new-subscription.ts';

const FIELDS: readonly NewSubscriptionField[] = ['customer', 'amount', 'tax', 'startDate', 'end', 'method'];
const IDS: Readonly<Record<NewSubscriptionField, string>> = {
  customer: 'subscription-customer',
  amount: 'subscription-amount',
  tax: 'subscription-tax',
  startDate: 'subscription-start',
  end: 'subscription-end',
  method: 'subscription-method',
};

interface NewSubscriptionDialogProps {
  /** Customer of the subscription, if known. */
  readonly customerId: string | undefined;
  readonly onCreated: (subscription: Subscription) => void;
  readonly onClose: () => void;
}

/** Creates a subscription: customer, amount, frequency and start. The service computes its dates, so the preview equals the charges. */
export function NewSubscriptionDialog({ customerId, onCreated, onClose }: NewSubscriptionDialogProps) {
  const { merchantId, currency } = useMerchant();
  const entry = useNewSubscription(merchantId, currency, customerId);
  const [isChecked, setChecked] = useState(false);
  /** True if Enter was pressed while a response of the service was missing. */
  const [isSubmitPending, setSubmitPending] = useState(false);
  const create = useSubmit({
    send: createSubscription,
    onDone: onCreated,
    onClose,
  });
  const { form, set, startDate, request, problems, methods, failedQuery } = entry;
  const change: NewSubscriptionEntry['set'] = (changed) => {
    set(changed);
    setChecked(false);
    setSubmitPending(false);
    create.reset();
  };
  const refused = create.failure?.field;
  const problemOf = (field: NewSubscriptionField, ...names: string[]) =>
    (isChecked ? problems[field] : undefined) ?? (refused !== undefined && names.includes(refused) ? create.failure?.message : undefined);
  const isAtField = [
    'customerId',
    'amount',
    'taxAmount',
    'purchaseOrderNumber',
    'startDate',
    'endDate',
    'totalPayments',
    'bankAuthorization.reference',
  ].includes(refused ?? '');
  const submit = () => {
    setChecked(true);
    const missing = FIELDS.find((field) => problems[field] !== undefined);
    if (missing !== undefined) focusField(`${IDS[missing]}-date`, `${IDS[missing]}-count`, IDS[missing]);
    else if (request !== undefined) create.onSubmit(request);
    else setSubmitPending(entry.isWaiting);
  };
  useEffect(() => {
    if (!isSubmitPending || entry.isWaiting) return;
    setSubmitPending(false);
    submit();
  });
  return (
    <FormDialog
      {...create}
      failure={isAtField ? null : create.failure}
      title={t('New subscription')}
      submitLabel={submitLabel(entry, currency)}
      isBusy={create.isBusy || isSubmitPending}
      onSubmit={submit}
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <CustomerField
          id={IDS.customer}
          merchantId={merchantId}
          value={form.customer}
          onChange={(customer) => change({ customer, methodId: '' })}
          detailOf={detailOf}
          problem={problemOf('customer', 'customerId')}
          autoFocus={customerId === undefined}
        />
        {entry.hasNoPaymentMethod && form.customer && (
          <Alert severity="warning">
            <Trans
              i18nKey="{{customer}} has no card on file. <0>Add a card</0>"
              components={[<Link key="0" component={RouterLink} to={`/customers/${form.customer.customerId}`} />]}
              values={{ customer: customerName(form.customer) }}
            />
          </Alert>
        )}
        <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, alignItems: 'start' }}>
          <AmountField
            id={IDS.amount}
            currency={currency}
            value={form.amount}
            onChange={(amount) => change({ amount })}
            problem={problemOf('amount', 'amount')}
            autoFocus={customerId !== undefined}
          />
          <SelectField
            id="subscription-frequency"
            label={t('Frequency')}
            value={form.frequency}
            options={FREQUENCIES.map((frequency) => [frequency, frequencyText(frequency)] as const)}
            onChange={(value) => change({ frequency: value })}
          />
          <DateField
            id={IDS.startDate}
            label={t('First payment')}
            value={startDate}
            onChange={(day) => change({ startDate: day })}
            error={problemOf('startDate', 'startDate') !== undefined}
            helperText={problemOf('startDate', 'startDate')}
          />
          <MethodField
            id={IDS.method}
            methods={methods ?? []}
            value={form.methodId}
            onChange={(methodId) => change({ methodId })}
            disabled={!methods?.length}
          />
        </Box>
        {entry.isBankDebit && (
          <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, alignItems: 'start' }}>
            <AgreementField id="subscription-agreed-by" value={form.agreedBy} onChange={(agreedBy) => change({ agreedBy })} />
            <TextField
              id="subscription-proof"
              label={t('Reference of the authorization')}
              value={form.proof}
              onChange={({ target }) => change({ proof: target.value })}
              error={refused === 'bankAuthorization.reference'}
              helperText={refused === 'bankAuthorization.reference' ? create.failure?.message : undefined}
              slotProps={{ htmlInput: { maxLength: 100 } }}
            />
          </Box>
        )}
        <EndFields
          id={IDS.end}
          value={form.end}
          onChange={(end) => change({ end })}
          problem={problemOf('end', 'endDate', 'totalPayments')}
        />
        <TaxFields
          id="subscription"
          currency={currency}
          value={form}
          onChange={change}
          problem={problemOf('tax', 'taxAmount')}
          orderProblem={refused === 'purchaseOrderNumber' ? create.failure?.message : undefined}
        />
        <NameField id="subscription-name" value={form.name} onChange={(name) => change({ name })} />
        <SubscriptionPreview entry={entry} currency={currency} />
        {failedQuery?.error && <FailureNote failure={failedQuery.error} onRetry={() => void failedQuery.refetch()} />}
      </Box>
    </FormDialog>
  );
}

function detailOf({ email, defaultPaymentMethod }: Customer): string {
  return [email, defaultPaymentMethod ? methodText(defaultPaymentMethod) : t('no card on file')].filter(Boolean).join(' · ');
}

/** "Charge 25.00 now and every month", or "Start subscription on Jan 31, 2027". */
function submitLabel({ form, decimal, startDate, today }: NewSubscriptionEntry, currency: string): string {
  if (startDate === '' || startDate < today) return t('Start subscription');
  if (startDate > today) return t('Start subscription on {{date}}', { date: dayText(startDate) });
  const isSinglePayment = form.end.kind === 'count' && Number(form.end.count) === 1;
  const frequency = frequencyText(form.frequency);
  if (decimal === undefined) return isSinglePayment ? t('Charge now') : t('Charge now and {{frequency}}', { frequency });
  const amount = writeAmount(decimal, currency);
  return isSinglePayment ? t('Charge {{amount}} now', { amount }) : t('Charge {{amount}} now and {{frequency}}', { amount, frequency });
}

/** First dates of the subscription in the form, and whether it is charged immediately. */
function SubscriptionPreview({ entry, currency }: { entry: NewSubscriptionEntry; currency: string }) {
  const { preview, startDate, today, decimal } = entry;
  const isToday = today !== '' && startDate === today;
  const dates = preview.data;
  return (
    <Box component="section" aria-label={t('Preview')} aria-live="polite" sx={{ display: 'grid', gap: 3 }}>
      {isToday && decimal !== undefined && (
        <Alert severity="warning">{t('Charges {{amount}} now.', { amount: writeMoney(decimal, currency) })}</Alert>
      )}
      {preview.error && dates === undefined ? (
        <FailureNote failure={preview.error} onRetry={() => void preview.refetch()} />
      ) : (
        <Box sx={{ minHeight: 84, opacity: preview.isPlaceholderData ? 0.6 : 1 }}>
          <Typography variant="h3" sx={{ mb: 2 }}>
            {dates !== undefined && dates.length < DATES_SHOWN ? t('Payment dates until it ends') : t('Payment dates')}
          </Typography>
          {dates !== undefined && <DateStrip label={t('Payment dates')} dates={dates} />}
        </Box>
      )}
    </Box>
  );
}
