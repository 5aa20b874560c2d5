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
import type { Needs } from './needs.ts';
import { wakeQueue } from './rest.ts';
import { DELIVER_JOB } from './retry-schedule.ts';
import { type Channel, MESSAGE_CHANNELS, MESSAGES, type MessageChannelRow, type MessageRow } from './schema.ts';
import type { Sender } from './sender.ts';
import { TEST_WORDS } from './words.ts';

const queries = queriesOn(MESSAGES);

function tenantOnly(by: Actor): void {
  if (by.merchantId !== null)
    throw new ServiceError('MERCHANT_NOT_AUTHORIZED', 'How messages go out is set by those who act for the whole account.');
}

function known(channel: Channel): Channel {
  if (CHANNELS.includes(channel)) return channel;
  throw new ServiceError('NOT_FOUND', 'There is no such channel; it is email or sms.');
}

/** The set-up of the channels (decisions 9): per tenant, with sealed secrets. */
export function createChannels(on: Needs, sender: Sender, notices: ChangeNotices) {
  const { database, audit } = on;

  async function stateOf(read: Read, by: Actor, channel: Channel): Promise<ChannelState> {
    const row = await read.one(MESSAGE_CHANNELS, { channel });
    let messages = queries
      .selectFrom('messages')
      .select(({ fn }) => ['status', fn.countAll<number>().as('n')])
      .where('tenant_id', '=', TENANT)
      .where('channel', '=', channel)
      .where('status', 'in', [lit('waiting'), lit('failed')])
      .groupBy('status');
    if (by.merchantId !== null) messages = messages.where('merchant_id', '=', by.merchantId);
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

  /** Keeps a channel's settings; what was queued meanwhile is tried at once. */
  async function keep(
    by: Actor,
    channel: Channel,
    settings: EmailSettings | SmsSettings,
    secret: { readonly text: string | null } | 'kept',
  ): Promise<ChannelState> {
    const sealed =
      secret === 'kept' || secret.text === null ? null : await on.secrets.seal(by.tenantId, channelPurpose(channel), secret.text);
    const now = on.clockOf(by.tenantId).now();
    await database.unitOfWork.run(by.tenantId, async (work) => {
      const before = await work.lockOne(MESSAGE_CHANNELS, { channel });
      const row: MessageChannelRow = {
        tenant_id: by.tenantId,
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
      await wakeQueue(work, channel, now);
      await notices.write(work, by, before, row, now);
      audit(work, {
        by,
        action: before ? 'message_channel.updated' : 'message_channel.added',
        resource: `notifications/channels/${channel}`,
        before: before && { ...shownSettings(before) },
        after: { ...shownSettings(row), ...(secret === 'kept' ? {} : { secret: 'changed' }) },
      });
      work.afterCommit(() => {
        on.scheduler.wake(DELIVER_JOB);
        on.changed(by.tenantId, 'messages');
      });
    });
    return stateOf(database.read(by.tenantId), by, channel);
  }

  const rowOf = (by: Actor, channel: Channel) => database.read(by.tenantId).one(MESSAGE_CHANNELS, { channel });

  /** The row of a message that is sent while its caller waits: failed until it is known to be sent. */
  function testMessage(by: Actor, channel: Channel, to: string, nowMs: number): MessageRow {
    return {
      tenant_id: by.tenantId,
      id: newId('msg', nowMs),
      merchant_id: '',
      channel,
      kind: 'test',
      resource_id: null,
      recipient: to,
      subject: channel === 'email' ? TEST_WORDS.subject : null,
      body: TEST_WORDS.body,
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
    async channels(by: Actor): Promise<ChannelState[]> {
      const read = database.read(by.tenantId);
      return Promise.all(CHANNELS.map((channel) => stateOf(read, by, channel)));
    },
    /** Sets the mail server up, or changes the given fields of it. */
    async setEmail(by: Actor, input: EmailChannelInput): Promise<ChannelState> {
      tenantOnly(by);
      const row = await rowOf(by, 'email');
      const before = row && { settings: emailSettingsOf(row), hasSecret: row.secret !== null };
      const { settings, secret } = await checkEmail(on, by.tenantId, before, input);
      return keep(by, 'email', settings, secret);
    },
    /** Sets the provider of texts up, or changes the given fields of it. */
    async setSms(by: Actor, input: SmsChannelInput): Promise<ChannelState> {
      tenantOnly(by);
      const row = await rowOf(by, 'sms');
      const { settings, secret } = checkSms(on, by.tenantId, row && smsSettingsOf(row), input);
      return keep(by, 'sms', settings, secret);
    },
    /** Forgets a channel with its secret; what is queued waits from then on. */
    async removeChannel(by: Actor, channel: Channel): Promise<void> {
      tenantOnly(by);
      await database.unitOfWork.run(by.tenantId, async (work) => {
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
        await notices.write(work, by, row, null, on.clockOf(by.tenantId).now());
        audit(work, {
          by,
          action: 'message_channel.removed',
          resource: `notifications/channels/${channel}`,
          before: { ...shownSettings(row) },
        });
        work.afterCommit(() => on.changed(by.tenantId, 'messages'));
      });
    },
    /** Sends a message at once and answers what the server said. RESOURCE_CONFLICT where the channel is not set up. */
    async testChannel(by: Actor, channel: Channel, recipient: string): Promise<{ ok: boolean; error?: string }> {
      tenantOnly(by);
      const to = recipientOf(known(channel), recipient, 'to');
      const row = await rowOf(by, channel);
      if (!row) throw new ServiceError('RESOURCE_CONFLICT', 'Set this channel up first.', { details: { reason: 'not_set_up' } });
      const message = testMessage(by, channel, to, on.clockOf(by.tenantId).now());
      await database.unitOfWork.run(by.tenantId, async (work) => work.insert(MESSAGES, message));
      const outcome = await sender.send(row, message);
      const ok = outcome.kind === 'sent';
      const atMs = on.clockOf(by.tenantId).now();
      const at = isoTime(atMs);
      await database.unitOfWork.run(by.tenantId, async (work) => {
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
        if (ok && before && before.rest_ms !== null) await wakeQueue(work, channel, atMs);
        audit(work, {
          by,
          action: 'message_channel.tested',
          resource: `notifications/channels/${channel}`,
          after: { to, ok, ...(ok ? {} : { error: outcome.words }) },
        });
        work.afterCommit(() => {
          on.scheduler.wake(DELIVER_JOB);
          on.changed(by.tenantId, 'messages');
        });
      });
      return ok ? { ok } : { ok, error: outcome.words };
    },
  };
}
