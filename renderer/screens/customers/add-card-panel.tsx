import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiFailure, Customer, PaymentMethod } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { announce, PanelForm } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { type AgreementChannel, AgreementField } from '#renderer/shared/customers';
import { refreshCustomers, storeCard } from './queries.ts';
import { consentFor, methodName } from './texts.ts';
import { useCardInputs } from './use-card-inputs.ts';

interface AddCardPanelProps {
  readonly customer: Customer;
  readonly merchantName: string;
  readonly onAdded: (method: PaymentMethod) => void;
  readonly onClose: () => void;
}

const CONSENT_MAX = 1_000;

/** Attributes of card fields: password managers must not store a customer's card. */
const NO_STORAGE = {
  autoComplete: 'off',
  autoCorrect: 'off',
  spellCheck: false,
  'data-1p-ignore': true,
  'data-lpignore': true,
  'data-form-type': 'other',
};

/** Saves a card with the consent of its holder. */
export function AddCardPanel({ customer, merchantName, onAdded, onClose }: AddCardPanelProps) {
  const inputs = useCardInputs();
  const { refs, problems, onInput, onBlur } = inputs;
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [agreedBy, setAgreedBy] = useState<AgreementChannel>(useMerchant().vtSettings.channel);
  // The card is not passed as a variable, because the mutation cache would keep it.
  const saving = useMutation({
    mutationFn: async () => {
      const entered = inputs.read();
      return entered && storeCard(customer.customerId, entered.card, entered.consentText, agreedBy);
    },
    onMutate: () => setFailure(null),
    onSuccess: (method) => {
      if (!method) return;
      inputs.clear();
      void refreshCustomers();
      const card = methodName(method);
      announce(method.isDefault ? t('{{card}} is saved as the default.', { card }) : t('{{card}} is saved.', { card }));
      onAdded(method);
    },
    onError: (refusal) => {
      if (!inputs.showRefusal(refusal)) setFailure(refusal);
    },
  });
  return (
    <PanelForm
      title={t('Add card')}
      explanation={t(
        'The card number is stored in the vault and never shown again. The security code isn’t needed, because it must not be stored.',
      )}
      submitLabel={t('Add card')}
      isBusy={saving.isPending}
      failure={failure}
      onSubmit={() => saving.mutate()}
      onClose={onClose}
    >
      <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '2fr 1fr' }, gap: 4, alignItems: 'start' }}>
        <TextField
          id="card-number"
          label={t('Card number')}
          autoFocus
          inputRef={refs.number}
          onInput={onInput('number')}
          onBlur={onBlur('number')}
          error={problems.number !== undefined}
          helperText={problems.number}
          slotProps={{
            htmlInput: { ...NO_STORAGE, inputMode: 'numeric', maxLength: 40 },
            input: {
              endAdornment: (
                <Box component="span" sx={{ color: 'text.secondary', fontSize: 13, whiteSpace: 'nowrap' }}>
                  {inputs.brand}
                </Box>
              ),
            },
          }}
        />
        <TextField
          id="card-expiry"
          label={t('Expiry')}
          placeholder={t('MM/YY')}
          inputRef={refs.expiry}
          onInput={onInput('expiry')}
          onBlur={onBlur('expiry')}
          error={problems.expiry !== undefined}
          helperText={problems.expiry}
          slotProps={{ htmlInput: { ...NO_STORAGE, inputMode: 'numeric', maxLength: 9 } }}
        />
      </Box>
      <TextField
        id="card-consent"
        label={t('Customer’s consent')}
        multiline
        minRows={2}
        maxRows={6}
        defaultValue={consentFor(merchantName)}
        inputRef={refs.consent}
        onInput={onInput('consent')}
        onBlur={onBlur('consent')}
        error={problems.consent !== undefined}
        helperText={problems.consent ?? t('Saved with the card and today’s date. Read it to the customer, or have it signed.')}
        slotProps={{ htmlInput: { ...NO_STORAGE, maxLength: CONSENT_MAX } }}
      />
      <AgreementField id="card-agreed-by" value={agreedBy} onChange={setAgreedBy} />
    </PanelForm>
  );
}
