import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { t } from '#renderer/base/language';
import { CurrencyPicker, TimeZonePicker } from '#renderer/kit/pickers';
import { useDraft } from './draft.ts';
import { StepForm } from './step-form.tsx';

const NAME_LENGTH_MAX = 100;

/** Name, currency and time zone of the business. */
export function BusinessStep({ onDone, onBack }: { onDone: () => void; onBack: () => void }) {
  const { businessName, currency, timezone, change } = useDraft();
  const [wasSubmitted, setSubmitted] = useState(false);
  const isMissing = businessName.trim() === '';
  return (
    <StepForm
      title={t('Your business')}
      submitLabel={t('Continue')}
      onBack={onBack}
      onSubmit={() => (isMissing ? setSubmitted(true) : onDone())}
    >
      <TextField
        id="business-name"
        label={t('Business name')}
        value={businessName}
        onChange={(event) => change({ businessName: event.target.value })}
        autoFocus
        error={wasSubmitted && isMissing}
        helperText={wasSubmitted && isMissing ? t('Enter the name to show on receipts.') : t('Shown on receipts.')}
        slotProps={{ htmlInput: { autoComplete: 'organization', maxLength: NAME_LENGTH_MAX } }}
      />
      <CurrencyPicker id="business-currency" label={t('Currency')} value={currency} onValue={(code) => change({ currency: code })} />
      <TimeZonePicker
        id="business-timezone"
        label={t('Time zone')}
        help={t('Used for reports and settlement days.')}
        value={timezone}
        onValue={(zone) => change({ timezone: zone })}
      />
    </StepForm>
  );
}
