import { lit, queriesOn, type Read, TENANT, timeOf } from '#core/database';
import { type Actor, isoTime, ServiceError } from '#core/kernel';
import { recipientOf } from './address.ts';
import { channelPurpose, emailSettingsOf, shownSettings, smsSettingsOf } from './channel.ts';
import type { ChangeNotices } from './channel-change.ts';
import { checkEmail, checkSms, type EmailChannelInput, type SmsChannelInput } from './channel-input.ts';
import type { Dependencies } from './dependencies.ts';
import type { createMessageCount } from './limits.ts';
import { unqueuedMessage } from './message.ts';
import type { ChannelStates, EmailSettings, SmsSettings, TestMessage } from './records.ts';
import { DELIVER_JOB } from './retry-schedule.ts';
import { CHANNELS, type Channel, MESSAGE_CHANNELS, MESSAGES, type MessageChannelRow } from './schema.ts';
import type { Sender } from './sender.ts';
import { resumeQueue } from './suspension.ts';
import { TEST_TEXTS } from './texts.ts';

const queries = queriesOn(MESSAGES);

function checkWholeTenant(actor: Actor): void {
  if (actor.merchantId !== null)
    throw new ServiceError(
      'MERCHANT_NOT_AUTHORIZED',
      "You have access to one merchant, so you can't change how the account sends messages.",
    );
}

function checkChannel(channel: Channel): Channel {
  if (CHANNELS.includes(channel)) return channel;
  throw new ServiceError('NOT_FOUND', '`channel` must be `email` or `sms`.');
}

/** Settings of the message channels of a tenant, with encrypted secrets. */
export function createChannels(deps: Dependencies, sender: Sender, notices: ChangeNotices, count: ReturnType<typeof createMessageCount>) {
  const { database, audit } = deps;

  async function stateOf<Name extends Channel>(read: Read, actor: Actor, channel: Name): Promise<ChannelStates[Name]> {
    const row = await read.one(MESSAGE_CHANNELS, { channel });
    let messages = queries
      .selectFrom('messages')
      .select(({ fn }) => ['status', fn.countAll<number>().as('n')])
      .where('tenant_id', '=', TENANT)
      .where('channel', '=', channel)
      .where('status', 'in', [lit('waiting'), lit('failed')])
      .groupBy('status');
    if (actor.merchantId !== null) messages = messages.where('merchant_id', '=', actor.merchantId);
    const counted = await read.rows(messages);
    const count = (status: string) => Number(counted.find((each) => each.status === status)?.n ?? 0);
    const state: object = {
      channel,
      isSetUp: row !== null,
      settings: row && shownSettings(row),
      lastOkAt: row?.last_ok_at ?? null,
      lastError: row?.last_error ?? null,
      lastErrorAt: row?.last_error_at ?? null,
      waiting: count('waiting'),
      failed: count('failed'),
    };
    return state as ChannelStates[Name];
  }

  /** Stores a channel's settings and sends waiting messages immediately. */
  async function storeChannel<Name extends Channel>(
    actor: Actor,
    channel: Name,
    settings: EmailSettings | SmsSettings,
    secret: { readonly text: string | null } | 'unchanged',
  ): Promise<ChannelStates[Name]> {
    const sealed =
      secret === 'unchanged' || secret.text === null ? null : await deps.secrets.seal(actor.tenantId, channelPurpose(channel), secret.text);
    const now = deps.clockOf(actor.tenantId).now();
    await database.unitOfWork.transaction(actor.tenantId, async (work) => {
      const before = await work.lockOne(MESSAGE_CHANNELS, { channel });
      const row: MessageChannelRow = {
        tenant_id: actor.tenantId,
        channel,
        settings: JSON.stringify(settings),
        secret: secret === 'unchanged' ? (before?.secret ?? null) : sealed,
        last_ok_at: before?.last_ok_at ?? null,
        last_error: null,
        last_error_at: null,
        rest_ms: null,
        updated_at: isoTime(now),
      };
      if (before) await work.update(MESSAGE_CHANNELS, { channel }, row);
      else work.insert(MESSAGE_CHANNELS, row);
      await resumeQueue(work, channel, now);
      await notices.write(work, actor, before, row, now);
      audit(work, {
        actor,
        action: before ? 'message_channel.updated' : 'message_channel.added',
        resource: `notifications/channels/${channel}`,
        before: before && { ...shownSettings(before) },
        after: { ...shownSettings(row), ...(secret === 'unchanged' ? {} : { secret: 'changed' }) },
      });
      work.afterCommit(() => {
        deps.scheduler.wake(DELIVER_JOB, actor.tenantId);
        deps.changed(actor.tenantId, 'messages', null);
      });
    });
    return stateOf(database.read(actor.tenantId), actor, channel);
  }

  const rowOf = (actor: Actor, channel: Channel) => database.read(actor.tenantId).one(MESSAGE_CHANNELS, { channel });

  return {
    async channels(actor: Actor): Promise<ChannelStates[Channel][]> {
      const read = database.read(actor.tenantId);
      return Promise.all(CHANNELS.map((channel) => stateOf(read, actor, channel)));
    },
    /** Sets up the mail server, or changes the given fields. */
    async setEmail(actor: Actor, input: EmailChannelInput): Promise<ChannelStates['email']> {
      checkWholeTenant(actor);
      const row = await rowOf(actor, 'email');
      const before = row && { settings: emailSettingsOf(row), hasSecret: row.secret !== null };
      const { settings, secret } = await checkEmail(deps, actor.tenantId, before, input);
      return storeChannel(actor, 'email', settings, secret);
    },
    /** Sets up the provider of text messages, or changes the given fields. */
    async setSms(actor: Actor, input: SmsChannelInput): Promise<ChannelStates['sms']> {
      checkWholeTenant(actor);
      const row = await rowOf(actor, 'sms');
      const { settings, secret } = checkSms(deps, actor.tenantId, row && smsSettingsOf(row), input);
      return storeChannel(actor, 'sms', settings, secret);
    },
    /** Deletes a channel with its secret. Queued messages get the status `waiting`. */
    async removeChannel(actor: Actor, channel: Channel): Promise<void> {
      checkWholeTenant(actor);
      await database.unitOfWork.transaction(actor.tenantId, async (work) => {
        const row = await work.lockOne(MESSAGE_CHANNELS, { channel: checkChannel(channel) });
        if (!row) throw new ServiceError('NOT_FOUND', 'This channel is not set up.');
        await work.delete(MESSAGE_CHANNELS, { channel });
        await work.execute(
          queries
            .updateTable('messages')
            .set({ status: 'waiting', due_ms: null })
            .where('tenant_id', '=', TENANT)
            .where('channel', '=', channel)
            .where('status', '=', lit('queued'))
            .where('lease_ms', '<=', timeOf(database)),
        );
        await notices.write(work, actor, row, null, deps.clockOf(actor.tenantId).now());
        audit(work, {
          actor,
          action: 'message_channel.removed',
          resource: `notifications/channels/${channel}`,
          before: { ...shownSettings(row) },
        });
        work.afterCommit(() => deps.changed(actor.tenantId, 'messages', null));
      });
    },
    /** Sends a message immediately and returns the server's answer. @throws ServiceError RESOURCE_CONFLICT if the channel is not set up. */
    async testChannel(actor: Actor, channel: Channel, recipient: string): Promise<TestMessage> {
      checkWholeTenant(actor);
      const to = recipientOf(checkChannel(channel), recipient, 'to');
      const row = await rowOf(actor, channel);
      if (!row)
        throw new ServiceError('RESOURCE_CONFLICT', 'This channel is not set up. Set it up first.', { details: { reason: 'not_set_up' } });
      const now = deps.clockOf(actor.tenantId).now();
      const message = unqueuedMessage(actor.tenantId, { channel, kind: 'test', to, ...TEST_TEXTS }, now);
      await database.unitOfWork.transaction(actor.tenantId, async (work) => {
        await count(work, { tenantId: actor.tenantId, merchantId: null, channel, kind: 'test', to, atMs: now });
        work.insert(MESSAGES, message);
      });
      const outcome = await sender.send(row, message);
      const ok = outcome.kind === 'sent';
      const atMs = deps.clockOf(actor.tenantId).now();
      const at = isoTime(atMs);
      await database.unitOfWork.transaction(actor.tenantId, async (work) => {
        // The channel is locked before its messages everywhere, so that no deadlock is possible.
        const before = await work.lockOne(MESSAGE_CHANNELS, { channel });
        await work.update(
          MESSAGE_CHANNELS,
          { channel },
          ok
            ? { last_ok_at: at, last_error: null, last_error_at: null, rest_ms: null }
            : { last_error: outcome.message, last_error_at: at },
        );
        await work.update(
          MESSAGES,
          { id: message.id },
          ok ? { status: 'sent', sent_at: at, provider_id: outcome.providerId, last_error: null } : { last_error: outcome.message },
        );
        if (ok && before && before.rest_ms !== null) await resumeQueue(work, channel, atMs);
        audit(work, {
          actor,
          action: 'message_channel.tested',
          resource: `notifications/channels/${channel}`,
          after: { to, ok, ...(ok ? {} : { error: outcome.message }) },
        });
        work.afterCommit(() => {
          deps.scheduler.wake(DELIVER_JOB, actor.tenantId);
          deps.changed(actor.tenantId, 'messages', null);
        });
      });
      return ok ? { ok } : { ok, error: outcome.message };
    },
  };
}
