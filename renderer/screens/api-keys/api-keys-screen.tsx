import Link from '@mui/material/Link';
import { useState } from 'react';
import { useParams } from 'react-router';
import { Trans, t } from '#renderer/base/language';
import { SavedViews } from '#renderer/kit/list-settings';
import { PageActions } from '#renderer/kit/record';
import { Screen } from '#renderer/kit/ui';
import { useMay } from '#renderer/session/user';
import { type KeyDialog, KeysTab } from './keys-tab.tsx';
import { RequestsTab } from './requests-tab.tsx';

/** API keys and recent requests. */
export function ApiKeysScreen() {
  const { tab } = useParams();
  const isRequests = tab === 'requests';
  const canWrite = useMay()('api-keys:write');
  const [dialog, setDialog] = useState<KeyDialog>();
  const actions = isRequests ? (
    <SavedViews path="/api-keys/requests" />
  ) : (
    <PageActions
      group={t('API keys')}
      actions={[
        ...(canWrite ? [{ keys: 'N', label: t('New key'), run: () => setDialog('new') }] : []),
        { label: t('Test a key'), run: () => setDialog('test') },
      ]}
    />
  );
  return (
    <Screen
      title={isRequests ? t('Request log') : t('API keys')}
      fillsHeight
      actions={actions}
      subtitle={
        <Trans
          i18nKey="Programs use an API key to call the API. <0>API explorer</0> · <1>OpenAPI document</1>"
          components={[<Link key="0" href="/docs" underline="always" />, <Link key="1" href="/openapi.json" underline="always" />]}
        />
      }
    >
      {isRequests ? <RequestsTab /> : <KeysTab dialog={dialog} onDialog={setDialog} />}
    </Screen>
  );
}
