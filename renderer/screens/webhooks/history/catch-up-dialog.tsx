import Box from '@mui/material/Box';
import { useState } from 'react';
import type { WebhookEndpoint } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { FormDialog, useSubmit } from '#renderer/kit/ui';
import { useToday } from '#renderer/session/tenant-clock';
import { refreshWebhooks } from '../queries.ts';
import { CatchUpField } from './catch-up-field.tsx';
import { startCatchUp } from './queries.ts';

/** Sends the events since a day to an existing endpoint. */
export function CatchUpDialog({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const [from, setFrom] = useState(useToday());
  const start = useSubmit({ send: () => startCatchUp(endpoint.id, from), refresh: refreshWebhooks, onClose });
  return (
    <FormDialog
      {...start}
      title={t('Send earlier events')}
      submitLabel={t('Send events')}
      onSubmit={() => from && start.onSubmit()}
      maxWidth="xs"
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <CatchUpField events={endpoint.events} from={from} onChange={setFrom} autoFocus />
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
          {t('Events that this endpoint was sent already are left out. New events wait until the earlier ones are sent.')}
        </Box>
      </Box>
    </FormDialog>
  );
}
