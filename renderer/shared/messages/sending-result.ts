import type { Message } from '#renderer/base/client';
import { t } from '#renderer/base/language';

/** Says that a new message is on its way, or that it waits because its channel is not set up. */
export function sendingResult({ channel, status }: Pick<Message, 'channel' | 'status'>, recipient: string) {
  if (status !== 'waiting') return { state: 'ok', text: t('Sending to {{recipient}}.', { recipient }) } as const;
  return {
    state: 'waiting',
    text: channel === 'email' ? t('Waits until email is set up') : t('Waits until text messages are set up'),
  } as const;
}
