import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { Archive } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { Entry, fullTime, StatusChip } from '#renderer/kit/ui';
import { sizeText } from '#shared/size-text';
import { isChecking } from './queries.ts';

interface ArchiveListProps {
  readonly archives: readonly Archive[];
  readonly timezone: string;
  /** Absent if the user has read access only. */
  readonly onCheck: ((archiveId: string) => void) | undefined;
}

/** Archives with the results of their checks, newest first. */
export function ArchiveList({ archives, timezone, onCheck }: ArchiveListProps) {
  return (
    <Box component="ul" aria-label={t('Archives')} sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {archives.map((archive) => (
        <Entry key={archive.archiveId}>
          <Box sx={{ width: 116 }}>
            <StatusChip state={stateOf(archive)} of="backup" />
          </Box>
          <Box sx={{ width: 60, fontWeight: 600 }}>{archive.year}</Box>
          <Box sx={{ flex: 1, minWidth: 260 }}>
            <Box>{resultOf(archive, timezone)}</Box>
            <Box sx={{ fontSize: 12, color: 'text.secondary', overflowWrap: 'anywhere' }}>{factsOf(archive)}</Box>
          </Box>
          {onCheck && archive.status === 'made' && (
            <Button
              size="small"
              variant="text"
              disabled={isChecking(archive)}
              aria-label={t('Check archive of {{year}}', { year: String(archive.year) })}
              onClick={() => onCheck(archive.archiveId)}
            >
              {t('Check archive')}
            </Button>
          )}
        </Entry>
      ))}
    </Box>
  );
}

function stateOf({ status, check }: Archive): string {
  if (status === 'failed' || status === 'stopped' || check.status === 'bad') return 'failed';
  if (status !== 'made') return 'processing';
  return check.status === 'good' ? 'checked' : check.status === 'none' ? 'made' : 'checking';
}

function resultOf({ status, message, check }: Archive, timezone: string): string {
  if (status === 'waiting' || status === 'writing') return t('Writing the file…');
  if (status === 'deleting') return t('Removing what was archived from the database…');
  if (status !== 'made') return message ? serviceText(message) : t('It couldn’t be created.');
  if (check.status === 'waiting') return t('Checking the archive…');
  if (check.status === 'bad') return check.message ? serviceText(check.message) : t('It couldn’t be opened.');
  if (check.status === 'good') return t('Unchanged and complete on {{time}}', { time: fullTime(check.at ?? '', timezone) });
  return t('Not checked since it was created');
}

function factsOf({ name, bytes, entries, events, actor, station }: Archive): string {
  return [
    name,
    bytes === null ? null : sizeText(bytes),
    entries === null ? null : t('{{count, number}} entries', { count: entries }),
    events === null ? null : t('{{count, number}} events', { count: events }),
    actor === 'service' ? t('scheduled') : t('by {{user}}', { user: actor }),
    station && t('on {{workstation}}', { workstation: station }),
  ]
    .filter(Boolean)
    .join(' · ');
}
