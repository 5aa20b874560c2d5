import Alert from '@mui/material/Alert';
import Link from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link as RouterLink } from 'react-router';
import type { Message } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { announce } from '#renderer/kit/ui';
import { useMay } from '#renderer/session/user';
import { messageQuery } from '#renderer/shared/messages';
import type { SentReceipt } from './receipt-action.ts';

/** Status of a sent receipt until it is delivered or has failed, on screen and announced. */
export function DeliveryNote({ sent }: { sent: SentReceipt }) {
  const may = useMay();
  const message = useQuery({ ...messageQuery(sent.messageId), enabled: may('notifications:read') });
  const isKnown = message.data !== undefined || message.error !== null || !may('notifications:read');
  const { tone, text } = statusNoteOf(sent, message.data);
  useEffect(() => {
    if (isKnown) announce(text);
  }, [isKnown, text]);
  if (!isKnown) return null;
  return (
    <Alert severity={tone} role="presentation">
      {text}{' '}
      {may('notifications:read') && (
        <Link component={RouterLink} to={`/messages/${sent.messageId}`} underline="always">
          {t('Open message')}
        </Link>
      )}
    </Alert>
  );
}

interface StatusNote {
  readonly tone: 'success' | 'info' | 'warning' | 'error';
  readonly text: string;
}

function statusNoteOf({ to, channel }: SentReceipt, message: Message | undefined): StatusNote {
  const error = serviceText(message?.lastError ?? '');
  switch (message?.status) {
    case 'waiting':
      return {
        tone: 'info',
        text:
          channel === 'email'
            ? t('The receipt for {{recipient}} waits in the outbox: email isn’t set up.', { recipient: to })
            : t('The receipt for {{recipient}} waits in the outbox: text messages aren’t set up.', { recipient: to }),
      };
    case 'sent':
      return { tone: 'success', text: t('Receipt sent to {{recipient}}.', { recipient: to }) };
    case 'failed':
      return { tone: 'error', text: `${t('The receipt did not reach {{recipient}}.', { recipient: to })} ${error}` };
    case 'queued':
      if (error !== '')
        return {
          tone: 'warning',
          text: t('The receipt for {{recipient}} is not sent yet: {{error}} It is retried automatically.', { recipient: to, error }),
        };
      break;
    default:
  }
  return { tone: 'success', text: t('Sending the receipt to {{recipient}}.', { recipient: to }) };
}
