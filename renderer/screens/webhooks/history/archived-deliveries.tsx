import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ArchivedDelivery } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { CopyText, StatusChip } from '#renderer/kit/ui';
import { Attempt } from '../attempt.tsx';

/** Deliveries of an archived event with their attempts. */
export function ArchivedDeliveries({ deliveries }: { deliveries: readonly ArchivedDelivery[] }) {
  return (
    <Box component="section" sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 4 }}>
      <Typography variant="h3">{t('Deliveries')}</Typography>
      {deliveries.length === 0 && <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{t('No endpoint received this event.')}</Box>}
      {deliveries.map((delivery) => (
        <Box key={delivery.id} component="article" aria-label={delivery.id}>
          <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2, mb: 1 }}>
            <StatusChip state={delivery.status} of="delivery" />
            <CopyText text={delivery.endpointId} label={t('Endpoint ID')} />
          </Box>
          {delivery.attempts.map((attempt) => (
            <Attempt key={attempt.attemptNumber} attempt={attempt} isOpen={false} />
          ))}
        </Box>
      ))}
    </Box>
  );
}
