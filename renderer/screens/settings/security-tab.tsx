import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { MasterKey } from '#renderer/recovery-file';
import { useMay, useMe } from '#renderer/session';
import { ConfirmDialog, FailureNote, showToast } from '#renderer/ui';
import { Group, SwitchSetting } from './fields.tsx';
import type { TabProps } from './form-tabs.tsx';
import { SectionForm } from './section-form.tsx';
import { rotateSigningKey, type ValuesOf } from './sections.ts';
import type { Draft } from './use-draft.ts';

/** Webhook targets, the key that signs tokens, and the keys that encrypt cards. */
export function SecurityTab({ merchantId }: TabProps) {
  return (
    <Box sx={{ display: 'grid', gap: 4 }}>
      <SectionForm merchantId={merchantId} name="settings">
        {(draft: Draft<ValuesOf<'settings'>>, isReadOnly) => (
          <Group title="Webhooks">
            <SwitchSetting
              label="Webhooks of a live account may go to this machine and private networks"
              help="Only to hosts that the operator of this installation has allowed with --private-hosts. Sandbox accounts always may."
              checked={draft.values.allowPrivateWebhookTargets}
              onChecked={(allowPrivateWebhookTargets) => draft.set({ allowPrivateWebhookTargets })}
              isReadOnly={isReadOnly}
            />
          </Group>
        )}
      </SectionForm>
      <SigningKey />
      <MasterKey />
    </Box>
  );
}

function SigningKey() {
  const may = useMay();
  const { user } = useMe();
  const canRotate = may('settings:write') && user.merchantId === null;
  const [isAsking, setAsking] = useState(false);
  const rotate = useMutation({
    mutationFn: rotateSigningKey,
    onSuccess: () => {
      setAsking(false);
      showToast('Tokens are signed with a new key.');
    },
    onError: () => setAsking(false),
  });
  return (
    <Box component="section" sx={{ maxWidth: 760, display: 'grid', gap: 3 }}>
      <Box component="h2" sx={{ fontSize: 14, fontWeight: 600, m: 0 }}>
        Signing key
      </Box>
      <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
        Access tokens are signed with a key of this account. It is replaced by itself every 90 days; replace it now if you think that it is
        known to somebody. Nobody is signed out.
      </Box>
      {rotate.error && <FailureNote failure={rotate.error} />}
      <Box>
        <Button variant="outlined" disabled={!canRotate} onClick={() => setAsking(true)}>
          Replace the signing key
        </Button>
      </Box>
      <ConfirmDialog
        title="Replace the signing key?"
        isOpen={isAsking}
        confirmLabel="Replace the key"
        isBusy={rotate.isPending}
        onConfirm={() => rotate.mutate()}
        onClose={() => setAsking(false)}
      >
        New tokens are signed with a new key. Tokens of the present one go on until they expire.
      </ConfirmDialog>
    </Box>
  );
}
