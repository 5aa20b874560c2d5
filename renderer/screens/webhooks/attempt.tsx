import Box from '@mui/material/Box';
import type { DeliveryDetail } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { CodeBlock, exactTime } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { faultText } from './fault-texts.ts';

const TRIGGERS = { automatic: null, manual: t('manual'), test: t('test') } as const;

/** An attempt of a delivery, with its request and response. */
export function Attempt({ attempt, isOpen }: { attempt: DeliveryDetail['attempts'][number]; isOpen: boolean }) {
  const { timezone } = useMerchant();
  const { attemptNumber, attemptedAt, durationMs, responseStatus, error, requestHeaders, responseHeaders, responseBody, trigger } = attempt;
  const lines = (headers: Readonly<Record<string, string>>) =>
    Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n');
  const response = responseHeaders === null ? '' : `${responseStatus}\n${lines(responseHeaders)}\n\n${responseBody ?? ''}`;
  return (
    <Box component="details" open={isOpen} sx={(theme) => ({ borderTop: `1px solid ${theme.vars.palette.divider}`, py: 2, fontSize: 13 })}>
      <Box component="summary" sx={{ cursor: 'pointer' }}>
        <strong>{attemptNumber}</strong> {error === null ? t('Delivered') : faultText(error.kind)}
        {responseStatus !== null && error !== null && ` (${responseStatus})`}
        <Box component="span" sx={{ color: 'text.secondary' }}>
          {' '}
          · {[exactTime(attemptedAt, timezone), `${durationMs} ms`, TRIGGERS[trigger]].filter(Boolean).join(' · ')}
        </Box>
      </Box>
      <Box sx={{ display: 'grid', gap: 2, mt: 2 }}>
        {error && <Box>{serviceText(error.message)}</Box>}
        <CodeBlock label={t('Request headers')} text={lines(requestHeaders)} />
        {response && <CodeBlock label={t('Response')} text={response} />}
      </Box>
    </Box>
  );
}
