import Box from '@mui/material/Box';
import Tooltip from '@mui/material/Tooltip';
import { type Health, useHealth } from '#renderer/base/client';
import { t } from '#renderer/base/language';

const DESCRIPTIONS: Readonly<Record<Exclude<Health, 'healthy' | 'unknown'>, string>> = {
  'database-down': t('The database isn’t responding'),
  'database-damaged': t('A database file is damaged'),
  'disk-full': t('The disk is full'),
  outdated: t('The database is newer than this program'),
  unreachable: t('The server isn’t responding'),
};
const LABELS: Readonly<Record<Exclude<Health, 'healthy' | 'unknown'>, string>> = {
  'database-down': t('Degraded'),
  'database-damaged': t('Degraded'),
  'disk-full': t('Degraded'),
  outdated: t('Outdated'),
  unreachable: t('Offline'),
};

/** State of the server beside the search, as a label and a ring; hidden while the server is connected. */
export function ConnectionDot() {
  const { health } = useHealth();
  if (health === 'healthy' || health === 'unknown') return null;
  return (
    <Tooltip describeChild title={DESCRIPTIONS[health]}>
      <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 1.5, fontSize: 12, color: 'text.secondary' }}>
        <Box
          component="span"
          aria-hidden
          sx={{ width: 8, height: 8, borderRadius: '50%', border: '2px solid', borderColor: 'error.main' }}
        />
        {LABELS[health]}
      </Box>
    </Tooltip>
  );
}
