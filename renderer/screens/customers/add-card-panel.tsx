import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiFailure, Customer, PaymentMethod } from '#renderer/client';
import { announce, PanelForm } from '#renderer/ui';
import { refreshCustomers, storeCard } from './queries.ts';
import { useCardInputs } from './use-card-inputs.ts';
import { methodName } from './words.ts';

interface AddCardPanelProps {
  readonly customer: Customer;
  readonly merchantName: string;
  readonly onAdded: (method: PaymentMethod) => void;
  readonly onClose: () => void;
}

const CONSENT_MAX = 1_000;

/** Password managers must not keep a customer's card. */
const UNKEPT = {
  autoComplete: 'off',
  autoCorrect: 'off',
  spellCheck: false,
  'data-1p-ignore': true,
  'data-lpignore': true,
  'data-form-type': 'other',
};

/** Stores a card with what its holder agreed to. */
export function AddCardPanel({ customer, merchantName, onAdded, onClose }: AddCardPanelProps) {
  const inputs = useCardInputs();
  const { refs, problems, onInput, onBlur } = inputs;
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  // Without variables: they would keep the number in the mutation's record.
  const storing = useMutation({
    mutationFn: async () => {
      const given = inputs.read();
      return given && storeCard(customer.customerId, given.card, given.consentText);
    },
    onMutate: () => setFailure(null),
    onSuccess: (method) => {
      if (!method) return;
      inputs.clear();
      void refreshCustomers();
      announce(`${methodName(method)} is stored${method.isDefault ? ' and is the default' : ''}.`);
      onAdded(method);
    },
    onError: (refusal) => {
      if (!inputs.blame(refusal)) setFailure(refusal);
    },
  });
  return (
    <PanelForm
      title="Add card"
      explanation="The number goes to the vault and is never shown again. The security code is not asked for: it may not be kept."
      submitLabel="Add card"
      isBusy={storing.isPending}
      failure={failure}
      onSubmit={() => storing.mutate()}
      onClose={onClose}
    >
      <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '2fr 1fr' }, gap: 4, alignItems: 'start' }}>
        <TextField
          id="card-number"
          label="Card number"
          autoFocus
          inputRef={refs.number}
          onInput={onInput('number')}
          onBlur={onBlur('number')}
          error={problems.number !== undefined}
          helperText={problems.number}
          slotProps={{
            htmlInput: { ...UNKEPT, inputMode: 'numeric', maxLength: 40 },
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
          label="Expiry"
          placeholder="MM/YY"
          inputRef={refs.expiry}
          onInput={onInput('expiry')}
          onBlur={onBlur('expiry')}
          error={problems.expiry !== undefined}
          helperText={problems.expiry}
          slotProps={{ htmlInput: { ...UNKEPT, inputMode: 'numeric', maxLength: 9 } }}
        />
      </Box>
      <TextField
        id="card-consent"
        label="What the customer agreed to"
        multiline
        minRows={2}
        maxRows={6}
        defaultValue={`I authorize ${merchantName} to store this card and to charge it for purchases I agree to.`}
        inputRef={refs.consent}
        onInput={onInput('consent')}
        onBlur={onBlur('consent')}
        error={problems.consent !== undefined}
        helperText={problems.consent ?? 'Kept with the card and today’s date. Read it to the customer, or have it signed.'}
        slotProps={{ htmlInput: { ...UNKEPT, maxLength: CONSENT_MAX } }}
      />
    </PanelForm>
  );
}
