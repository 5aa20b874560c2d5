import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router';
import type { ArchivedDelivery, EventRequest } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { RecordHeader } from '#renderer/kit/record';
import { CodeBlock, CopyText, copyText, FactList, QueryContent, Section, StatusChip, TimeText, useHeadingFocus } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { Attempt } from '../attempt.tsx';
import { serviceSignature, standardSignature } from '../signatures.ts';
import { eventQuery, eventRequestQuery } from './queries.ts';
import { SendToEndpoint } from './send-to-endpoint.tsx';

interface EventViewProps {
  readonly eventId: string;
  /** Year of the archive that contains the event; undefined for an event in the database. */
  readonly archive: string | undefined;
  readonly takesFocus: boolean;
}

/** One event as an endpoint receives it: headers, signature with its check, and body. An archived event has its deliveries instead of a signature. */
export function EventView({ eventId, archive, takesFocus }: EventViewProps) {
  const { timezone } = useMerchant();
  const may = useMay();
  const heading = useHeadingFocus(takesFocus);
  const event = useQuery(eventQuery(eventId, archive));
  const isArchived = archive !== undefined;
  const request = useQuery({ ...eventRequestQuery(eventId), enabled: !isArchived });
  return (
    <QueryContent query={event}>
      {({ id, type, createdAt, resourceId, body, deliveries }) => (
        <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 6 }}>
          <RecordHeader title={type} headingRef={heading}>
            <TimeText at={createdAt} timeZone={timezone} />
          </RecordHeader>
          {may('webhooks:write') && !isArchived && <SendToEndpoint eventId={id} />}
          <FactList
            facts={[
              [
                t('Transaction'),
                resourceId.startsWith('txn_') && (
                  <Link key="about" component={RouterLink} to={`/transactions/${resourceId}`} className="mono">
                    {resourceId}
                  </Link>
                ),
              ],
              [t('Event'), <CopyText key="event" text={id} label={t('Event ID')} />],
            ]}
          />
          <Body text={body} />
          {isArchived ? (
            <ArchivedDeliveries deliveries={deliveries ?? []} />
          ) : (
            <QueryContent query={request}>{(caught) => <SignatureCheck request={caught} />}</QueryContent>
          )}
        </Box>
      )}
    </QueryContent>
  );
}

/** The body, indented for reading or as it is sent and signed. */
function Body({ text }: { text: string }) {
  const [isRaw, setRaw] = useState(false);
  return (
    <Box component="section">
      <Box sx={{ display: 'flex', alignItems: 'center', mb: 1 }}>
        <Typography variant="h3" sx={{ flex: 1 }}>
          {t('Body')}
        </Typography>
        <Button size="small" variant="text" onClick={() => setRaw(!isRaw)}>
          {isRaw ? t('Indent') : t('Show as sent')}
        </Button>
        <Button size="small" variant="text" onClick={() => void copyText(text, t('Body'))}>
          {t('Copy')}
        </Button>
      </Box>
      <CodeBlock label={t('Request body')} text={isRaw ? text : JSON.stringify(JSON.parse(text), null, 2)} />
    </Box>
  );
}

/** Deliveries of an archived event with their attempts. */
function ArchivedDeliveries({ deliveries }: { deliveries: readonly ArchivedDelivery[] }) {
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

/** Headers of an event with both signatures, which are computed again on this page from the secret and the body. */
function SignatureCheck({ request }: { request: EventRequest }) {
  const { secret, headers, body } = request;
  const computed = useQuery({
    queryKey: ['webhooks', 'signatures', request],
    queryFn: async () => ({
      'X-Service-Signature': await serviceSignature(secret, body),
      'webhook-signature': await standardSignature(secret, headers['webhook-id'] ?? '', headers['webhook-timestamp'] ?? '', body),
    }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <>
      <Box component="section" sx={{ display: 'grid', gap: 2, fontSize: 13 }}>
        <Typography variant="h3">{t('Signature')}</Typography>
        {Object.entries(computed.data ?? {}).map(([name, expected]) => {
          const isMatch = headers[name] === expected;
          return (
            <Box key={name} sx={{ display: 'flex', alignItems: 'center', gap: 3 }}>
              <StatusChip state={isMatch ? 'delivered' : 'failed'} label={isMatch ? t('Matches', { context: 'verb' }) : t('Differs')} />
              <span className="mono">{name}</span>
            </Box>
          );
        })}
        <Box sx={{ color: 'text.secondary' }}>
          {t('HMAC-SHA-256 of the body as sent, with the secret of this receiver. Your endpoint has its own secret.')}
        </Box>
        <CopyText text={secret} label={t('Secret')} />
      </Box>
      <Section title={t('Headers')}>
        <CodeBlock label={t('Request headers')} text={lines.join('\n')} />
      </Section>
    </>
  );
}
