import { conditionsOn, lit, newestOf, type Page, type PageOf, queriesOn, sql, TENANT, timeOf } from '#core/database';
import { type Actor, ServiceError } from '#core/kernel';
import { released } from '#core/platform/scheduling';
import { recipientOf } from './address.ts';
import { authenticatesUser, isSecret, type Message, SEALED_MESSAGE, toMessage } from './message.ts';
import type { Needs } from './needs.ts';
import { DELIVER_JOB } from './retry-schedule.ts';
import { type Channel, MESSAGE_CHANNELS, MESSAGES, type MessageKind, type MessageRow, type MessageStatus } from './schema.ts';

const message = conditionsOn(MESSAGES);
/** Finds a text anywhere within another. */
const likeOf = (text: string) => `%${text.trim().toLowerCase().replace(/[!%_]/g, '!$&')}%`;

export interface MessageFilter {
  readonly channel?: Channel;
  readonly status?: MessageStatus;
  readonly kind?: MessageKind;
  readonly resourceId?: string;
  /** A part of the recipient's address or number. */
  readonly q?: string;
}

/** Refuses a message of another merchant: MERCHANT_NOT_AUTHORIZED. One of the tenant itself, to a user, is nobody's of a merchant. */
function within(by: Actor, row: MessageRow | null): MessageRow {
  if (row === null || (by.merchantId !== null && row.merchant_id === '')) throw missing();
  if (by.merchantId === null || row.merchant_id === by.merchantId) return row;
  throw new ServiceError('MERCHANT_NOT_AUTHORIZED', 'This message is another merchant’s.', { details: { merchantId: row.merchant_id } });
}

function missing(): ServiceError {
  return new ServiceError('NOT_FOUND', 'There is no such message.');
}

function conflict(reason: 'secret' | 'expired' | 'not_set_up' | 'sending', words: string): ServiceError {
  return new ServiceError('RESOURCE_CONFLICT', words, { details: { reason } });
}

export function createOutbox(on: Needs) {
  const { database, secrets } = on;

  /** Returns a check of which texts a caller may read. Answers about a user are remembered for the request. */
  function textsFor(by: Actor): (row: MessageRow) => Promise<boolean> {
    const managed = new Map<string, Promise<boolean>>();
    return async (row) => {
      if (!isSecret(row)) return true;
      // Secrets of live accounts are for their recipients alone.
      if (!on.isSandbox(by.tenantId)) return false;
      if (!authenticatesUser(row)) return by.permissions.has('settings:read');
      if (row.resource_id === null) return false;
      const known = managed.get(row.resource_id) ?? on.canManageUser(by, row.resource_id);
      managed.set(row.resource_id, known);
      return known;
    };
  }

  async function shown(row: MessageRow, showsText: boolean): Promise<Message> {
    if (!showsText) return toMessage(row, '');
    return toMessage(row, row.sealed === null ? row.body : await secrets.open(row.tenant_id, SEALED_MESSAGE, row.sealed));
  }

  async function page(by: Actor, filter: MessageFilter, at: PageOf): Promise<Page<Message>> {
    const { channel, status, kind, resourceId, q } = filter;
    const where = { merchant_id: by.merchantId ?? undefined, channel, status, kind, resource_id: resourceId };
    const also = q === undefined ? [] : [sql<boolean>`lower(${message.ref('recipient')}) like ${likeOf(q)} escape '!'`];
    const found = await newestOf(database.read(by.tenantId), MESSAGES, 'msg', where, at, also);
    const mayRead = textsFor(by);
    return { ...found, items: await Promise.all(found.items.map(async (row) => shown(row, await mayRead(row)))) };
  }

  return {
    /** The messages of the caller's tenant, of its merchant where it acts for one; newest first. */
    page,
    async get(by: Actor, id: string): Promise<Message> {
      const row = within(by, await database.read(by.tenantId).one(MESSAGES, { id }));
      return shown(row, await textsFor(by)(row));
    },
    /**
     * Queues a message anew, to be sent at once; `to` corrects its recipient. RESOURCE_CONFLICT for a secret, for what has expired, while it is
     * being sent, and where its channel is not set up.
     */
    async resend(by: Actor, id: string, to?: string): Promise<Message> {
      const now = on.clockOf(by.tenantId).now();
      const row = await database.unitOfWork.run(by.tenantId, async (work) => {
        const before = within(by, await work.lockOne(MESSAGES, { id }));
        if (isSecret(before)) throw conflict('secret', 'Codes and password links are not sent again; have a new one made.');
        if (before.expires_ms !== null && before.expires_ms <= now)
          throw conflict('expired', 'What this message leads to has expired; send a new link.');
        const recipient = to === undefined ? before.recipient : recipientOf(before.channel, to, 'to');
        if (!(await work.one(MESSAGE_CHANNELS, { channel: before.channel })))
          throw conflict('not_set_up', 'This channel is not set up; messages wait until it is.');
        const queued: Partial<MessageRow> = {
          recipient,
          status: 'queued',
          attempts: 0,
          last_error: null,
          ...released(now),
        };
        const free = await work.change(
          queriesOn(MESSAGES)
            .updateTable('messages')
            .set(({ eb }) => ({ fence: eb('fence', '+', lit(1)) }))
            .where('tenant_id', '=', TENANT)
            .where('id', '=', id)
            .where('lease_ms', '<=', timeOf(database)),
        );
        if (free === 0) throw conflict('sending', 'This message is being sent right now; look again in a moment.');
        await work.update(MESSAGES, { id }, queued);
        on.audit(work, {
          by,
          action: 'message.resent',
          resource: `notifications/messages/${id}`,
          merchantId: before.merchant_id || null,
          before: { to: before.recipient, status: before.status },
          after: { to: recipient, status: 'queued' },
        });
        work.afterCommit(() => {
          on.scheduler.wake(DELIVER_JOB);
          on.changed(by.tenantId, 'messages');
        });
        return { ...before, ...queued };
      });
      return shown(row, !isSecret(row));
    },
  };
}
