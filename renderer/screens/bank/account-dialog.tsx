import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { t } from '#renderer/base/language';
import { FormDialog, useSubmit } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { createAccount, refreshBank } from './queries.ts';

/** Adds a bank account. */
export function AccountDialog({ onCreated, onClose }: { onCreated: (bankAccountId: string) => void; onClose: () => void }) {
  const { merchantId } = useMerchant();
  const [name, setName] = useState('');
  const [number, setNumber] = useState('');
  const [isChecked, setChecked] = useState(false);
  const adding = useSubmit({
    send: createAccount,
    refresh: refreshBank,
    announcement: (account) => t('Bank account {{name}} added.', { name: account.name }),
    onDone: (account) => onCreated(account.bankAccountId),
    onClose,
  });
  const isNameless = isChecked && name.trim() === '';
  const submit = () => {
    setChecked(true);
    if (name.trim() !== '')
      adding.onSubmit({ merchantId, name: name.trim(), ...(number.trim() !== '' && { accountNumber: number.trim() }) });
  };
  return (
    <FormDialog {...adding} title={t('Add a bank account')} submitLabel={t('Add bank account')} onSubmit={submit} maxWidth="xs">
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <TextField
          id="bank-account-name"
          label={t('Name')}
          value={name}
          autoFocus
          onChange={({ target }) => setName(target.value)}
          error={isNameless}
          helperText={isNameless ? t('Enter a name.') : t('For example, Business checking.')}
          slotProps={{ htmlInput: { maxLength: 80, autoComplete: 'off' } }}
        />
        <TextField
          id="bank-account-number"
          label={t('Account number or IBAN (optional)')}
          value={number}
          onChange={({ target }) => setNumber(target.value)}
          helperText={t('Stored encrypted. Without it, the first statement sets the number.')}
          slotProps={{ htmlInput: { maxLength: 60, autoComplete: 'off' } }}
        />
      </Box>
    </FormDialog>
  );
}
