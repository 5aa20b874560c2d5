import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from 'react-router';
import { MasterKey } from '#renderer/recovery-file';
import { useMay } from '#renderer/session';
import { statusQuery } from '#renderer/system-status';
import { announce, FailureNote, Screen, type Shortcut, useShortcuts } from '#renderer/ui';
import { ApplicationTab } from './application-tab.tsx';
import { backupQuery, beginBackup, refreshBackups } from './backup-queries.ts';
import { BackupTab } from './backup-tab.tsx';
import { DatabaseTab } from './database/database-tab.tsx';
import { DiagnosticsTab } from './diagnostics-tab.tsx';
import { LogsTab } from './logs-tab.tsx';
import { SecurityTab } from './security-tab.tsx';
import { StatusTab } from './status-tab.tsx';
import { UpdatesTab } from './updates-tab.tsx';

const TABS = [
  ['status', 'Status', StatusTab],
  ['database', 'Database', DatabaseTab],
  ['backup', 'Backup', BackupTab],
  ['keys', 'Keys and recovery', MasterKey],
  ['security', 'Security activity', SecurityTab],
  ['updates', 'Updates', UpdatesTab],
  ['logs', 'Logs', LogsTab],
  ['diagnostics', 'Diagnostics', DiagnosticsTab],
  ['application', 'Application', ApplicationTab],
] as const;

/** Keys of the tabs. */
const KEYS: Readonly<Record<string, string>> = { logs: 'L', diagnostics: 'Control+Shift+D' };

const TABS_STYLE = { mb: 2, '& .MuiTab-root': { minWidth: 0, px: 3 } } as const;

/** Maintenance and status of the installation (experience 2.18). */
export function SystemScreen() {
  const { tab } = useParams();
  const may = useMay();
  const tabs = TABS.filter(([name]) => name !== 'security' || may('owner:activity'));
  const [path, label, Content] = tabs.find(([name]) => name === tab) ?? TABS[0];
  const backup = useBackupShortcut(path);
  return (
    <Screen title="System" subtitle={'Server health, backups and updates.'}>
      <Tabs value={path} aria-label="System" variant="scrollable" scrollButtons="auto" sx={TABS_STYLE}>
        {tabs.map(([name, tabLabel]) => (
          <Tab key={name} value={name} label={tabLabel} component={Link} to={`/system/${name}`} aria-keyshortcuts={KEYS[name]} />
        ))}
      </Tabs>
      {backup.error && <FailureNote failure={backup.error} />}
      <Box role="tabpanel" aria-label={label}>
        <Content />
      </Box>
    </Screen>
  );
}

/** Registers the shortcuts of the screen. On the backup tab, that tab handles its own shortcut. */
function useBackupShortcut(path: string) {
  const navigate = useNavigate();
  const seesBackups = useQuery({ ...statusQuery, select: ({ items }) => items.some(({ name }) => name === 'backup') }).data ?? false;
  const { data } = useQuery({ ...backupQuery, enabled: seesBackups });
  const begin = useMutation({
    mutationFn: beginBackup,
    onSuccess: () => announce('Backup started.'),
    onSettled: () => refreshBackups(),
  });
  const backUp: Shortcut = {
    keys: 'B',
    label: 'Back up now',
    run() {
      if (!begin.isPending && !data?.isUnderWay) begin.mutate();
      void navigate('/system/backup');
    },
  };
  useShortcuts('System', [
    ...(data?.mayChange && path !== 'backup' ? [backUp] : []),
    { keys: 'L', label: 'Open the log', run: () => void navigate('/system/logs') },
    { keys: 'Mod+Shift+D', label: 'Open diagnostics', run: () => void navigate('/system/diagnostics') },
  ]);
  return begin;
}
