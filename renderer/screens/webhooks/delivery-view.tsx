import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import type { DeliveryDetail } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { RecordActions, RecordHeader } from '#renderer/kit/record';
import {
  CodeBlock,
  CopyText,
  copyText,
  exactTime,
  FactList,
  FailureNote,
  QueryContent,
  Section,
  StatusChip,
  statusStyle,
  TimeText,
  useHeadingFocus,
  useSubmit,
} from '#renderer/kit/ui';
import { useIsSandbox, useMay, useMerchant } from '#renderer/session/user';
import { Attempt } from './attempt.tsx';
import { deliveryQuery, redeliver, refreshWebhooks } from './queries.ts';

interface DeliveryViewProps {
  readonly endpointId: string;
  readonly deliveryId: string;
  readonly takesFocus: boolean;
}

/** One delivery: the bytes that were sent, and each attempt with its response. */
export function DeliveryView({ endpointId, deliveryId, takesFocus }: DeliveryViewProps) {
  const delivery = useQuery(deliveryQuery(endpointId, deliveryId));
  return (
    <QueryContent query={delivery}>{(data) => <Opened endpointId={endpointId} delivery={data} takesFocus={takesFocus} />}</QueryContent>
  );
}

function Opened({ endpointId, delivery, takesFocus }: { endpointId: string; delivery: DeliveryDetail; takesFocus: boolean }) {
  const { timezone } = useMerchant();
  const may = useMay();
  const isSandbox = useIsSandbox();
  const heading = useHeadingFocus(takesFocus);
  const redelivery = useSubmit({
    send: () => redeliver(endpointId, delivery.id),
    refreshFirst: refreshWebhooks,
    announcement: ({ status, error }) =>
      error === null
        ? t('Delivered.')
        : t('Not delivered. The delivery is {{status}}.', { status: statusStyle(status, 'delivery').label.toLowerCase() }),
  });
  const { error, nextAttemptAt, status } = delivery;
  return (
    <Box sx={{ display: 'grid', gap: 6 }}>
      <RecordHeader title={delivery.eventType} status={status} of="delivery" headingRef={heading}>
        {delivery.test && <StatusChip state="test" label={t('Test')} />}
        <TimeText at={delivery.createdAt} timeZone={timezone} />
      </RecordHeader>
      {error && (
        <Alert severity={status === 'failed' ? 'error' : 'warning'}>
          {serviceText(error.message)}
          {error.kind === 'blocked' && !isSandbox && ` ${t('Only sandbox accounts can send to this computer or its network.')}`}
        </Alert>
      )}
      {redelivery.failure && <FailureNote failure={redelivery.failure} />}
      <RecordActions
        group={t('This delivery')}
        actions={
          may('webhooks:write') ? [{ label: t('Redeliver'), keys: 'R', isBusy: redelivery.isBusy, run: () => redelivery.onSubmit() }] : []
        }
      />
      <FactList
        facts={[
          [t('Next attempt'), nextAttemptAt && exactTime(nextAttemptAt, timezone)],
          [t('Waiting for'), status === 'pending' && !nextAttemptAt && t('an earlier event of the same payment')],
          [
            t('Transaction'),
            delivery.resourceId.startsWith('txn_') && (
              <Link key="about" component={RouterLink} to={`/transactions/${delivery.resourceId}`} className="mono">
                {delivery.resourceId}
              </Link>
            ),
          ],
          [t('Event'), <CopyText key="event" text={delivery.eventId} label={t('Event ID')} />],
          [t('Delivery'), <CopyText key="delivery" text={delivery.id} label={t('Delivery ID')} />],
        ]}
      />
      <Box component="section">
        <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between', mb: 1 }}>
          <Typography variant="h3">{t('Body')}</Typography>
          <Button size="small" variant="text" onClick={() => void copyText(delivery.body, t('Body'))}>
            {t('Copy')}
          </Button>
        </Box>
        <CodeBlock label={t('Request body')} text={delivery.body} />
      </Box>
      <Section title={t('Attempts')}>
        {delivery.attempts.length === 0 && <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{t('None yet.')}</Box>}
        {delivery.attempts.toReversed().map((attempt, index) => (
          <Attempt key={attempt.attemptNumber} attempt={attempt} isOpen={index === 0} />
        ))}
      </Section>
    </Box>
  );
}
