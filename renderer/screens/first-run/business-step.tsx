import Autocomplete from '@mui/material/Autocomplete';
import TextField from '@mui/material/TextField';
import { useMemo, useState } from 'react';
import { CURRENCY_CODES } from '#shared/currencies';
import { useDraft } from './draft.ts';
import { currencyName, timeZones } from './environment.ts';
import { StepForm } from './step-form.tsx';

const NAME_LENGTH_MAX = 100;

/** Name, currency and time zone of the business. */
export function BusinessStep({ onDone, onBack }: { onDone: () => void; onBack: () => void }) {
  const { businessName, currency, timezone, change } = useDraft();
  const [wasSubmitted, setSubmitted] = useState(false);
  const isMissing = businessName.trim() === '';
  const zones = useMemo(timeZones, []);
  return (
    <StepForm title="Your business" submitLabel="Continue" onBack={onBack} onSubmit={() => (isMissing ? setSubmitted(true) : onDone())}>
      <TextField
        id="business-name"
        label="Business name"
        value={businessName}
        onChange={(event) => change({ businessName: event.target.value })}
        autoFocus
        error={wasSubmitted && isMissing}
        helperText={wasSubmitted && isMissing ? 'Enter the name to show on receipts.' : 'Shown on receipts.'}
        slotProps={{ htmlInput: { autoComplete: 'organization', maxLength: NAME_LENGTH_MAX } }}
      />
      <Autocomplete
        id="business-currency"
        options={CURRENCY_CODES}
        value={currency}
        onChange={(_, value) => change({ currency: value })}
        getOptionLabel={currencyName}
        disableClearable
        renderInput={(params) => <TextField {...params} label="Currency" />}
      />
      <Autocomplete
        id="business-timezone"
        options={zones}
        value={timezone}
        onChange={(_, value) => change({ timezone: value })}
        getOptionLabel={(zone) => zone.replaceAll('_', ' ')}
        disableClearable
        renderInput={(params) => <TextField {...params} label="Time zone" helperText="Used for reports and settlement days." />}
      />
    </StepForm>
  );
}
