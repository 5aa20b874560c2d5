import TextField from '@mui/material/TextField';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiFailure, Customer, PaymentMethod } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { announce, PanelForm } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { CardFields, NO_STORAGE, useCardForm } from '#renderer/shared/card-form';
import { type AgreementChannel, AgreementField } from '#renderer/shared/customers';
import { containsCardNumber } from '#shared/card-numbers';
import { refreshCustomers, storeCard } from './queries.ts';
import { consentFor, methodName } from './texts.ts';

interface AddCardPanelProps {
  readonly customer: Customer;
  readonly merchantName: string;
  readonly onAdded: (method: PaymentMethod) => void;
  readonly onClose: () => void;
}

const CONSENT_MAX = 1_000;

/** Saves a card with the consent of its holder. */
export function AddCardPanel({ customer, merchantName, onAdded, onClose }: AddCardPanelProps) {
  const form = useCardForm({
    lastName: 'consentText',
    problemOfLast: (text) => (containsCardNumber(text) ? t('This text contains a card number. Remove it.') : undefined),
    cleared: ['number', 'expiry'],
  });
  const consent = form.bind('last');
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [agreedBy, setAgreedBy] = useState<AgreementChannel>(useMerchant().vtSettings.channel);
  // The card is not passed as a variable, because the mutation cache would keep it.
  const saving = useMutation({
    mutationFn: async () => {
      const entered = form.read();
      return entered && storeCard(customer.customerId, entered.card, entered.last, agreedBy);
    },
    onMutate: () => setFailure(null),
    onSuccess: (method) => {
      if (!method) return;
      form.clear();
      void refreshCustomers();
      const card = methodName(method);
      announce(method.isDefault ? t('{{card}} is saved as the default.', { card }) : t('{{card}} is saved.', { card }));
      onAdded(method);
    },
    onError: (refusal) => {
      if (!form.showRefusal(refusal)) setFailure(refusal);
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
      <CardFields id="card" form={form} autoFocus />
      <TextField
        id="card-consent"
        label={t('Customer’s consent')}
        multiline
        minRows={2}
        maxRows={6}
        defaultValue={consentFor(merchantName)}
        {...consent}
        helperText={consent.helperText ?? t('Saved with the card and today’s date. Read it to the customer, or have it signed.')}
        slotProps={{ htmlInput: { ...NO_STORAGE, maxLength: CONSENT_MAX } }}
      />
      <AgreementField id="card-agreed-by" value={agreedBy} onChange={setAgreedBy} />
    </PanelForm>
  );
}
