import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import type { PaymentMethod } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { methodText } from '#renderer/base/payment-methods';

interface MethodFieldsProps {
  readonly id: string;
  readonly methods: readonly PaymentMethod[];
  readonly methodId: string;
  readonly onMethod: (methodId: string) => void;
  readonly consent: string;
  readonly onConsent: (text: string) => void;
  readonly consentProblem: string | undefined;
  readonly autoFocus?: boolean;
}

/** Payment method of a plan, and the consent of the customer if none was recorded with the payment method. */
export function MethodFields({
  id,
  methods,
  methodId,
  onMethod,
  consent,
  onConsent,
  consentProblem,
  autoFocus = false,
}: MethodFieldsProps) {
  const chosen = methods.find(({ paymentMethodId }) => paymentMethodId === methodId);
  return (
    <>
      <TextField
        id={`${id}-method`}
        select
        label={t('Payment method')}
        value={chosen ? methodId : ''}
        onChange={({ target }) => onMethod(target.value)}
        disabled={methods.length === 0}
        autoFocus={autoFocus}
        helperText={chosen && chosen.consentText !== null ? t('Consent: “{{text}}”', { text: chosen.consentText }) : undefined}
      >
        {methods.map((method) => (
          <MenuItem key={method.paymentMethodId} value={method.paymentMethodId}>
            {method.isDefault ? t('{{method}}, default', { method: methodText(method) }) : methodText(method)}
          </MenuItem>
        ))}
      </TextField>
      {chosen !== undefined && chosen.consentText === null && (
        <TextField
          id={`${id}-consent`}
          label={t('Consent of the customer')}
          value={consent}
          onChange={({ target }) => onConsent(target.value)}
          multiline
          minRows={2}
          error={consentProblem !== undefined}
          helperText={consentProblem ?? t('Read this text to the customer. It is stored with the plan.')}
          slotProps={{ htmlInput: { maxLength: 2_000 } }}
        />
      )}
    </>
  );
}
