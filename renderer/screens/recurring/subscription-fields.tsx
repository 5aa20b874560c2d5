import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import type { PaymentMethod } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { SelectField } from '#renderer/kit/ui';
import { DateField } from '#renderer/session/date-entry';
import type { EndForm } from './subscription-end.ts';
import type { TaxForm } from './subscription-tax.ts';
import { methodWithExpiry } from './texts.ts';

interface AmountFieldProps {
  readonly id: string;
  readonly currency: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly problem: string | undefined;
  readonly autoFocus?: boolean;
}

/** The amount of each payment. */
export function AmountField({ id, currency, value, onChange, problem, autoFocus }: AmountFieldProps) {
  return (
    <TextField
      id={id}
      label={t('Amount, {{currency}}', { currency })}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      autoFocus={autoFocus}
      error={problem !== undefined}
      helperText={problem}
      slotProps={{
        htmlInput: { inputMode: 'decimal', autoComplete: 'off', maxLength: 18, style: { textAlign: 'end', fontWeight: 600 } },
      }}
    />
  );
}

interface TaxFieldsProps {
  /** Prefix of the IDs of both fields. */
  readonly id: string;
  readonly currency: string;
  readonly value: TaxForm;
  readonly onChange: (changed: Partial<TaxForm>) => void;
  readonly problem: string | undefined;
  readonly orderProblem: string | undefined;
}

/** Tax within each payment, and the purchase order number of a business customer. */
export function TaxFields({ id, currency, value, onChange, problem, orderProblem }: TaxFieldsProps) {
  return (
    <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'repeat(auto-fit, minmax(min(240px, 100%), 1fr))', alignItems: 'start' }}>
      <TextField
        id={`${id}-tax`}
        label={t('Tax within the amount, {{currency}} (optional)', { currency })}
        value={value.tax}
        onChange={({ target }) => onChange({ tax: target.value })}
        error={problem !== undefined}
        helperText={problem}
        slotProps={{ htmlInput: { inputMode: 'decimal', autoComplete: 'off', maxLength: 18, style: { textAlign: 'end' } } }}
      />
      <TextField
        id={`${id}-purchase-order`}
        label={t('Purchase order number (optional)')}
        value={value.purchaseOrder}
        onChange={({ target }) => onChange({ purchaseOrder: target.value })}
        error={orderProblem !== undefined}
        helperText={orderProblem}
        slotProps={{ htmlInput: { autoComplete: 'off', maxLength: 25 } }}
      />
    </Box>
  );
}

const NAME_LENGTH_MAX = 100;

/** Name of the subscription, which says what the customer pays for. */
export function NameField({ id, value, onChange }: { id: string; value: string; onChange: (text: string) => void }) {
  return (
    <TextField
      id={id}
      label={t('Subscription name (optional)')}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      slotProps={{ htmlInput: { maxLength: NAME_LENGTH_MAX, autoComplete: 'off' } }}
    />
  );
}

interface EndFieldsProps {
  readonly id: string;
  readonly value: EndForm;
  readonly onChange: (end: EndForm) => void;
  readonly problem: string | undefined;
}

/** End of a subscription: never, on a day, or after a number of payments. */
export function EndFields({ id, value, onChange, problem }: EndFieldsProps) {
  const field = { error: problem !== undefined, helperText: problem };
  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: '1fr 1fr', alignItems: 'start' }}>
      <SelectField
        id={id}
        label={t('Ends')}
        value={value.kind}
        options={[
          ['never', t('Never')],
          ['date', t('On a date')],
          ['count', t('After a number of payments')],
        ]}
        onChange={(kind) => onChange({ ...value, kind })}
      />
      {value.kind === 'date' && (
        <DateField
          id={`${id}-date`}
          label={t('End date')}
          value={value.date}
          onChange={(day) => onChange({ ...value, date: day })}
          {...field}
        />
      )}
      {value.kind === 'count' && (
        <TextField
          id={`${id}-count`}
          label={t('Number of payments')}
          value={value.count}
          onChange={({ target }) => onChange({ ...value, count: target.value.trim() })}
          slotProps={{ htmlInput: { inputMode: 'numeric', autoComplete: 'off', maxLength: 5 } }}
          {...field}
        />
      )}
    </Box>
  );
}

interface MethodFieldProps {
  readonly id: string;
  readonly methods: readonly PaymentMethod[];
  /** Empty for the customer's default. */
  readonly value: string;
  readonly onChange: (methodId: string) => void;
  readonly disabled?: boolean;
}

/** Payment method: the customer's default at each payment, or one card for this subscription. */
export function MethodField({ id, methods, value, onChange, disabled = false }: MethodFieldProps) {
  const defaultMethod = methods.find(({ isDefault }) => isDefault);
  const isKnown = value === '' || methods.some(({ paymentMethodId }) => paymentMethodId === value);
  return (
    <SelectField
      id={id}
      label={t('Card')}
      value={isKnown ? value : ''}
      options={[
        [
          '',
          defaultMethod ? t('The customer’s default ({{card}})', { card: methodWithExpiry(defaultMethod) }) : t('The customer’s default'),
        ],
        ...methods.map(
          (method) => [method.paymentMethodId, t('{{card}}, for this subscription only', { card: methodWithExpiry(method) })] as const,
        ),
      ]}
      onChange={onChange}
      disabled={disabled}
      slotProps={{ select: { displayEmpty: true } }}
    />
  );
}
