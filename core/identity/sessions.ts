import { createdCondition, type Page, type PageOf, type Work } from '#core/database';
import { type Actor, isoTime, ServiceError } from '#core/kernel';
import type { Needs } from './needs.ts';
import { SESSIONS, type SessionEnd, type SessionKind, type SessionRow } from './schema.ts';

/** An ended session is remembered this long, so that its token is still told from one that never was. */
const ENDED_KEPT_MS = 7 * 86_400_000;
/** How often a session's last request is written down. */
const SEEN_EVERY_MS = 60_000;

/** A session as it is listed. */
export interface Session {
  readonly id: string;
  readonly userId: string;
  readonly email: string;
  readonly kind: SessionKind;
  /** The program, as it named itself. */
  readonly device: string | null;
  readonly ip: string | null;
  readonly startedAt: string;
  readonly lastSeenAt: string;
  /** Whether the caller's own token belongs to it. */
  readonly current: boolean;
}

/**
 * Ends one session, or all sessions of a user, in the unit of work that makes it necessary. The only place that ends a session: after the commit,
 * open event streams of the tenant check their sessions.
 */
export async function endSessions(
  { sessionsEnded }: Pick<Needs, 'sessionsEnded'>,
  work: Work,
  ended: { readonly tenantId: string; readonly reason: SessionEnd } & (
    | { readonly sessionId: string }
    | {
        readonly userId: string;
        /** A session that stays. */
        readonly butSessionId?: string | null;
      }
  ),
): Promise<void> {
  const [column, value] = 'sessionId' in ended ? ['id', ended.sessionId] : ['user_id', ended.userId];
  const but = 'userId' in ended ? (ended.butSessionId ?? '') : '';
  await work.run(
    `UPDATE sessions SET revoked_at = :at, end_reason = :reason WHERE tenant_id = :tenantId AND ${column} = :value AND id <> :but AND revoked_at IS NULL`,
    { at: isoTime(Date.now()), reason: ended.reason, value, but },
  );
  work.afterCommit(() => sessionsEnded(ended.tenantId));
}

/** @param checkManages Refuses a caller who may not manage a user: PERMISSION_DENIED. */
export function createSessions(on: Needs, checkManages: (by: Actor, userId: string) => Promise<void>) {
  const { database, audit } = on;
  const seen = new Map<string, number>();

  return {
    /** Notes that a session is in use, at most once a minute and without anybody waiting for it. */
    note(row: SessionRow): void {
      const now = Date.now();
      if (now - Math.max(row.last_seen_ms, seen.get(row.id) ?? 0) < SEEN_EVERY_MS) return;
      seen.set(row.id, now);
      void database.unitOfWork
        .run(row.tenant_id, async (work) => {
          await work.run('UPDATE users SET last_seen_at = :at WHERE tenant_id = :tenantId AND id = :userId', {
            at: isoTime(now),
            userId: row.user_id,
          });
          await work.run('UPDATE sessions SET last_seen_ms = :now WHERE tenant_id = :tenantId AND id = :id', { now, id: row.id });
        })
        // A missed note is made up for by the next request.
        .catch(() => seen.delete(row.id));
    },
    /** Returns true if a session was not ended. */
    async isOpen(tenantId: string, id: string): Promise<boolean> {
      const row = await database.read(tenantId).one(SESSIONS, { id });
      return row !== null && row !== undefined && row.revoked_at === null;
    },
    /** The sessions that still stand, newest first; a caller of one merchant sees those of its users. */
    async page(by: Actor, filter: { readonly userId?: string }, current: string | null, at: PageOf): Promise<Page<Session>> {
      const conditions = ['s.tenant_id = :tenantId', 's.revoked_at IS NULL', 's.expires_ms > :now'];
      const params: Record<string, string | number> = { now: Date.now() };
      if (filter.userId !== undefined) {
        conditions.push('s.user_id = :userId');
        params.userId = filter.userId;
      }
      if (by.merchantId !== null) {
        conditions.push('u.merchant_id = :merchantId');
        params.merchantId = by.merchantId;
      }
      const created = createdCondition(at, 's.created_at');
      if (created.sql !== '') conditions.push(created.sql);
      Object.assign(params, created.params);
      const from = `FROM sessions s JOIN users u ON u.tenant_id = s.tenant_id AND u.id = s.user_id WHERE ${conditions.join(' AND ')}`;
      const limit = Math.trunc(at.limit);
      const after = at.cursor === undefined ? '' : 'AND s.id < :after';
      const read = database.read(by.tenantId);
      const [rows, [counted]] = await Promise.all([
        read.all<SessionRow & { email: string }>(`SELECT s.*, u.email ${from} ${after} ORDER BY s.id DESC LIMIT ${limit} OFFSET :offset`, {
          ...params,
          offset: after === '' ? (Math.trunc(at.page) - 1) * limit : 0,
          ...(at.cursor === undefined ? {} : { after: at.cursor }),
        }),
        read.all<{ n: number }>(`SELECT count(*) AS n ${from}`, params),
      ]);
      return {
        items: rows.map((row) => toSession(row, current)),
        page: at.page,
        limit: at.limit,
        total: counted?.n ?? 0,
        nextCursor: rows.length === limit ? (rows.at(-1)?.id ?? null) : null,
      };
    },
    /** Ends a session at once: the caller's own, or one of a user whom the caller may manage. NOT_FOUND for one that has ended. */
    async revoke(by: Actor, id: string): Promise<void> {
      const seen = await database.read(by.tenantId).one(SESSIONS, { id });
      if (seen && seen.revoked_at === null && seen.user_id !== by.credentialId) await checkManages(by, seen.user_id);
      await database.unitOfWork.run(by.tenantId, async (work) => {
        const [row] = await work.all<SessionRow & { merchant_id: string | null; email: string }>(
          'SELECT s.*, u.merchant_id, u.email FROM sessions s JOIN users u ON u.tenant_id = s.tenant_id AND u.id = s.user_id WHERE s.tenant_id = :tenantId AND s.id = :id',
          { id },
        );
        if (!row || row.revoked_at !== null) throw new ServiceError('NOT_FOUND', 'There is no such session, or it has ended.');
        if (by.merchantId !== null && row.merchant_id !== by.merchantId)
          throw new ServiceError('MERCHANT_NOT_AUTHORIZED', 'This session belongs to a user outside your merchant.');
        await endSessions(on, work, { tenantId: by.tenantId, sessionId: id, reason: 'revoked' });
        audit(work, {
          by,
          action: 'session.revoked',
          resource: `user-sessions/${id}`,
          merchantId: row.merchant_id,
          after: { user: row.email },
        });
      });
    },
    /** Removes the sessions of a tenant that ended some time ago. */
    async sweep(tenantId: string): Promise<void> {
      const before = Date.now() - ENDED_KEPT_MS;
      await database.unitOfWork.run(tenantId, (work) =>
        work.run('DELETE FROM sessions WHERE tenant_id = :tenantId AND (expires_ms <= :before OR revoked_at <= :beforeAt)', {
          before,
          beforeAt: isoTime(before),
        }),
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
