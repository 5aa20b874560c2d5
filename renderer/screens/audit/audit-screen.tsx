import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { Link, useParams } from 'react-router';
import { useMay } from '#renderer/session';
import { Screen } from '#renderer/ui';
import { LogTab } from './log-tab.tsx';
import { SessionsTab } from './sessions-tab.tsx';

/** Who did what, in a chain that shows every later change; and who is signed in. */
export function AuditScreen() {
  const { tab } = useParams();
  const canSeeSessions = useMay()('users:read');
  const isSessions = tab === 'sessions' && canSeeSessions;
  return (
    <Screen
      title="Audit log"
      isFilling
      facts="Every change and every sign-in, each entry sealed to the one before it: what is changed, removed or moved afterwards shows."
    >
      <Tabs value={isSessions ? 'sessions' : 'log'} aria-label="Audit log" sx={{ mb: 4 }}>
        <Tab value="log" label="Log" component={Link} to="/audit" />
        {canSeeSessions && <Tab value="sessions" label="Sessions" component={Link} to="/audit/sessions" />}
      </Tabs>
      {isSessions ? <SessionsTab /> : <LogTab />}
    </Screen>
  );
}
