import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router';
import type { DeliveryDetail } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { FailureNote, SelectField, useSubmit } from '#renderer/kit/ui';
import { endpointsQuery, refreshWebhooks } from '../queries.ts';
import { sendEvent } from './queries.ts';

/** Sends an event to one of the endpoints, whether or not it was sent before. */
export function SendToEndpoint({ eventId }: { eventId: string }) {
  const { data: endpoints } = useQuery(endpointsQuery);
  const [chosen, setChosen] = useState<string>();
  const send = useSubmit({
    send: (endpointId: string) => sendEvent(endpointId, eventId),
    refreshFirst: refreshWebhooks,
    announcement: resultText,
  });
  const items = endpoints?.items ?? [];
  const endpointId = chosen ?? items[0]?.id;
  if (endpointId === undefined) return null;
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 3 }}>
      <Box
        component="form"
        sx={{ display: 'flex', alignItems: 'flex-end', gap: 2 }}
        onSubmit={(event) => {
          event.preventDefault();
          if (!send.isBusy) send.onSubmit(endpointId);
        }}
      >
        <SelectField
          id="replay-endpoint"
          label={t('Endpoint')}
          size="small"
          fullWidth
          value={endpointId}
          options={items.map(({ id, url }) => [id, url] as const)}
          onChange={(value) => {
            setChosen(value);
            send.reset();
          }}
        />
        <Button type="submit" variant="outlined" loading={send.isBusy} sx={{ flexShrink: 0, height: 40 }}>
          {t('Send event')}
        </Button>
      </Box>
      {send.result && (
        <Alert
          severity={isReceived(send.result) ? 'success' : 'error'}
          action={
            <Link component={RouterLink} to={`/webhooks/${send.result.endpointId}/${send.result.id}`} sx={{ p: 1 }}>
              {t('View delivery')}
            </Link>
          }
        >
          {resultText(send.result)}
        </Alert>
      )}
      {send.failure && <FailureNote failure={send.failure} />}
    </Box>
  );
}

const isReceived = ({ error }: DeliveryDetail) => error === null;
const resultText = (delivery: DeliveryDetail) =>
  isReceived(delivery)
    ? t('Delivered in {{milliseconds}} ms.', { milliseconds: delivery.durationMs ?? '' })
    : t('Not delivered: {{reason}}', { reason: delivery.error?.message ?? '' });
