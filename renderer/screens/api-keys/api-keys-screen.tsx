import Link from '@mui/material/Link';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { Link as RouteLink, useParams } from 'react-router';
import { Trans, t } from '#renderer/language';
import { Screen } from '#renderer/ui';
import { KeysTab } from './keys-tab.tsx';
import { RequestsTab } from './requests-tab.tsx';

/** API keys and recent requests. */
export function ApiKeysScreen() {
  const { tab } = useParams();
  const isRequests = tab === 'requests';
  return (
    <Screen
      title={t('API keys')}
      fillsHeight
      subtitle={
        <Trans
          i18nKey="Programs use an API key to call the API. <0>API explorer</0> · <1>OpenAPI document</1>"
          components={[<Link key="0" href="/docs" underline="always" />, <Link key="1" href="/openapi.json" underline="always" />]}
        />
      }
    >
      <Tabs value={isRequests ? 'requests' : 'keys'} aria-label={t('API keys')} sx={{ mb: 4 }}>
        <Tab value="keys" label={t('Keys')} component={RouteLink} to="/api-keys" />
        <Tab value="requests" label={t('Request log')} component={RouteLink} to="/api-keys/requests" />
      </Tabs>
      {isRequests ? <RequestsTab /> : <KeysTab />}
    </Screen>
  );
}
