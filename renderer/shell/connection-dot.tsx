import Box from '@mui/material/Box';
import Tooltip from '@mui/material/Tooltip';
import { type Health, useHealth } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { VISUALLY_HIDDEN } from '#renderer/kit/ui';

const DESCRIPTIONS: Readonly<Record<Health, string>> = {
  unknown: t('Checking the connection'),
  healthy: t('Server and database are connected'),
  'database-down': t('The database isn’t responding'),
  'database-damaged': t('A database file is damaged'),
  'disk-full': t('The disk is full'),
  outdated: t('The database is newer than this program'),
  unreachable: t('The server isn’t responding'),
};
const LABELS: Readonly<Record<Health, string>> = {
  unknown: t('Checking'),
  healthy: t('Connected'),
  'database-down': t('Degraded'),
  'database-damaged': t('Degraded'),
  'disk-full': t('Degraded'),
  outdated: t('Outdated'),
  unreachable: t('Offline'),
};

/** State of the server as a label and a dot: filled if healthy, a ring if not, so that it is visible without color. */
export function ConnectionDot() {
  const { health, version } = useHealth();
  const isHealthy = health === 'healthy';
  return (
    <Tooltip describeChild title={version ? `${DESCRIPTIONS[health]} · ${t('version {{version}}', { version })}` : DESCRIPTIONS[health]}>
      <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 1.5, fontSize: 12, color: 'text.secondary' }}>
        <Box
          component="span"
          aria-hidden
          sx={(theme) => ({
            width: 8,
            height: 8,
            borderRadius: '50%',
            border: '2px solid',
            borderColor: isHealthy
              ? theme.vars.palette.success.main
              : health === 'unknown'
                ? theme.vars.palette.outline
                : theme.vars.palette.error.main,
            backgroundColor: isHealthy ? theme.vars.palette.success.main : 'transparent',
          })}
        />
        <Box component="span" sx={isHealthy ? { '@media (max-width: 899.95px)': VISUALLY_HIDDEN } : {}}>
          {LABELS[health]}
        </Box>
      </Box>
    </Tooltip>
  );
}
