import type { Work } from '#core/database';
import { type Actor, isoTime, ServiceError } from '#core/kernel';
import { checkScope, type Dependencies } from './dependencies.ts';
import { explain, explainInLaterRuns, lockDate, reopenInAllRuns } from './explanations.ts';
import type { Discrepancy } from './records.ts';
import { toItem } from './report.ts';
import { ITEMS, type ItemRow, RUNS, type RunRow, WHOLE_TENANT } from './schema.ts';

/**
 * Resolves a discrepancy, and the same one in later runs of its date and source. The finding stays, with the person and the note. @throws
 * ServiceError RESOURCE_CONFLICT if it is resolved already.
 */
export async function resolve(deps: Dependencies, actor: Actor, id: string, note: string): Promise<Discrepancy> {
  const text = note.trim();
  if (text === '') throw new ServiceError('REQUIRED_FIELD_MISSING', '`note` is required.', { field: 'note' });
  const set = { note: text, resolved_by: actor.name, resolved_at: isoTime(deps.clockOf(actor.tenantId).now()) };
  return change(deps, actor, id, 'resolved', async (work, run, row) => {
    const isResolved = await explain(work, row, set);
    if (isResolved) await explainInLaterRuns(work, run, row.identity, set);
    return isResolved;
  });
}

/**
 * Reopens a resolved discrepancy in all runs of its date and source. With `resolvedAt`, only the explanation of this time is removed. @throws
 * ServiceError RESOURCE_CONFLICT if it is open already, explained again since, or if the period of its date is closed.
 */
export async function reopen(deps: Dependencies, actor: Actor, id: string, resolvedAt?: string): Promise<Discrepancy> {
  return change(deps, actor, id, 'reopened', async (work, run, { identity }) => {
    const row = await work.one(ITEMS, { id });
    if (resolvedAt !== undefined && row?.status === 'resolved' && row.resolved_at !== resolvedAt)
      throw new ServiceError(
        'RESOURCE_CONFLICT',
        'This discrepancy has another explanation now. Read it before you reopen the discrepancy.',
        {
          details: { reason: 'changed_meanwhile', resolvedBy: row.resolved_by, resolvedAt: row.resolved_at },
        },
      );
    if (run.scope !== WHOLE_TENANT) await deps.checkOpen(work, run.scope, run.date);
    return (await reopenInAllRuns(work, run, identity)).includes(id);
  });
}

/** Changes a discrepancy, with an entry of the audit log. `write` returns false if the discrepancy had the status already. */
async function change(
  deps: Dependencies,
  actor: Actor,
  id: string,
  action: 'resolved' | 'reopened',
  write: (work: Work, run: RunRow, row: ItemRow) => Promise<boolean>,
): Promise<Discrepancy> {
  const read = deps.database.read(actor.tenantId);
  const before = await read.one(ITEMS, { id });
  const run = before && (await read.one(RUNS, { id: before.run_id }));
  if (!before || !run) throw new ServiceError('NOT_FOUND', `There is no discrepancy ${id.slice(0, 60)}.`, { details: { id } });
  await checkScope(deps, actor, run.scope);
  const merchantId = run.scope === WHOLE_TENANT ? null : run.scope;
  return deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    if (merchantId !== null) await deps.lockMerchant(work, merchantId);
    await lockDate(work, run);
    const isChanged = await write(work, run, before);
    const after = { ...before, ...(await work.one(ITEMS, { id })) };
    if (!isChanged)
      throw action === 'resolved'
        ? new ServiceError('RESOURCE_CONFLICT', 'This discrepancy is already resolved.', {
            details: { resolvedBy: after.resolved_by, resolvedAt: after.resolved_at },
          })
        : new ServiceError('RESOURCE_CONFLICT', 'This discrepancy is already open.');
    deps.audit(work, {
      actor,
      action: `discrepancy.${action}`,
      resource: `settlement/reconciliation/discrepancies/${id}`,
      merchantId,
      before: { status: before.status, note: before.note },
      after: { status: after.status, note: after.note, runId: run.id },
    });
    work.afterCommit(() => deps.changed(actor.tenantId, 'settlement', merchantId));
    return toItem(after);
  });
}
