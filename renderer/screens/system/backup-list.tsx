import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { Backup } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { Entry, StatusChip, TimeText } from '#renderer/kit/ui';
import { sizeText } from '#shared/size-text';
import { checkText, stateOf } from './backup-texts.ts';

interface BackupListProps {
  readonly backups: readonly Backup[];
  readonly timezone: string;
  /** Absent if the user has read access only. */
  readonly onCheck: ((backupId: string) => void) | undefined;
}

/** Backups with the results of their restore checks, newest first. */
export function BackupList({ backups, timezone, onCheck }: BackupListProps) {
  return (
    <Box component="ul" aria-label={t('Backups')} sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {backups.map((backup) => (
        <Entry key={backup.backupId}>
          <Box sx={{ width: 116 }}>
            <StatusChip state={stateOf(backup)} of="backup" />
          </Box>
          <Box sx={{ width: 132 }}>
            <TimeText at={backup.createdAt} timeZone={timezone} />
          </Box>
          <Box sx={{ flex: 1, minWidth: 260 }}>
            <Box>
              {backup.status === 'failed'
                ? serviceText(backup.message ?? '')
                : backup.status === 'made'
                  ? checkText(backup)
                  : t('Creating…')}
            </Box>
            <Box sx={{ fontSize: 12, color: 'text.secondary', overflowWrap: 'anywhere' }}>{factsOf(backup)}</Box>
          </Box>
          {onCheck && backup.status === 'made' && (
            <Button
              size="small"
              variant="text"
              disabled={backup.check.status === 'waiting' || backup.check.status === 'running'}
              aria-label={t('Check restore of the backup of {{time}}', { time: backup.createdAt })}
              onClick={() => onCheck(backup.backupId)}
            >
              {t('Check restore')}
            </Button>
          )}
        </Entry>
      ))}
    </Box>
  );
}

function factsOf({ name, bytes, origin, actor, station, transactions, check }: Backup): string {
  return [
    name,
    bytes === null ? null : sizeText(bytes),
    check.status === 'none' && transactions !== null ? t('{{count, number}} transactions', { count: transactions }) : null,
    origin === 'schedule' ? t('scheduled') : t('by {{user}}', { user: actor }),
    station && t('on {{workstation}}', { workstation: station }),
  ]
    .filter(Boolean)
    .join(' · ');
}
