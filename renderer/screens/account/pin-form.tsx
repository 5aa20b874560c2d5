import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { t } from '#renderer/base/language';
import { FormDialog, useSubmit } from '#renderer/kit/ui';
import { refreshMe, useMe } from '#renderer/session/user';
import { PinField } from '#renderer/shared/pin-entry';
import { removePin, setPin } from './requests.ts';

/** Asks for a new PIN. The password is requested on submit. */
export function PinForm({ onClose }: { onClose: () => void }) {
  const { user } = useMe();
  const [pin, setPinText] = useState('');
  const [repeated, setRepeated] = useState('');
  const save = useSubmit({ send: () => setPin(pin), refresh: refreshMe, toast: t('PIN set.'), onClose });
  const remove = useSubmit({ send: removePin, refresh: refreshMe, toast: t('PIN removed.'), onClose });
  const isDifferent = repeated.length >= pin.length && repeated !== pin;
  const isComplete = pin.length >= 4 && repeated === pin;
  const fault = save.failure?.field === 'pin' ? save.failure.message : undefined;
  return (
    <FormDialog
      {...save}
      title={user.hasPin ? t('Change your PIN') : t('Set a PIN')}
      submitLabel={t('Save PIN')}
      isDisabled={!isComplete}
      failure={(fault === undefined ? save.failure : null) ?? remove.failure}
      maxWidth="xs"
      more={
        user.hasPin && (
          <Button variant="outlined" color="error" loading={remove.isBusy} onClick={() => remove.onSubmit()}>
            {t('Remove PIN')}
          </Button>
        )
      }
    >
      <Box sx={{ display: 'grid', gap: 4 }}>
        <Box>{t('With your PIN you approve operations and take over a screen at a workstation. It never replaces your password.')}</Box>
        <PinField id="new-pin" label={t('New PIN')} value={pin} onValue={setPinText} fault={fault} help={t('4 to 8 digits')} autoFocus />
        <PinField
          id="repeat-pin"
          label={t('Repeat PIN')}
          value={repeated}
          onValue={setRepeated}
          fault={isDifferent && pin !== '' ? t('The PINs differ.') : undefined}
        />
      </Box>
    </FormDialog>
  );
}
