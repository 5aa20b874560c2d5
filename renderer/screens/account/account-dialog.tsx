import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, takeData } from '#renderer/client';
import { renewMe, useMe } from '#renderer/session';
import { Dialog, FactList, FailureNote, showToast } from '#renderer/ui';

type Choice = 'off' | 'email' | 'sms';
const CHOICES: readonly (readonly [Choice, string])[] = [
  ['off', 'Password alone'],
  ['email', 'Password and a code by e-mail'],
  ['sms', 'Password and a code by text message'],
];

/** One's own account: who one is here, and whether a code is asked for at sign-in. Mounted while it is open. */
export function AccountDialog({ onClose }: { onClose: () => void }) {
  const { user } = useMe();
  const [choice, setChoice] = useState(user.twoFactor as Choice);
  const save = useMutation({
    mutationFn: () =>
      takeData(
        api.PUT('/api/v1/auth/two-factor', {
          body: choice === 'off' ? { enabled: false } : { enabled: true, channel: choice },
        }),
      ),
    onSuccess: () => {
      void renewMe();
      showToast(choice === 'off' ? 'Sign-in asks for the password alone.' : 'Sign-in asks for a code from now on.');
      onClose();
    },
  });
  return (
    <Dialog
      title="Your account"
      isOpen
      onClose={onClose}
      onSubmit={() => !save.isPending && save.mutate()}
      actions={
        <>
          <Button variant="text" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="contained" color="primary" loading={save.isPending} disabled={choice === user.twoFactor}>
            Save
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <FactList
          facts={[
            ['E-mail', user.email],
            ['Role', user.role],
            ['Phone', user.phone ?? 'None'],
          ]}
        />
        <Box component="fieldset" sx={{ border: 0, m: 0, p: 0 }}>
          <Box component="legend" sx={{ fontSize: 13, fontWeight: 600, mb: 1 }}>
            At sign-in
          </Box>
          <RadioGroup value={choice} onChange={(_, value) => setChoice(value as Choice)}>
            {CHOICES.map(([value, label]) => (
              <FormControlLabel
                key={value}
                value={value}
                label={label}
                disabled={value === 'sms' && user.phone === null}
                control={<Radio size="small" />}
              />
            ))}
          </RadioGroup>
          {user.phone === null && (
            <Alert severity="info" sx={{ mt: 2 }}>
              Codes by text message need a phone number; an administrator can add yours.
            </Alert>
          )}
        </Box>
        {save.error && <FailureNote failure={save.error} />}
      </Box>
    </Dialog>
  );
}
