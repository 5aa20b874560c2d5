import { queriesOn, TENANT, type Work } from '#core/database';
import { isoTime } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import { CODES, SESSIONS, type SessionEnd } from './schema.ts';

/**
 * Ends one session, or all sessions of a user with the sign-ins that wait for their code, in the unit of work that makes it necessary. The only
 * place that ends a session: after the commit, open event streams of the tenant check their sessions.
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
  const open = queriesOn(SESSIONS)
    .updateTable('sessions')
    .set({ revoked_at: isoTime(Date.now()), end_reason: ended.reason })
    .where('tenant_id', '=', TENANT)
    .where('revoked_at', 'is', null);
  await work.execute(
    'sessionId' in ended
      ? open.where('id', '=', ended.sessionId)
      : open.where('user_id', '=', ended.userId).where('id', '<>', ended.butSessionId ?? ''),
  );
  if ('userId' in ended) await work.delete(CODES, { purpose: 'sign-in', subject: ended.userId });
  work.afterCommit(() => accessChanged(ended.tenantId));
}
