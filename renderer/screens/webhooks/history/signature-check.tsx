import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { EventRequest } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { CodeBlock, CopyText, Section, StatusChip } from '#renderer/kit/ui';
import { serviceSignature, standardSignature } from '../signatures.ts';

/** Headers of an event with both signatures, which are computed again on this page from the secret and the body. */
export function SignatureCheck({ request }: { request: EventRequest }) {
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
