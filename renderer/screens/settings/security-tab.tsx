import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router';
import { Trans, t } from '#renderer/base/language';
import { ConfirmDialog, FailureNote, useSubmit } from '#renderer/kit/ui';
import { useMay, useMe } from '#renderer/session/user';
import { SETTING_NAMES } from '#renderer/shared/settings-pages';
import { CompanySignIn } from './company-sign-in.tsx';
import { Group, SwitchSetting } from './fields.tsx';
import type { TabProps } from './form-tabs.tsx';
import { SectionForm } from './section-form.tsx';
import { rotateSigningKey, type ValuesOf } from './sections.ts';
import type { Draft } from './use-draft.ts';

/** Webhook targets and the signing key. */
export function SecurityTab({ merchantId }: TabProps) {
  return (
    <Box sx={{ display: 'grid', gap: 4 }}>
      <SectionForm merchantId={merchantId} name="settings">
        {(draft: Draft<ValuesOf<'settings'>>, isReadOnly) => (
          <Group title={t('Webhooks')}>
            <SwitchSetting
              label={SETTING_NAMES.security.privateWebhooks}
              help={t(
                'Only to hosts that the operator of this installation allowed with --private-hosts. Always allowed for sandbox accounts.',
              )}
              checked={draft.values.allowPrivateWebhookTargets}
              onChecked={(allowPrivateWebhookTargets) => draft.set({ allowPrivateWebhookTargets })}
              isReadOnly={isReadOnly}
            />
          </Group>
        )}
      </SectionForm>
      <CompanySignIn merchantId={merchantId} />
      <SigningKey />
      <KeysNote />
    </Box>
  );
}

/** Link to the encryption keys, which belong to the installation. */
function KeysNote() {
  if (!useMay()('settings:read')) return null;
  return (
    <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
      <Trans
        i18nKey="Encryption keys and the recovery file: <0>System, Keys and recovery</0>"
        components={[<Link key="0" component={RouterLink} to="/system/keys" underline="always" />]}
      />
    </Box>
  );
}

function SigningKey() {
  const may = useMay();
  const { user } = useMe();
  const canRotate = may('settings:write') && user.merchantId === null;
  const [isAsking, setAsking] = useState(false);
  const close = () => setAsking(false);
  const rotate = useSubmit({ send: rotateSigningKey, toast: t('Signing key rotated.'), onClose: close, onFailure: close });
  return (
    <Box component="section" sx={{ maxWidth: 760, display: 'grid', gap: 3 }}>
      <Box component="h2" sx={{ fontSize: 14, fontWeight: 600, m: 0 }}>
        {t('Signing key')}
      </Box>
      <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
        {t(
          'Access tokens are signed with a key of this account. It is rotated automatically every 90 days. Rotate it now if it may have been exposed. Sessions continue.',
        )}
      </Box>
      {rotate.failure && <FailureNote failure={rotate.failure} />}
      <Box>
        <Button variant="outlined" disabled={!canRotate} onClick={() => setAsking(true)}>
          {t('Rotate signing key')}
        </Button>
      </Box>
      <ConfirmDialog
        {...rotate}
        failure={null}
        title={t('Rotate the signing key?')}
        isOpen={isAsking}
        submitLabel={t('Rotate signing key')}
      >
        {t('New tokens are signed with a new key. Existing tokens stay valid until they expire.')}
      </ConfirmDialog>
    </Box>
  );
}
