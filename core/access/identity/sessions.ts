import { createdWithin, cutPage, idCursorOf, type Page, type PageRequest, queriesOn, rowsToRead, TENANT } from '#core/database';
import { type Actor, isoTime, ServiceError } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import { endSessions } from './end-sessions.ts';
import type { Session } from './records.ts';
import { SESSIONS, type SessionRow, USERS } from './schema.ts';
import { managedUser } from './users/user.ts';

export const queries = queriesOn(SESSIONS, USERS);

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

/** Records the use of a session, at most once a minute. No request waits for it. */
export function noteSession(deps: Dependencies, row: SessionRow): void {
  const now = Date.now();
  if (now - Math.max(row.last_seen_ms, deps.caches.sessionUses.get(row.id) ?? 0) < SEEN_EVERY_MS) return;
  deps.caches.sessionUses.set(row.id, now);
  void deps.database.unitOfWork
    .transaction(row.tenant_id, async (work) => {
      await work.update(USERS, { id: row.user_id }, { last_seen_at: isoTime(now) });
      await work.update(SESSIONS, { id: row.id }, { last_seen_ms: now });
    })
    // If this fails, the next request records it.
    .catch(() => deps.caches.sessionUses.delete(row.id));
}

/** Returns the active sessions, newest first. A caller of one merchant sees those of its users. */
export async function listSessions(
  deps: Dependencies,
  actor: Actor,
  filter: { readonly userId?: string },
  current: string | null,
  pageRequest: PageRequest,
): Promise<Page<Session>> {
  let open = withUsers()
    .where('s.revoked_at', 'is', null)
    .where('s.expires_ms', '>', Date.now())
    .where(({ and }) => and([...createdWithin(pageRequest, 'ses', 's.')]));
  if (filter.userId !== undefined) open = open.where('s.user_id', '=', filter.userId);
  if (actor.merchantId !== null) open = open.where('u.merchant_id', '=', actor.merchantId);
  const limit = Math.trunc(pageRequest.limit);
  const cursor = idCursorOf(pageRequest, 'ses');
  const offset = cursor === undefined ? (Math.trunc(pageRequest.page) - 1) * limit : 0;
  const page = cursor === undefined ? open : open.where('s.id', '<', cursor);
  const read = deps.database.read(actor.tenantId);
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
}

/**
 * Ends a session immediately: the caller's own, or one of a user whom the caller may manage. @throws ServiceError NOT_FOUND if it has
 * ended.
 */
export async function revokeSession(deps: Dependencies, actor: Actor, id: string): Promise<void> {
  const session = await deps.database.read(actor.tenantId).one(SESSIONS, { id });
  if (session && session.revoked_at === null && session.user_id !== actor.credentialId) await managedUser(deps, actor, session.user_id);
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    const row = await work.row(withUsers().selectAll('s').select(['u.merchant_id', 'u.email']).where('s.id', '=', id));
    if (!row || row.revoked_at !== null) throw new ServiceError('NOT_FOUND', 'This session does not exist or has ended.');
    if (actor.merchantId !== null && row.merchant_id !== actor.merchantId)
      throw new ServiceError('MERCHANT_NOT_AUTHORIZED', 'This session belongs to a user outside your merchant.');
    await endSessions(deps, work, { tenantId: actor.tenantId, sessionId: id, reason: 'revoked' });
    deps.audit(work, {
      actor,
      action: 'session.revoked',
      resource: `user-sessions/${id}`,
      merchantId: row.merchant_id,
      after: { user: row.email },
    });
  });
}

/** Removes the sessions of a tenant that ended some time ago. */
export async function deleteOldSessions(deps: Dependencies, tenantId: string): Promise<void> {
  const before = Date.now() - ENDED_KEPT_MS;
  await deps.database.unitOfWork.transaction(tenantId, (work) =>
    work.execute(
      queries
        .deleteFrom('sessions')
        .where('tenant_id', '=', TENANT)
        .where(({ or, eb }) => or([eb('expires_ms', '<=', before), eb('revoked_at', '<=', isoTime(before))])),
    ),
  );
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
