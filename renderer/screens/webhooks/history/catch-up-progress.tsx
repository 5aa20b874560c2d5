import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import type { WebhookEndpoint } from '#renderer/base/client';
import { numberText, t } from '#renderer/base/language';
import { FailureNote, useSubmit } from '#renderer/kit/ui';
import { useMay } from '#renderer/session/user';
import { refreshWebhooks } from '../queries.ts';
import { stopCatchUp } from './queries.ts';

interface CatchUpProgressProps {
  readonly endpointId: string;
  readonly catchUp: NonNullable<WebhookEndpoint['catchUp']>;
}

/** Progress of a running catch-up. */
export function CatchUpProgress({ endpointId, catchUp: { sent, total } }: CatchUpProgressProps) {
  const canStop = useMay()('webhooks:write');
  const stop = useSubmit({
    send: () => stopCatchUp(endpointId),
    refreshFirst: refreshWebhooks,
    toast: t('Stopped. New events are sent as they happen.'),
  });
  const percent = total === 0 ? 100 : (sent / total) * 100;
  return (
    <Box component="section" aria-label={t('Earlier events')} sx={{ display: 'grid', gap: 2, fontSize: 13 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 4 }}>
        <Box sx={{ flex: 1 }} className="figures">
          {t('Sending earlier events: {{sent}} of {{events}}. New events follow afterwards.', {
            sent: numberText(sent),
            events: t('{{count, number}} events', { count: total }),
          })}
        </Box>
        {canStop && (
          <Button size="small" loading={stop.isBusy} onClick={() => stop.onSubmit()}>
            {t('Stop')}
          </Button>
        )}
      </Box>
      <LinearProgress variant="determinate" value={percent} aria-label={t('Earlier events sent')} sx={{ height: 4 }} />
      {stop.failure && <FailureNote failure={stop.failure} />}
    </Box>
  );
}
