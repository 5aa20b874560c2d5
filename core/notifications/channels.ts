import { lit, queriesOn, type Read, TENANT, timeOf } from '#core/database';
import { type Actor, isoTime, newId, ServiceError } from '#core/kernel';
import { dueAt } from '#core/platform/scheduling';
import { recipientOf } from './address.ts';
import {
  CHANNELS,
  type ChannelState,
  channelPurpose,
  type EmailSettings,
  emailSettingsOf,
  type SmsSettings,
  shownSettings,
  smsSettingsOf,
} from './channel.ts';
import type { ChangeNotices } from './channel-change.ts';
import { checkEmail, checkSms, type EmailChannelInput, type SmsChannelInput } from './channel-input.ts';
import type { Dependencies } from './dependencies.ts';
import { DELIVER_JOB } from './retry-schedule.ts';
import { type Channel, MESSAGE_CHANNELS, MESSAGES, type MessageChannelRow, type MessageRow } from './schema.ts';
import type { Sender } from './sender.ts';
import { resumeQueue } from './suspension.ts';
import { TEST_TEXTS } from './texts.ts';

const queries = queriesOn(MESSAGES);

function tenantOnly(actor: Actor): void {
  if (actor.merchantId !== null)
    throw new ServiceError('MERCHANT_NOT_AUTHORIZED', 'How messages go out is set by those who act for the whole account.');
}

function known(channel: Channel): Channel {
  if (CHANNELS.includes(channel)) return channel;
  throw new ServiceError('NOT_FOUND', 'There is no such channel; it is email or sms.');
}

/** The set-up of the channels (decisions 9): per tenant, with sealed secrets. */
export function createChannels(deps: Dependencies, sender: Sender, notices: ChangeNotices) {
  const { database, audit } = deps;

  async function stateOf(read: Read, actor: Actor, channel: Channel): Promise<ChannelState> {
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
    return {
      channel,
      isSetUp: row !== null,
      settings: row && shownSettings(row),
      lastOkAt: row?.last_ok_at ?? null,
      lastError: row?.last_error ?? null,
      lastErrorAt: row?.last_error_at ?? null,
      waiting: count('waiting'),
      failed: count('failed'),
    };
  }

  /** Stores a channel's settings and sends waiting messages immediately. */
  async function keep(
    actor: Actor,
    channel: Channel,
    settings: EmailSettings | SmsSettings,
    secret: { readonly text: string | null } | 'kept',
  ): Promise<ChannelState> {
    const sealed =
      secret === 'kept' || secret.text === null ? null : await deps.secrets.seal(actor.tenantId, channelPurpose(channel), secret.text);
    const now = deps.clockOf(actor.tenantId).now();
    await database.unitOfWork.run(actor.tenantId, async (work) => {
      const before = await work.lockOne(MESSAGE_CHANNELS, { channel });
      const row: MessageChannelRow = {
        tenant_id: actor.tenantId,
        channel,
        settings: JSON.stringify(settings),
        secret: secret === 'kept' ? (before?.secret ?? null) : sealed,
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
        after: { ...shownSettings(row), ...(secret === 'kept' ? {} : { secret: 'changed' }) },
      });
      work.afterCommit(() => {
        deps.scheduler.wake(DELIVER_JOB);
        deps.changed(actor.tenantId, 'messages');
      });
    });
    return stateOf(database.read(actor.tenantId), actor, channel);
  }

  const rowOf = (actor: Actor, channel: Channel) => database.read(actor.tenantId).one(MESSAGE_CHANNELS, { channel });

  /** The row of a message that is sent while its caller waits: failed until it is known to be sent. */
  function testMessage(actor: Actor, channel: Channel, to: string, nowMs: number): MessageRow {
    return {
      tenant_id: actor.tenantId,
      id: newId('msg', nowMs),
      merchant_id: '',
      channel,
      kind: 'test',
      resource_id: null,
      recipient: to,
      subject: channel === 'email' ? TEST_TEXTS.subject : null,
      body: TEST_TEXTS.body,
      sealed: null,
      html: null,
      attachment: null,
      status: 'failed',
      attempts: 1,
      last_error: 'The answer of the server was not seen.',
      sent_at: null,
      provider_id: null,
      expires_ms: null,
      ...dueAt(null),
      created_at: isoTime(nowMs),
    };
  }

  return {
    async channels(actor: Actor): Promise<ChannelState[]> {
      const read = database.read(actor.tenantId);
      return Promise.all(CHANNELS.map((channel) => stateOf(read, actor, channel)));
    },
    /** Sets the mail server up, or changes the given fields of it. */
    async setEmail(actor: Actor, input: EmailChannelInput): Promise<ChannelState> {
      tenantOnly(actor);
      const row = await rowOf(actor, 'email');
      const before = row && { settings: emailSettingsOf(row), hasSecret: row.secret !== null };
      const { settings, secret } = await checkEmail(deps, actor.tenantId, before, input);
      return keep(actor, 'email', settings, secret);
    },
    /** Sets the provider of texts up, or changes the given fields of it. */
    async setSms(actor: Actor, input: SmsChannelInput): Promise<ChannelState> {
      tenantOnly(actor);
      const row = await rowOf(actor, 'sms');
      const { settings, secret } = checkSms(deps, actor.tenantId, row && smsSettingsOf(row), input);
      return keep(actor, 'sms', settings, secret);
    },
    /** Forgets a channel with its secret; what is queued waits from then on. */
    async removeChannel(actor: Actor, channel: Channel): Promise<void> {
      tenantOnly(actor);
      await database.unitOfWork.run(actor.tenantId, async (work) => {
        const row = await work.lockOne(MESSAGE_CHANNELS, { channel: known(channel) });
        if (!row) throw new ServiceError('NOT_FOUND', 'This channel is not set up.');
        await work.delete(MESSAGE_CHANNELS, { channel });
        await work.change(
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
        work.afterCommit(() => deps.changed(actor.tenantId, 'messages'));
      });
    },
    /** Sends a message immediately and returns the server's answer. @throws ServiceError RESOURCE_CONFLICT if the channel is not set up. */
    async testChannel(actor: Actor, channel: Channel, recipient: string): Promise<{ ok: boolean; error?: string }> {
      tenantOnly(actor);
      const to = recipientOf(known(channel), recipient, 'to');
      const row = await rowOf(actor, channel);
      if (!row) throw new ServiceError('RESOURCE_CONFLICT', 'Set this channel up first.', { details: { reason: 'not_set_up' } });
      const message = testMessage(actor, channel, to, deps.clockOf(actor.tenantId).now());
      await database.unitOfWork.run(actor.tenantId, async (work) => work.insert(MESSAGES, message));
      const outcome = await sender.send(row, message);
      const ok = outcome.kind === 'sent';
      const atMs = deps.clockOf(actor.tenantId).now();
      const at = isoTime(atMs);
      await database.unitOfWork.run(actor.tenantId, async (work) => {
        // The channel before its messages, as everywhere.
        const before = await work.lockOne(MESSAGE_CHANNELS, { channel });
        await work.update(
          MESSAGE_CHANNELS,
          { channel },
          ok ? { last_ok_at: at, last_error: null, last_error_at: null, rest_ms: null } : { last_error: outcome.words, last_error_at: at },
        );
        await work.update(
          MESSAGES,
          { id: message.id },
          ok ? { status: 'sent', sent_at: at, provider_id: outcome.providerId, last_error: null } : { last_error: outcome.words },
        );
        if (ok && before && before.rest_ms !== null) await resumeQueue(work, channel, atMs);
        audit(work, {
          actor,
          action: 'message_channel.tested',
          resource: `notifications/channels/${channel}`,
          after: { to, ok, ...(ok ? {} : { error: outcome.words }) },
        });
        work.afterCommit(() => {
          deps.scheduler.wake(DELIVER_JOB);
          deps.changed(actor.tenantId, 'messages');
        });
      });
      return ok ? { ok } : { ok, error: outcome.words };
    },
  };
}
