import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink, useNavigate, useParams } from 'react-router';
import type { WebhookEndpoint } from '#renderer/base/client';
import { dayIn } from '#renderer/base/dates';
import { t } from '#renderer/base/language';
import { RecordPanel, useRecordAddress } from '#renderer/kit/record';
import { dayText, QueryContent, Screen, StatusChip } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { DeliveryLog } from './delivery-log.tsx';
import { DeliveryView } from './delivery-view.tsx';
import { EndpointActions } from './endpoint-actions.tsx';
import { eventsText } from './event-types.ts';
import { CatchUpProgress } from './history/catch-up-progress.tsx';
import { endpointQuery } from './queries.ts';

/** One endpoint: events, success rate and deliveries. */
export function EndpointScreen() {
  const { endpointId = '' } = useParams();
  const { openId: deliveryId, open, panel } = useRecordAddress(`/webhooks/${endpointId}`);
  const navigate = useNavigate();
  const endpoint = useQuery(endpointQuery(endpointId));
  return (
    <Screen
      title={endpoint.data?.url ?? t('Webhook endpoint')}
      fillsHeight
      subtitle={
        <Link component={RouterLink} to="/webhooks">
          {t('All endpoints')}
        </Link>
      }
      actions={
        endpoint.data && (
          <EndpointActions endpoint={endpoint.data} onSent={open} onDeleted={() => void navigate('/webhooks', { flushSync: true })} />
        )
      }
    >
      <QueryContent query={endpoint}>
        {(data) => (
          <Box sx={{ display: 'flex', flexDirection: 'column', gap: 4, flex: 1, minHeight: 0 }}>
            <Summary endpoint={data} />
            {data.status === 'disabled' && (
              <Alert severity="warning">
                {t('Disabled. New events are not queued. Deliveries already queued are sent when you enable it.')}
              </Alert>
            )}
            {data.catchUp?.state === 'running' && <CatchUpProgress endpointId={endpointId} catchUp={data.catchUp} />}
            <DeliveryLog endpointId={endpointId} openId={deliveryId} onOpen={open} />
          </Box>
        )}
      </QueryContent>
      <RecordPanel label={t('Delivery')} {...panel}>
        {(id, isOpen) => <DeliveryView endpointId={endpointId} deliveryId={id} takesFocus={isOpen} />}
      </RecordPanel>
    </Screen>
  );
}

function Summary({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { timezone } = useMerchant();
  const { last24Hours, events, description, createdAt, status } = endpoint;
  const { attempts, succeeded, p95Ms, pending } = last24Hours;
  const figures: (readonly [string, string])[] = [
    [t('Delivered, 24 h'), attempts === 0 ? t('no attempts') : t('{{succeeded}} of {{attempts}}', { succeeded, attempts })],
    [t('Response, p95'), p95Ms === null ? '–' : `${p95Ms} ms`],
    [t('Pending'), String(pending)],
    [t('Created'), dayText(dayIn(timezone, Date.parse(createdAt)))],
  ];
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 8, rowGap: 2, fontSize: 13 }}>
      <StatusChip state={status} />
      <Box sx={{ flex: '1 1 160px' }}>
        <Box>{eventsText(events)}</Box>
        {description && <Box sx={{ color: 'text.secondary' }}>{description}</Box>}
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 8, rowGap: 2 }}>
        {figures.map(([name, value]) => (
          <Box key={name}>
            <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{name}</Box>
            <Box className="figures">{value}</Box>
          </Box>
        ))}
      </Box>
    </Box>
  );
}
