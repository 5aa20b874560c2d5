import Link from '@mui/material/Link';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { Link as RouteLink, useParams } from 'react-router';
import { Screen } from '#renderer/ui';
import { KeysTab } from './keys-tab.tsx';
import { RequestsTab } from './requests-tab.tsx';

/** API keys and recent requests. */
export function ApiKeysScreen() {
  const { tab } = useParams();
  const isRequests = tab === 'requests';
  return (
    <Screen
      title="API keys"
      fillsHeight
      subtitle={
        <>
          Programs use an API key to call the API.{' '}
          <Link href="/docs" underline="always">
            API explorer
          </Link>{' '}
          ·{' '}
          <Link href="/openapi.json" underline="always">
            OpenAPI document
          </Link>
        </>
      }
    >
      <Tabs value={isRequests ? 'requests' : 'keys'} aria-label="API keys" sx={{ mb: 4 }}>
        <Tab value="keys" label="Keys" component={RouteLink} to="/api-keys" />
        <Tab value="requests" label="Request log" component={RouteLink} to="/api-keys/requests" />
      </Tabs>
      {isRequests ? <RequestsTab /> : <KeysTab />}
    </Screen>
  );
}
