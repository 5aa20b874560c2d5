import type { Message } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';

export const CHANNELS = [
  { value: 'email', name: t('Email', { context: 'channel' }) },
  { value: 'sms', name: t('Text', { context: 'channel' }) },
] as const satisfies readonly { value: Message['channel']; name: string }[];

export const STATUSES = [
  { value: 'waiting', name: t('Waiting') },
  { value: 'queued', name: t('Queued') },
  { value: 'sent', name: t('Sent') },
  { value: 'failed', name: t('Failed') },
  { value: 'expired', name: t('Expired') },
] as const satisfies readonly { value: Message['status']; name: string }[];

export const KINDS = [
  { value: 'receipt', name: t('Receipt') },
  { value: 'refund', name: t('Refund') },
  { value: 'invoice', name: t('Invoice') },
  { value: 'statement', name: t('Statement') },
  { value: 'link', name: t('Payment link') },
  { value: 'card-update', name: t('Card update link') },
  { value: 'customer-page', name: t('Page link') },
  { value: 'gift-card', name: t('Gift card') },
  { value: 'report', name: t('Report') },
  { value: 'dunning', name: t('Subscription payment failed') },
  { value: 'code', name: t('One-time code') },
  { value: 'password', name: t('Password') },
  { value: 'test', name: t('Test') },
  { value: 'notice', name: t('Notice') },
] as const satisfies readonly { value: Message['kind']; name: string }[];

const nameIn = (options: readonly { value: string; name: string }[], value: string) =>
  options.find((option) => option.value === value)?.name ?? value;

export const kindText = (kind: string) => nameIn(KINDS, kind);
export const channelText = (channel: string) => nameIn(CHANNELS, channel);

/** Returns the subject of a message; for a text message its beginning. */
export function firstLine({ subject, body, isSecret }: Message): string {
  if (subject !== null && subject !== '') return subject;
  const line = body.split('\n').find((each) => each.trim() !== '');
  return line ?? (isSecret ? t('Hidden: contains a one-time code or link') : '');
}

const NOT_SET_UP = {
  email: t('Email wasn’t set up when it was due, so it’s waiting here.'),
  sms: t('Text messages weren’t set up when it was due, so it’s waiting here.'),
} as const;

/** Describes the status of a message and the next step in one sentence. */
export function statusNoteOf({ status, channel, lastError, isSecret }: Message, nextRetry: string | null): StatusNote {
  switch (status) {
    case 'waiting':
      return { tone: 'warning', text: NOT_SET_UP[channel] };
    case 'queued':
      if (lastError === null) return { tone: 'info', text: t('It’s being sent.') };
      return {
        tone: 'warning',
        text: `${sentence(serviceText(lastError))} ${nextRetry === null ? t('Paydesk retries automatically.') : t('Next retry: {{time}}.', { time: nextRetry })}`,
      };
    case 'sent':
      return null;
    case 'failed':
      return {
        tone: 'error',
        text: `${sentence(lastError === null ? t('It wasn’t accepted.') : serviceText(lastError))} ${t('There are no more automatic retries.')}`,
      };
    case 'expired':
      return {
        tone: 'info',
        text: isSecret ? t('Its code or link is no longer valid, so it isn’t sent.') : t('It expired before it could be sent.'),
      };
  }
}

type StatusNote = { readonly tone: 'info' | 'warning' | 'error'; readonly text: string } | null;

const sentence = (text: string) => (/[.!?]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`);

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** "now", "in 5 min", "in 2 h"; null if there is no further attempt. */
export function nextRetryText({ status, nextTryAt }: Message, nowMs: number): string | null {
  if (status !== 'queued' || nextTryAt === null) return null;
  const leftMs = Date.parse(nextTryAt) - nowMs;
  if (leftMs <= 0) return t('now');
  if (leftMs < HOUR_MS) return t('in {{minutes}} min', { minutes: Math.ceil(leftMs / MINUTE_MS) });
  return t('in {{hours}} h', { hours: Math.round(leftMs / HOUR_MS) });
}
