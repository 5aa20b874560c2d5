import TextField from '@mui/material/TextField';
import type { PaymentMethod } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { methodText } from '#renderer/base/payment-methods';
import { SelectField } from '#renderer/kit/ui';

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
      <SelectField
        id={`${id}-method`}
        label={t('Payment method')}
        value={chosen ? methodId : ''}
        options={methods.map(
          (method) =>
            [
              method.paymentMethodId,
              method.isDefault ? t('{{method}}, default', { method: methodText(method) }) : methodText(method),
            ] as const,
        )}
        onChange={onMethod}
        disabled={methods.length === 0}
        autoFocus={autoFocus}
        helperText={chosen && chosen.consentText !== null ? t('Consent: “{{text}}”', { text: chosen.consentText }) : undefined}
      />
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
