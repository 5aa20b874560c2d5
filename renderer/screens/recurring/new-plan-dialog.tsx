import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useEffect, useState } from 'react';
import { Link as RouterLink } from 'react-router';
import { type Customer, type Subscription, useMoneyMutation } from '#renderer/client';
import { CustomerField, customerName } from '#renderer/customers';
import { writeAmount } from '#renderer/money';
import { useMerchant } from '#renderer/session';
import { Dialog, dayText, FailureNote, focusField } from '#renderer/ui';
import { createPlan, type NewPlan } from './operations.ts';
import { AmountField, EndFields, MethodField, NameField } from './plan-fields.tsx';
import { PlanPreview } from './plan-preview.tsx';
import { type NewPlanEntry, type NewPlanField, useNewPlan } from './use-new-plan.ts';
import { FREQUENCIES, type Frequency, frequencyWords, methodName } from './words.ts';

const FIELDS: readonly NewPlanField[] = ['customer', 'amount', 'startDate', 'end', 'method'];
const IDS: Readonly<Record<NewPlanField, string>> = {
  customer: 'plan-customer',
  amount: 'plan-amount',
  startDate: 'plan-start',
  end: 'plan-end',
  method: 'plan-method',
};

interface NewPlanDialogProps {
  /** Customer of the subscription, if known. */
  readonly customerId: string | undefined;
  readonly onMade: (plan: Subscription) => void;
  readonly onClose: () => void;
}

/** Creates a subscription: customer, amount, frequency and start. The service computes its dates, so the preview equals the charges. */
export function NewPlanDialog({ customerId, onMade, onClose }: NewPlanDialogProps) {
  const { merchantId, currency } = useMerchant();
  const entry = useNewPlan(merchantId, currency, customerId);
  const [isChecked, setChecked] = useState(false);
  /** Enter was struck while an answer of the service was missing. */
  const [isStruck, setStruck] = useState(false);
  const create = useMoneyMutation((plan: NewPlan, key) => createPlan(plan, key), { onSuccess: onMade });
  const { form, set, startDate, request, problems, methods, unread } = entry;
  const change: NewPlanEntry['set'] = (part) => {
    set(part);
    setChecked(false);
    setStruck(false);
    create.reset();
  };
  const refused = create.error?.field;
  const problemOf = (field: NewPlanField, ...names: string[]) =>
    (isChecked ? problems[field] : undefined) ?? (refused !== undefined && names.includes(refused) ? create.error?.message : undefined);
  const isAtField = ['customerId', 'amount', 'startDate', 'endDate', 'totalPayments'].includes(refused ?? '');
  const submit = () => {
    if (create.isPending) return;
    setChecked(true);
    const missing = FIELDS.find((field) => problems[field] !== undefined);
    if (missing !== undefined) focusField(`${IDS[missing]}-date`, `${IDS[missing]}-count`, IDS[missing]);
    else if (request !== undefined) create.mutate(request);
    else setStruck(entry.isWaiting);
  };
  useEffect(() => {
    if (!isStruck || entry.isWaiting) return;
    setStruck(false);
    submit();
  });
  return (
    <Dialog
      title="New plan"
      isOpen
      onClose={onClose}
      onSubmit={submit}
      actions={
        <>
          <Button variant="text" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="contained" color="primary" loading={create.isPending || isStruck}>
            {submitLabel(entry, currency)}
          </Button>
        </>
      }
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
        {entry.hasNothingToPayWith && form.customer && (
          <Alert severity="warning">
            {customerName(form.customer)} has no card on file.{' '}
            <Link component={RouterLink} to={`/customers/${form.customer.customerId}`}>
              Store one first
            </Link>
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
          <TextField
            id="plan-frequency"
            select
            label="How often"
            value={form.frequency}
            onChange={({ target }) => change({ frequency: target.value as Frequency })}
          >
            {FREQUENCIES.map((frequency) => (
              <MenuItem key={frequency} value={frequency}>
                {frequencyWords(frequency)}
              </MenuItem>
            ))}
          </TextField>
          <TextField
            id={IDS.startDate}
            type="date"
            label="First payment"
            value={startDate}
            onChange={({ target }) => change({ startDate: target.value })}
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
        <EndFields
          id={IDS.end}
          value={form.end}
          onChange={(end) => change({ end })}
          problem={problemOf('end', 'endDate', 'totalPayments')}
        />
        <NameField id="plan-name" value={form.name} onChange={(name) => change({ name })} />
        <PlanPreview entry={entry} currency={currency} />
        {unread?.error && <FailureNote failure={unread.error} onRetry={() => void unread.refetch()} />}
        {create.error && !isAtField && <FailureNote failure={create.error} />}
      </Box>
    </Dialog>
  );
}

function detailOf({ email, defaultPaymentMethod }: Customer): string {
  return [email, defaultPaymentMethod ? methodName(defaultPaymentMethod) : 'no card on file'].filter(Boolean).join(' · ');
}

/** "Charge 25.00 now and every month", or "Start plan on Jan 31, 2027". */
function submitLabel({ form, decimal, startDate, today }: NewPlanEntry, currency: string): string {
  if (startDate === '' || startDate < today) return 'Start plan';
  if (startDate > today) return `Start plan on ${dayText(startDate)}`;
  const figure = decimal === undefined ? '' : ` ${writeAmount(decimal, currency)}`;
  const isOnce = form.end.kind === 'count' && Number(form.end.count) === 1;
  return `Charge${figure} now${isOnce ? '' : ` and ${frequencyWords(form.frequency)}`}`;
}
