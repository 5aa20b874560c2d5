import Box from '@mui/material/Box';
import type { QueueEntryDetail } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { Section, StatusChip, TimeText } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';

/** Retries with the responses of the processor. */
export function AttemptList({ attempts }: { attempts: QueueEntryDetail['attempts'] }) {
  const { timezone } = useMerchant();
  return (
    <Section title={t('Retries')}>
      {attempts.length === 0 && <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{t('No retries yet.')}</Box>}
      <Box component="ol" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {attempts.map(({ attemptNumber, attemptedAt, result, error }) => (
          <Box
            component="li"
            key={attemptNumber}
            sx={(theme) => ({
              display: 'grid',
              gridTemplateColumns: '28px auto minmax(0, 1fr)',
              gap: 3,
              alignItems: 'center',
              py: 2,
              fontSize: 13,
              borderTop: `1px solid ${theme.vars.palette.divider}`,
            })}
          >
            <Box component="span" className="figures" sx={{ color: 'text.secondary' }}>
              {attemptNumber}
            </Box>
            <StatusChip state={result} />
            <Box sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
              <TimeText at={attemptedAt} timeZone={timezone} />
              {error && ` · ${serviceText(error)}`}
            </Box>
          </Box>
        ))}
      </Box>
    </Section>
  );
}
