import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { Link, useParams } from 'react-router';
import { Screen } from '#renderer/ui';
import { KeysTab } from './keys-tab.tsx';
import { RequestsTab } from './requests-tab.tsx';

/** The keys of programs, and what they asked lately. */
export function ApiKeysScreen() {
  const { tab } = useParams();
  const isRequests = tab === 'requests';
  return (
    <Screen
      title="API keys"
      isFilling
      facts={
        <>
          Programs on this machine call the API with a key. <a href="/docs">API explorer</a> · <a href="/openapi.json">OpenAPI document</a>
        </>
      }
    >
      <Tabs value={isRequests ? 'requests' : 'keys'} aria-label="API keys" sx={{ mb: 4 }}>
        <Tab value="keys" label="Keys" component={Link} to="/api-keys" />
        <Tab value="requests" label="Request log" component={Link} to="/api-keys/requests" />
      </Tabs>
      {isRequests ? <RequestsTab /> : <KeysTab />}
    </Screen>
  );
}
