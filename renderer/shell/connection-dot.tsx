import Box from '@mui/material/Box';
import Tooltip from '@mui/material/Tooltip';
import { type Health, useHealth } from '#renderer/client';
import { HIDDEN_FROM_SIGHT } from '#renderer/ui';

const WORDS: Readonly<Record<Health, string>> = {
  unknown: 'Asking the service how it is',
  well: 'Service and database answer',
  'database-down': 'The database does not answer',
  'database-damaged': 'A database file is damaged',
  'disk-full': 'The disk is full',
  outdated: 'The database is newer than this program',
  unreachable: 'The service does not answer',
};
const SHORT: Readonly<Record<Health, string>> = {
  unknown: 'Checking',
  well: 'Connected',
  'database-down': 'Degraded',
  'database-damaged': 'Degraded',
  'disk-full': 'Degraded',
  outdated: 'Outdated',
  unreachable: 'Offline',
};

/** State of the service as a word and a dot: filled when well, a ring when not, so that color is not required. */
export function ConnectionDot() {
  const { health, version } = useHealth();
  const isWell = health === 'well';
  return (
    <Tooltip describeChild title={version ? `${WORDS[health]} · version ${version}` : WORDS[health]}>
      <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 1.5, fontSize: 12, color: 'text.secondary' }}>
        <Box
          component="span"
          aria-hidden
          sx={(theme) => ({
            width: 8,
            height: 8,
            borderRadius: '50%',
            border: '2px solid',
            borderColor: isWell
              ? theme.vars.palette.success.main
              : health === 'unknown'
                ? theme.vars.palette.outline
                : theme.vars.palette.error.main,
            backgroundColor: isWell ? theme.vars.palette.success.main : 'transparent',
          })}
        />
        <Box component="span" sx={isWell ? { '@media (max-width: 899.95px)': HIDDEN_FROM_SIGHT } : {}}>
          {SHORT[health]}
        </Box>
      </Box>
    </Tooltip>
  );
}
