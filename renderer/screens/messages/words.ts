import type { Message } from '#renderer/client';

export const CHANNELS = [
  { value: 'email', name: 'E-mail' },
  { value: 'sms', name: 'Text' },
] as const satisfies readonly { value: Message['channel']; name: string }[];

export const STATUSES = [
  { value: 'waiting', name: 'Waiting' },
  { value: 'queued', name: 'Queued' },
  { value: 'sent', name: 'Sent' },
  { value: 'failed', name: 'Failed' },
  { value: 'expired', name: 'Expired' },
] as const satisfies readonly { value: Message['status']; name: string }[];

export const KINDS = [
  { value: 'receipt', name: 'Receipt' },
  { value: 'refund', name: 'Refund' },
  { value: 'invoice', name: 'Invoice' },
  { value: 'link', name: 'Payment link' },
  { value: 'dunning', name: 'Plan payment failed' },
  { value: 'code', name: 'One-time code' },
  { value: 'password', name: 'Password' },
  { value: 'test', name: 'Test' },
  { value: 'notice', name: 'Notice' },
] as const satisfies readonly { value: Message['kind']; name: string }[];

const nameIn = (words: readonly { value: string; name: string }[], value: string) =>
  words.find((word) => word.value === value)?.name ?? value;

export const kindWords = (kind: string) => nameIn(KINDS, kind);
export const channelWords = (channel: string) => nameIn(CHANNELS, channel);

/** Returns the subject of a message; for a text message its beginning. */
export function firstLine({ subject, body, isSecret }: Message): string {
  if (subject !== null && subject !== '') return subject;
  const line = body.split('\n').find((each) => each.trim() !== '');
  return line ?? (isSecret ? 'Not shown: it holds a code or a link of its own' : '');
}

/** Returns the screen of the related record, for users who may see it. */
export function subjectOf(resourceId: string | null): { readonly what: string; readonly path: string; readonly permission: string } | null {
  const found = RESOURCES.find(({ prefix }) => resourceId?.startsWith(prefix));
  return found ? { what: found.what, path: `${found.path}/${resourceId}`, permission: found.permission } : null;
}

const RESOURCES = [
  { prefix: 'txn_', what: 'Transaction', path: '/transactions', permission: 'transactions:read' },
  { prefix: 'inv_', what: 'Invoice', path: '/invoices', permission: 'invoices:read' },
  { prefix: 'sub_', what: 'Plan', path: '/recurring', permission: 'recurring:read' },
  { prefix: 'cus_', what: 'Customer', path: '/customers', permission: 'customers:read' },
] as const;

const UNREACHED = { email: 'Mail was not set up when it was due', sms: 'No provider of texts was set up when it was due' } as const;

/** Describes the status of a message and the next step in one sentence. */
export function standingOf({ status, channel, lastError, isSecret }: Message, nextTry: string | null): Standing {
  switch (status) {
    case 'waiting':
      return { tone: 'info', text: `${UNREACHED[channel]}, so it waits here. It goes out when somebody resends it.` };
    case 'queued':
      if (lastError === null) return { tone: 'info', text: 'It is on its way.' };
      return {
        tone: 'warning',
        text: `${sentence(lastError)} ${nextTry === null ? 'It is tried again by itself.' : `It is tried again ${nextTry}.`}`,
      };
    case 'sent':
      return null;
    case 'failed':
      return { tone: 'error', text: `${sentence(lastError ?? 'It was not taken.')} It is not tried again by itself.` };
    case 'expired':
      return {
        tone: 'info',
        text: isSecret ? 'What it held is no longer valid, so it is not sent.' : 'It came too late to be of use, so it is not sent.',
      };
  }
}

type Standing = { readonly tone: 'info' | 'warning' | 'error'; readonly text: string } | null;

const sentence = (words: string) => (/[.!?]$/.test(words.trim()) ? words.trim() : `${words.trim()}.`);

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** "now", "in 5 min", "in 2 h"; null if there is no further attempt. */
export function nextTryWords({ status, nextTryAt }: Message, nowMs: number): string | null {
  if (status !== 'queued' || nextTryAt === null) return null;
  const leftMs = Date.parse(nextTryAt) - nowMs;
  if (leftMs <= 0) return 'now';
  if (leftMs < HOUR_MS) return `in ${Math.ceil(leftMs / MINUTE_MS)} min`;
  return `in ${Math.round(leftMs / HOUR_MS)} h`;
}
