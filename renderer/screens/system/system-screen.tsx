import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';
import { t } from '#renderer/base/language';
import { ApplicationOptions } from '#renderer/desktop/application';
import { useDesktop } from '#renderer/desktop/bridge';
import { TabRow } from '#renderer/kit/choices';
import { FailureNote, Screen, type Shortcut, useShortcuts, useSubmit } from '#renderer/kit/ui';
import { statusQuery } from '#renderer/session/system-status';
import { useMay } from '#renderer/session/user';
import { MasterKey } from '#renderer/shared/recovery-file';
import { backupQuery, beginBackup, refreshBackups } from './backup-queries.ts';
import { BackupTab } from './backup-tab.tsx';
import { DatabaseTab } from './database/database-tab.tsx';
import { DiagnosticsTab } from './diagnostics-tab.tsx';
import { LogsTab } from './logs-tab.tsx';
import { SecurityTab } from './security-tab.tsx';
import { StatusTab } from './status-tab.tsx';
import { UpdatesTab } from './updates-tab.tsx';

const TABS = [
  ['status', t('Status'), StatusTab],
  ['database', t('Database'), DatabaseTab],
  ['backup', t('Backup'), BackupTab],
  ['keys', t('Keys and recovery'), MasterKey],
  ['security', t('Security activity'), SecurityTab],
  ['updates', t('Updates'), UpdatesTab],
  ['logs', t('Logs'), LogsTab],
  ['diagnostics', t('Diagnostics'), DiagnosticsTab],
  ['application', t('Application'), ApplicationTab],
] as const;

/** Tabs about the desktop application. */
const OF_DESKTOP: readonly string[] = ['updates', 'logs', 'application'];

/** Keys of the tabs. */
const KEYS: Readonly<Record<string, string>> = { logs: 'L', diagnostics: 'Control+Shift+D' };

/** Maintenance and status of the installation. */
export function SystemScreen() {
  const { tab } = useParams();
  const may = useMay();
  const { isDesktop } = useDesktop();
  const tabs = TABS.filter(([name]) => (name !== 'security' || may('owner:activity')) && (isDesktop || !OF_DESKTOP.includes(name)));
  const [path, label, Content] = tabs.find(([name]) => name === tab) ?? TABS[0];
  const backup = useTabShortcuts(path, isDesktop);
  return (
    <Screen title={t('System')} subtitle={t('Server health, backups and updates.')}>
      <TabRow
        label={t('System')}
        tabs={tabs.map(([id, name]) => ({ id, name, to: `/system/${id}`, keys: KEYS[id] }))}
        value={path}
        sx={{ mb: 2 }}
      />
      {backup.failure && <FailureNote failure={backup.failure} />}
      <Box role="tabpanel" aria-label={label}>
        <Content />
      </Box>
    </Screen>
  );
}

/** Registers the shortcuts of the screen. On the backup tab, that tab handles its own shortcut. */
function useTabShortcuts(path: string, hasLog: boolean) {
  const navigate = useNavigate();
  const seesBackups = useQuery({ ...statusQuery, select: ({ items }) => items.some(({ name }) => name === 'backup') }).data ?? false;
  const { data } = useQuery({ ...backupQuery, enabled: seesBackups });
  const begin = useSubmit({ send: beginBackup, refreshFirst: refreshBackups, announcement: t('Backup started.') });
  const backUp: Shortcut = {
    keys: 'B',
    label: t('Back up now'),
    run() {
      if (!begin.isBusy && !data?.isUnderWay) begin.onSubmit();
      void navigate('/system/backup');
    },
  };
  useShortcuts(t('System'), [
    ...(data?.mayChange && path !== 'backup' ? [backUp] : []),
    ...(hasLog ? [{ keys: 'L', label: t('Open the log'), run: () => void navigate('/system/logs') }] : []),
    { keys: 'Mod+Shift+D', label: t('Open diagnostics'), run: () => void navigate('/system/diagnostics') },
  ]);
  return begin;
}

/** Settings of the desktop application on this computer. */
function ApplicationTab() {
  return (
    <Box sx={{ maxWidth: 640 }}>
      <ApplicationOptions />
    </Box>
  );
}
