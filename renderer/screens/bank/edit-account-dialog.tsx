import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import type { MerchantBankAccount } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { ConfirmDialog, FormDialog, useSubmit } from '#renderer/kit/ui';
import { refreshBank, removeAccount, renameAccount } from './queries.ts';

interface EditAccountDialogProps {
  readonly account: MerchantBankAccount;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
}

/** Renames a bank account, or removes it after a confirmation. */
export function EditAccountDialog({ account, onClose, onRemoved }: EditAccountDialogProps) {
  const { bankAccountId, matchedLines } = account;
  const [name, setName] = useState(account.name);
  /** Name that the person has seen, also in the message about a change by another person. */
  const [previousName, setPreviousName] = useState(account.name);
  const [isRemoving, setRemoving] = useState(false);
  const renaming = useSubmit({
    send: () => renameAccount(bankAccountId, { name: name.trim(), previousName }),
    refresh: refreshBank,
    announcement: (renamed) => t('Bank account renamed to {{name}}.', { name: renamed.name }),
    onFailure: ({ details }) => {
      if (typeof details.name === 'string') setPreviousName(details.name);
    },
    onClose,
  });
  const isNameless = name.trim() === '';
  const submit = () => {
    if (isNameless) return;
    if (name.trim() === previousName) onClose();
    else renaming.onSubmit();
  };
  return (
    <>
      <FormDialog {...renaming} title={t('Edit bank account')} submitLabel={t('Save name')} onSubmit={submit} maxWidth="xs">
        <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
          <TextField
            id="edited-bank-account-name"
            label={t('Name')}
            value={name}
            autoFocus
            onChange={({ target }) => setName(target.value)}
            error={isNameless}
            helperText={isNameless ? t('Enter a name.') : undefined}
            slotProps={{ htmlInput: { maxLength: 80, autoComplete: 'off' } }}
          />
          {matchedLines > 0 ? (
            <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
              {t('A bank account with matched lines can’t be removed, because these lines belong to the books.')}
            </Box>
          ) : (
            <Button color="error" variant="text" onClick={() => setRemoving(true)} sx={{ justifySelf: 'start' }}>
              {t('Remove bank account')}
            </Button>
          )}
        </Box>
      </FormDialog>
      {isRemoving && <RemoveAccountDialog account={account} onClose={() => setRemoving(false)} onRemoved={onRemoved} />}
    </>
  );
}

/** Asks before a bank account is removed. If the number of its lines has changed since the question, the person has to confirm the new one. */
function RemoveAccountDialog({ account, onClose, onRemoved }: EditAccountDialogProps) {
  const { bankAccountId, name } = account;
  const [openLines, setOpenLines] = useState(account.openLines);
  const removing = useSubmit({
    send: () => removeAccount(bankAccountId, openLines),
    refresh: refreshBank,
    announcement: t('Bank account {{name}} removed.', { name }),
    onDone: onRemoved,
    onFailure: ({ details }) => {
      if (typeof details.openLines === 'number') setOpenLines(details.openLines);
    },
    onClose,
  });
  return (
    <ConfirmDialog {...removing} title={t('Remove {{name}}?', { name })} isOpen submitLabel={t('Remove bank account')} isDangerous>
      <Box sx={{ display: 'grid', gap: 4 }}>
        <Box>
          {openLines > 0
            ? t('Its {{count, number}} open lines and its statements are deleted too. This can’t be undone.', { count: openLines })
            : t('It has no lines. This can’t be undone.')}
        </Box>
      </Box>
    </ConfirmDialog>
  );
}
