import { type Condition, conditionsOn, lit, newestPage, type Page, type PageRequest, queriesOn, sql, TENANT, timeOf } from '#core/database';
import { type Actor, ServiceError } from '#core/kernel';
import { released } from '#core/platform/scheduling';
import { recipientOf } from './address.ts';
import type { Dependencies } from './dependencies.ts';
import type { createMessageCount } from './limits.ts';
import { authenticatesUser, isSecret, SEALED_MESSAGE, toMessage, toRecipient } from './message.ts';
import type { Message } from './records.ts';
import { DELIVER_JOB } from './retry-schedule.ts';
import { type Channel, MESSAGE_CHANNELS, MESSAGES, type MessageKind, type MessageRow, type MessageStatus } from './schema.ts';

const message = conditionsOn(MESSAGES);

/** Returns the condition for the messages of a caller to recipients that contain a text. */
function sentTo({ merchantId }: Actor, text: string): Condition {
  const part = text.trim().toLowerCase().replace(/[!%_]/g, '!$&');
  // The index of the recipients has all columns of this query, so that it does not read the texts of the messages.
  const ids = queriesOn(MESSAGES).selectFrom('messages').select('id').where('tenant_id', '=', TENANT);
  const ofCaller = merchantId === null ? ids : ids.where('merchant_id', '=', merchantId);
  const containing = ofCaller.where(sql<boolean>`recipient_key like ${`%${part}%`} escape '!'`);
  // With a limit, PostgreSQL does not merge this query with that of the list, which would read the texts again.
  return message('id', 'in', containing.limit(Number.MAX_SAFE_INTEGER));
}

export interface MessageFilter {
  readonly channel?: Channel;
  readonly status?: MessageStatus;
  readonly kind?: MessageKind;
  readonly resourceId?: string;
  /** Part of the recipient's address or number. */
  readonly q?: string;
}

/**
 * Checks that a message belongs to the caller's merchant. Messages of the tenant to its users belong to no merchant. @throws ServiceError
 * MERCHANT_NOT_AUTHORIZED.
 */
function checkAccess(actor: Actor, row: MessageRow | null): MessageRow {
  if (row === null || (actor.merchantId !== null && row.merchant_id === '')) throw missing();
  if (actor.merchantId === null || row.merchant_id === actor.merchantId) return row;
  throw new ServiceError('MERCHANT_NOT_AUTHORIZED', 'This message belongs to another merchant.', {
    details: { merchantId: row.merchant_id },
  });
}

const canReadReports = ({ permissions }: Actor) => permissions.has('reporting:read') && permissions.has('settlement:read');

function missing(): ServiceError {
  return new ServiceError('NOT_FOUND', 'No message has this ID.');
}

function conflict(reason: 'secret' | 'expired' | 'not_set_up' | 'sending' | 'address_on_file', message: string): ServiceError {
  return new ServiceError('RESOURCE_CONFLICT', message, { details: { reason } });
}

const notSetUp = () => conflict('not_set_up', 'This channel is not set up. Messages wait until it is set up.');

export function createOutbox(deps: Dependencies, count: ReturnType<typeof createMessageCount>) {
  const { database, secrets } = deps;

  /** Returns a check of which texts a caller may read. Answers about a user are remembered for the request. */
  function textAccessFor(actor: Actor): (row: MessageRow) => Promise<boolean> {
    const managed = new Map<string, Promise<boolean>>();
    return async (row) => {
      if (row.kind === 'report') return canReadReports(actor);
      if (!isSecret(row)) return true;
      // In a live account, only the recipient may read a secret.
      if (!deps.isSandbox(actor.tenantId)) return false;
      if (!authenticatesUser(row)) return actor.permissions.has('settings:read');
      if (row.resource_id === null) return false;
      const isManaged = managed.get(row.resource_id) ?? deps.mayReadLinks(actor, row.resource_id);
      managed.set(row.resource_id, isManaged);
      return isManaged;
    };
  }

  async function withText(row: MessageRow, showsText: boolean): Promise<Message> {
    if (!showsText) return toMessage(row, '');
    return toMessage(row, row.sealed === null ? row.body : await secrets.open(row.tenant_id, SEALED_MESSAGE, row.sealed));
  }

  async function page(actor: Actor, filter: MessageFilter, pageRequest: PageRequest): Promise<Page<Message>> {
    const { channel, status, kind, resourceId, q } = filter;
    const where = { merchant_id: actor.merchantId ?? undefined, channel, status, kind, resource_id: resourceId };
    const conditions = q === undefined ? [] : [sentTo(actor, q)];
    const found = await newestPage(database.read(actor.tenantId), MESSAGES, 'msg', where, pageRequest, conditions);
    const mayRead = textAccessFor(actor);
    return { ...found, items: await Promise.all(found.items.map(async (row) => withText(row, await mayRead(row)))) };
  }

  return {
    /** Returns the messages of the caller's tenant, or of the caller's merchant, newest first. */
    page,
    async get(actor: Actor, id: string): Promise<Message> {
      const row = checkAccess(actor, await database.read(actor.tenantId).one(MESSAGES, { id }));
      return withText(row, await textAccessFor(actor)(row));
    },
    /**
     * Queues every message that was written before its channel was set up, except expired ones, codes and password links. Returns their
     * number. @throws ServiceError RESOURCE_CONFLICT if the channel is not set up.
     */
    async resendWaiting(actor: Actor, channel: Channel): Promise<number> {
      const now = deps.clockOf(actor.tenantId).now();
      return database.unitOfWork.transaction(actor.tenantId, async (work) => {
        if (!(await work.one(MESSAGE_CHANNELS, { channel }))) throw notSetUp();
        let waiting = queriesOn(MESSAGES)
          .updateTable('messages')
          .set({ status: 'queued', attempts: 0, last_error: null, ...released(now) })
          .where('tenant_id', '=', TENANT)
          .where('status', '=', lit('waiting'))
          .where('channel', '=', channel)
          .where('kind', 'not in', [lit('code'), lit('password')])
          .where('sealed', 'is', null)
          .where(({ or, eb }) => or([eb('expires_ms', 'is', null), eb('expires_ms', '>', now)]));
        if (actor.merchantId !== null) waiting = waiting.where('merchant_id', '=', actor.merchantId);
        const resent = await work.execute(waiting);
        deps.audit(work, {
          actor,
          action: 'message.waiting_resent',
          resource: `notifications/channels/${channel}`,
          merchantId: actor.merchantId,
          before: null,
          after: { resent },
        });
        work.afterCommit(() => {
          deps.scheduler.wake(DELIVER_JOB, actor.tenantId);
          deps.changed(actor.tenantId, 'messages', actor.merchantId);
        });
        return resent;
      });
    },
    /**
     * Queues a message again for immediate delivery; `to` corrects the recipient. @throws ServiceError RESOURCE_CONFLICT for a secret or
     * expired message, for another recipient of a statement or a report, while it is being sent, and if its channel is not set up; RATE_LIMIT_EXCEEDED, DAILY_LIMIT_EXCEEDED.
     */
    async resend(actor: Actor, id: string, to?: string): Promise<Message> {
      const now = deps.clockOf(actor.tenantId).now();
      const row = await database.unitOfWork.transaction(actor.tenantId, async (work) => {
        const before = checkAccess(actor, await work.lockOne(MESSAGES, { id }));
        if (isSecret(before)) throw conflict('secret', "Codes and password links can't be resent. Request a new one.");
        if (before.expires_ms !== null && before.expires_ms <= now)
          throw conflict('expired', 'The link in this message has expired. Send a new link.');
        if (before.kind === 'statement' && to !== undefined && to !== before.recipient)
          throw conflict(
            'address_on_file',
            'A statement goes only to the address of the customer. Correct it there, then send the statement again.',
          );
        if (before.kind === 'report' && !canReadReports(actor))
          throw new ServiceError('PERMISSION_DENIED', 'Only people who can read reports can send one again.');
        if (before.kind === 'report' && to !== undefined && to !== before.recipient)
          throw conflict(
            'address_on_file',
            'A report goes only to the address that its sender chose. Send the report again from Reports or Payouts.',
          );
        const recipient = to === undefined ? before.recipient : recipientOf(before.channel, to, 'to');
        if (!(await work.one(MESSAGE_CHANNELS, { channel: before.channel }))) throw notSetUp();
        const { tenant_id: tenantId, channel, kind } = before;
        // A message that waits was counted when it was written.
        const isCounted = ['waiting', 'queued'].includes(before.status) && recipient === before.recipient;
        if (!isCounted) await count(work, { tenantId, merchantId: before.merchant_id || null, channel, kind, to: recipient, atMs: now });
        const queued: Partial<MessageRow> = {
          ...toRecipient(recipient),
          status: 'queued',
          attempts: 0,
          last_error: null,
          ...released(now),
        };
        const free = await work.execute(
          queriesOn(MESSAGES)
            .updateTable('messages')
            .set(({ eb }) => ({ fence: eb('fence', '+', lit(1)) }))
            .where('tenant_id', '=', TENANT)
            .where('id', '=', id)
            .where('lease_ms', '<=', timeOf(database)),
        );
        if (free === 0) throw conflict('sending', 'This message is being sent right now. Try again in a moment.');
        await work.update(MESSAGES, { id }, queued);
        deps.audit(work, {
          actor,
          action: 'message.resent',
          resource: `notifications/messages/${id}`,
          merchantId: before.merchant_id || null,
          before: { to: before.recipient, status: before.status },
          after: { to: recipient, status: 'queued' },
        });
        work.afterCommit(() => {
          deps.scheduler.wake(DELIVER_JOB, actor.tenantId);
          deps.changed(actor.tenantId, 'messages', before.merchant_id);
        });
        return { ...before, ...queued };
      });
      return withText(row, !isSecret(row));
    },
  };
}
