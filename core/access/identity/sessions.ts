import { createdWithin, cutPage, idCursorOf, type Page, type PageRequest, queriesOn, rowsToRead, TENANT, type Work } from '#core/database';
import { type Actor, isoTime, ServiceError } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import type { Session } from './records.ts';
import { SESSIONS, type SessionEnd, type SessionRow, USERS } from './schema.ts';

const queries = queriesOn(SESSIONS, USERS);

/** Sessions of a tenant with their users. */
const withUsers = () =>
  queries
    .selectFrom('sessions as s')
    .innerJoin('users as u', (join) => join.onRef('u.tenant_id', '=', 's.tenant_id').onRef('u.id', '=', 's.user_id'))
    .where('s.tenant_id', '=', TENANT);

/** Time that ended sessions are kept, so that their tokens are distinguished from unknown ones. */
const ENDED_KEPT_MS = 7 * 86_400_000;
/** Shortest time between two updates of a session's last request. */
const SEEN_EVERY_MS = 60_000;

/**
 * Ends one session, or all sessions of a user, in the unit of work that makes it necessary. The only place that ends a session: after the
 * commit,
 * open event streams of the tenant check their sessions.
 */
export async function endSessions(
  { accessChanged }: Pick<Dependencies, 'accessChanged'>,
  work: Work,
  ended: { readonly tenantId: string; readonly reason: SessionEnd } & (
    | { readonly sessionId: string }
    | {
        readonly userId: string;
        /** A session that does not end. */
        readonly butSessionId?: string | null;
      }
  ),
): Promise<void> {
  const open = queries
    .updateTable('sessions')
    .set({ revoked_at: isoTime(Date.now()), end_reason: ended.reason })
    .where('tenant_id', '=', TENANT)
    .where('revoked_at', 'is', null);
  await work.execute(
    'sessionId' in ended
      ? open.where('id', '=', ended.sessionId)
      : open.where('user_id', '=', ended.userId).where('id', '<>', ended.butSessionId ?? ''),
  );
  work.afterCommit(() => accessChanged(ended.tenantId));
}

/** @param checkManages Throws PERMISSION_DENIED if the caller may not manage the user. */
export function createSessions(deps: Dependencies, checkManages: (actor: Actor, userId: string) => Promise<void>) {
  const { database, audit } = deps;
  const recordedAt = new Map<string, number>();

  return {
    /** Records the use of a session, at most once a minute. No request waits for it. */
    note(row: SessionRow): void {
      const now = Date.now();
      if (now - Math.max(row.last_seen_ms, recordedAt.get(row.id) ?? 0) < SEEN_EVERY_MS) return;
      recordedAt.set(row.id, now);
      void database.unitOfWork
        .transaction(row.tenant_id, async (work) => {
          await work.update(USERS, { id: row.user_id }, { last_seen_at: isoTime(now) });
          await work.update(SESSIONS, { id: row.id }, { last_seen_ms: now });
        })
        // If this fails, the next request records it.
        .catch(() => recordedAt.delete(row.id));
    },
    /** Returns the active sessions, newest first. A caller of one merchant sees those of its users. */
    async page(
      actor: Actor,
      filter: { readonly userId?: string },
      current: string | null,
      pageRequest: PageRequest,
    ): Promise<Page<Session>> {
      let open = withUsers()
        .where('s.revoked_at', 'is', null)
        .where('s.expires_ms', '>', Date.now())
        .where(({ and }) => and([...createdWithin(pageRequest, 's.created_at')]));
      if (filter.userId !== undefined) open = open.where('s.user_id', '=', filter.userId);
      if (actor.merchantId !== null) open = open.where('u.merchant_id', '=', actor.merchantId);
      const limit = Math.trunc(pageRequest.limit);
      const cursor = idCursorOf(pageRequest, 'ses');
      const offset = cursor === undefined ? (Math.trunc(pageRequest.page) - 1) * limit : 0;
      const page = cursor === undefined ? open : open.where('s.id', '<', cursor);
      const read = database.read(actor.tenantId);
      const [rows, counted] = await Promise.all([
        read.rows(page.selectAll('s').select('u.email').orderBy('s.id', 'desc').limit(rowsToRead(limit)).offset(offset)),
        read.row(open.select(({ fn }) => fn.countAll<number>().as('n'))),
      ]);
      const { items, nextCursor } = cutPage(rows, limit, ({ id }) => id);
      return {
        items: items.map((row) => toSession(row, current)),
        page: pageRequest.page,
        limit: pageRequest.limit,
        total: Number(counted?.n ?? 0),
        nextCursor,
      };
    },
    /**
     * Ends a session immediately: the caller's own, or one of a user whom the caller may manage. @throws ServiceError NOT_FOUND if it has
     * ended.
     */
    async revoke(actor: Actor, id: string): Promise<void> {
      const session = await database.read(actor.tenantId).one(SESSIONS, { id });
      if (session && session.revoked_at === null && session.user_id !== actor.credentialId) await checkManages(actor, session.user_id);
      await database.unitOfWork.transaction(actor.tenantId, async (work) => {
        const row = await work.row(withUsers().selectAll('s').select(['u.merchant_id', 'u.email']).where('s.id', '=', id));
        if (!row || row.revoked_at !== null) throw new ServiceError('NOT_FOUND', 'This session does not exist or has ended.');
        if (actor.merchantId !== null && row.merchant_id !== actor.merchantId)
          throw new ServiceError('MERCHANT_NOT_AUTHORIZED', 'This session belongs to a user outside your merchant.');
        await endSessions(deps, work, { tenantId: actor.tenantId, sessionId: id, reason: 'revoked' });
        audit(work, {
          actor,
          action: 'session.revoked',
          resource: `user-sessions/${id}`,
          merchantId: row.merchant_id,
          after: { user: row.email },
        });
      });
    },
    /** Removes the sessions of a tenant that ended some time ago. */
    async cleanUp(tenantId: string): Promise<void> {
      const before = Date.now() - ENDED_KEPT_MS;
      await database.unitOfWork.transaction(tenantId, (work) =>
        work.execute(
          queries
            .deleteFrom('sessions')
            .where('tenant_id', '=', TENANT)
            .where(({ or, eb }) => or([eb('expires_ms', '<=', before), eb('revoked_at', '<=', isoTime(before))])),
        ),
      );
    },
  };
}

function toSession(row: SessionRow & { email: string }, current: string | null): Session {
  const { id, user_id, email, kind, user_agent, ip, created_at, last_seen_ms } = row;
  return {
    id,
    userId: user_id,
    email,
    kind,
    device: user_agent,
    ip,
    startedAt: created_at,
    lastSeenAt: isoTime(last_seen_ms),
    current: id === current,
  };
}
