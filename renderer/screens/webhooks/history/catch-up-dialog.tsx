import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { WebhookEndpoint } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { Dialog, FailureNote } from '#renderer/kit/ui';
import { useToday } from '#renderer/session/tenant-clock';
import { refreshWebhooks } from '../queries.ts';
import { CatchUpField } from './catch-up-field.tsx';
import { startCatchUp } from './queries.ts';

/** Sends the events since a day to an existing endpoint. */
export function CatchUpDialog({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const [from, setFrom] = useState(useToday());
  const start = useMutation({
    mutationFn: () => startCatchUp(endpoint.id, from),
    onSuccess: () => {
      void refreshWebhooks();
      onClose();
    },
  });
  return (
    <Dialog
      title={t('Send earlier events')}
      isOpen
      onClose={onClose}
      onSubmit={() => from && !start.isPending && start.mutate()}
      maxWidth="xs"
      actions={
        <>
          <Button variant="text" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" variant="contained" color="primary" loading={start.isPending}>
            {t('Send events')}
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <CatchUpField events={endpoint.events} from={from} onChange={setFrom} autoFocus />
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
          {t('Events that this endpoint was sent already are left out. New events wait until the earlier ones are sent.')}
        </Box>
        {start.error && <FailureNote failure={start.error} />}
      </Box>
    </Dialog>
  );
}
