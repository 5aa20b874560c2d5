import { type Actor, isoTime, ServiceError } from '#core/kernel';
import { checkScope, type Dependencies } from './dependencies.ts';
import { explain, explainInLaterRuns } from './explanations.ts';
import type { Discrepancy } from './records.ts';
import { toItem } from './report.ts';
import { ITEMS, RUNS, WHOLE_TENANT } from './schema.ts';

/**
 * Resolves a discrepancy, and the same one in later runs of its date and source. The finding stays, with the person and the note. @throws
 * ServiceError RESOURCE_CONFLICT if it is resolved already.
 */
export async function resolve(deps: Dependencies, actor: Actor, id: string, note: string): Promise<Discrepancy> {
  const missing = () => new ServiceError('NOT_FOUND', `There is no discrepancy ${id.slice(0, 60)}.`, { details: { id } });
  const text = note.trim();
  if (text === '') throw new ServiceError('REQUIRED_FIELD_MISSING', '`note` is required.', { field: 'note' });
  const read = deps.database.read(actor.tenantId);
  const found = await read.one(ITEMS, { id });
  const run = found && (await read.one(RUNS, { id: found.run_id }));
  if (!found || !run) throw missing();
  await checkScope(deps, actor, run.scope);
  return deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    await work.lockOne(RUNS, { id: run.id });
    const row = await work.lockOne(ITEMS, { id });
    if (!row) throw missing();
    if (row.status === 'resolved')
      throw new ServiceError('RESOURCE_CONFLICT', 'This discrepancy is already resolved.', {
        details: { resolvedBy: row.resolved_by, resolvedAt: row.resolved_at },
      });
    const set = { note: text, resolved_by: actor.name, resolved_at: isoTime(deps.clockOf(actor.tenantId).now()) };
    await explain(work, row, set);
    await explainInLaterRuns(work, run, row.identity, set);
    deps.audit(work, {
      actor,
      action: 'discrepancy.resolved',
      resource: `settlement/reconciliation/discrepancies/${id}`,
      merchantId: run.scope === WHOLE_TENANT ? null : run.scope,
      before: { status: row.status, note: row.note },
      after: { status: 'resolved', note: set.note, runId: run.id },
    });
    work.afterCommit(() => deps.changed(actor.tenantId, 'settlement', run.scope === WHOLE_TENANT ? null : run.scope));
    return toItem({ ...row, status: 'resolved', ...set });
  });
}
