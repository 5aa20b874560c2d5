import { isoTime, newId } from '#core/kernel';
import { ACCOUNT_ONLY } from '#core/platform/change-feed';
import { dueAt } from '#core/platform/scheduling';
import type { Dependencies } from './dependencies.ts';
import { type Notify, toRecipient } from './message.ts';
import { DELIVER_JOB } from './retry-schedule.ts';
import { MESSAGE_CHANNELS, MESSAGES } from './schema.ts';
import { firstAttemptAt } from './suspension.ts';

/** Creates a function that writes a message without counting it: `queued` if its channel is set up, otherwise `waiting` until a person resends it. */
export function createWrite(deps: Dependencies): Notify {
  return async (work, message) => {
    const id = newId('msg', message.atMs);
    const channel = await work.one(MESSAGE_CHANNELS, { channel: message.channel });
    const firstAttemptMs = channel && firstAttemptAt(channel, message.atMs);
    const isSuspended = firstAttemptMs !== null && firstAttemptMs > message.atMs;
    work.insert(MESSAGES, {
      tenant_id: message.tenantId,
      id,
      merchant_id: message.merchantId ?? '',
      channel: message.channel,
      kind: message.kind ?? 'notice',
      resource_id: message.resourceId ?? null,
      ...toRecipient(message.to),
      subject: message.subject ?? null,
      body: typeof message.body === 'string' ? message.body : '',
      sealed: typeof message.body === 'string' ? null : message.body.sealed,
      html: message.html ?? null,
      attachment: message.attachment ?? null,
      language: message.language ?? null,
      customer_id: message.customerId ?? null,
      status: channel ? 'queued' : 'waiting',
      attempts: 0,
      // The fault that suspended the channel.
      last_error: isSuspended ? (channel?.last_error ?? null) : null,
      sent_at: null,
      provider_id: null,
      expires_ms: message.expiresMs ?? null,
      ...dueAt(firstAttemptMs),
      created_at: isoTime(message.atMs),
    });
    work.afterCommit(() => {
      if (channel) deps.scheduler.wake(DELIVER_JOB, message.tenantId);
      deps.changed(message.tenantId, 'messages', message.merchantId ?? ACCOUNT_ONLY);
    });
    return id;
  };
}
