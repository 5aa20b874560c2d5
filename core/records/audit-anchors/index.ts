import { type Actor, isoTime, later, realNow, ServiceError } from '#core/kernel';
import { dueAt, type Job, released } from '#core/platform/scheduling';
import type { Anchor } from '#core/records/audit';
import { recipientOf } from '#core/records/notifications';
import { compareAnchors } from './anchors.ts';
import type { Dependencies } from './dependencies.ts';
import type { AnchoredVerification, AnchorSettings } from './records.ts';
import { AUDIT_ANCHORS, type AuditAnchorRow } from './schema.ts';
import { anchorText, lastAnchorText } from './texts.ts';

export { parseAnchors } from './anchors.ts';
export { AnchoredVerification, AnchorSettings } from './records.ts';

export const TABLES = [AUDIT_ANCHORS];

const JOB = 'audit.anchor';
const ID = 'daily';
const EVERY_MS = 24 * 3_600_000;
const LEASE_MS = 60_000;

const toSettings = (row: AuditAnchorRow | null | undefined): AnchorSettings => ({
  email: row?.email ?? null,
  lastSentAt: row?.sent_at ?? null,
});

export function createAuditAnchors(deps: Dependencies) {
  const { database, audit, notifications, scheduler } = deps;
  scheduler.register(job(deps));
  return {
    /** Verifies the caller's log, and that it contains the entries that anchors name. */
    async verify({ tenantId }: Actor, anchors: readonly Anchor[] = []): Promise<AnchoredVerification> {
      const chain = await audit.verify(tenantId);
      const { uncompared, fault } = await compareAnchors(deps, tenantId, anchors, chain);
      const lastEntry = await audit.lastEntry(tenantId);
      return { ...chain, ...(chain.valid && fault !== null && { valid: false, reason: fault }), lastEntry, uncomparedAnchors: uncompared };
    },
    settings: async ({ tenantId }: Actor): Promise<AnchorSettings> =>
      toSettings(await database.read(tenantId).one(AUDIT_ANCHORS, { id: ID })),
    /**
     * Sets the address that receives the last entry every day, from now on; null for none. The previous address receives the entry of this change.
     * @throws ServiceError INVALID_EMAIL; RESOURCE_CONFLICT if the account sends no emails.
     */
    async change(actor: Actor, address: string | null): Promise<AnchorSettings> {
      const { tenantId } = actor;
      const email = address === null ? null : recipientOf('email', address, 'email');
      if (email !== null && !(await notifications.delivers(tenantId, 'email')))
        throw new ServiceError('RESOURCE_CONFLICT', 'This account cannot send emails yet. Set up its email settings first.', {
          field: 'email',
        });
      return database.unitOfWork.transaction(tenantId, async (work) => {
        // The row may not exist yet, so that it cannot be locked.
        await work.advisoryLock(`audit-anchors/${tenantId}`);
        work.afterCommit(() => scheduler.wake(JOB, tenantId));
        const before = await work.lockOne(AUDIT_ANCHORS, { id: ID });
        if ((before?.email ?? null) === email) return toSettings(before);
        if (before) {
          await work.delete(AUDIT_ANCHORS, { id: ID });
          const message = lastAnchorText(await deps.nameOf(tenantId), actor.name, email);
          await notifications.notify(work, { ...header(deps, tenantId, before.email), ...message });
        }
        if (email !== null)
          work.insert(AUDIT_ANCHORS, { tenant_id: tenantId, id: ID, email, sent_n: 0, sent_at: null, ...dueAt(realNow()) });
        audit.record(work, {
          actor,
          action: 'audit_anchors.updated',
          resource: 'audit-logs/anchors',
          before: { email: before?.email ?? null },
          after: { email },
        });
        return { email, lastSentAt: null };
      });
    },
  };
}

const header = ({ clockOf }: Dependencies, tenantId: string, to: string) =>
  ({ tenantId, merchantId: null, channel: 'email', to, atMs: clockOf(tenantId).now(), cause: 'event' }) as const;

/** Job that sends the last entry of a log once a day, unless it was sent before. */
function job(deps: Dependencies): Job<AuditAnchorRow> {
  return {
    name: JOB,
    table: AUDIT_ANCHORS,
    clock: 'real',
    concurrency: 1,
    leaseMs: LEASE_MS,
    longestWaitMs: EVERY_MS,
    async run({ tenant_id: tenantId, fence, email, sent_n }) {
      const last = await deps.audit.lastEntry(tenantId);
      const isNew = last !== null && last.position !== sent_n;
      const message = isNew ? anchorText(await deps.nameOf(tenantId), last) : null;
      await deps.database.unitOfWork.transaction(tenantId, async (work) => {
        const sent = isNew ? { sent_n: last.position, sent_at: isoTime(realNow()) } : {};
        const next = released(later(realNow(), EVERY_MS));
        const isOwnClaim = (await work.update(AUDIT_ANCHORS, { id: ID, fence }, { ...sent, ...next })) === 1;
        if (isOwnClaim && message !== null) await deps.notifications.notify(work, { ...header(deps, tenantId, email), ...message });
      });
      return isNew ? 'sent' : 'skipped';
    },
  };
}
