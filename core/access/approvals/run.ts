import { queriesOn, TENANT } from '#core/database';
import { type Actor, type GivenApproval, isoTime, newId, ServiceError, type StoredResponse } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import { findApproval } from './read.ts';
import { SEALED_REQUEST, type StoredRequest } from './request.ts';
import { APPROVALS } from './schema.ts';

const SEALED_RESULT = 'approval result';
/** Time that a response is kept for its requester, as that of an Idempotency-Key. */
const RESULT_KEPT_MS = 24 * 3_600_000;

/** An approved request that must run. */
export interface ApprovedRequest {
  readonly requesterId: string;
  readonly operation: string;
  readonly request: StoredRequest;
  readonly given: GivenApproval;
  /** Milliseconds since a run was committed, so that the operation must not run again; null if none was. */
  readonly usedForMs: number | null;
}

/** Returns the request of an approved operation that has no result yet; null if it has one. */
export async function approvedRequest(deps: Dependencies, tenantId: string, approvalId: string): Promise<ApprovedRequest | null> {
  const row = await deps.database.read(tenantId).one(APPROVALS, { id: approvalId });
  if (row?.status !== 'approved' || row.executed_at !== null || row.sealed_request === null) return null;
  const request = JSON.parse(await deps.secrets.open(tenantId, SEALED_REQUEST, row.sealed_request)) as StoredRequest;
  const { requester_id: requesterId, operation, decider_id, decided_by, run_id, updated_at } = row;
  const now = deps.clockOf(tenantId).now();
  const runId = newId('req', now);
  const given = { approvalId, runId, approverId: decider_id ?? '', approvedBy: decided_by ?? '' };
  return { requesterId, operation, request, given, usedForMs: run_id === null ? null : now - Date.parse(updated_at) };
}

/**
 * Stores the response of an approved operation, unless it has one. A null response means that the operation took effect, but the server was
 * killed before its response was stored. After a failure (500 and above) nothing was done, and a repeated request with the same Idempotency-Key
 * asks for a new approval.
 */
export async function finishRun(deps: Dependencies, tenantId: string, approvalId: string, response: StoredResponse | null): Promise<void> {
  const sealed = response && (await deps.secrets.seal(tenantId, SEALED_RESULT, response.body));
  await deps.database.unitOfWork.transaction(tenantId, async (work) => {
    const row = await work.lockOne(APPROVALS, { id: approvalId });
    if (row?.status !== 'approved' || row.executed_at !== null) return;
    const at = isoTime(deps.clockOf(tenantId).now());
    const set = { result_status: response?.status ?? null, sealed_result: sealed, sealed_request: null, executed_at: at, updated_at: at };
    const hasFailed = response !== null && response.status >= 500;
    await work.update(APPROVALS, { id: approvalId }, hasFailed ? { ...set, request_key: null } : set);
    work.afterCommit(() => deps.changed(tenantId, 'approvals', row.merchant_id));
  });
}

/** Returns the body of the operation's response for the requester; null for every other caller, before the run, and a day after it. */
export async function resultFor(deps: Dependencies, actor: Actor, approvalId: string): Promise<Record<string, unknown> | null> {
  const row = await findApproval(deps, actor, approvalId);
  if (row.requester_id !== actor.credentialId || row.sealed_result === null) return null;
  const body: unknown = JSON.parse(await deps.secrets.open(actor.tenantId, SEALED_RESULT, row.sealed_result));
  if (typeof body !== 'object' || body === null) throw new ServiceError('INTERNAL_ERROR', 'The stored response is not an object.');
  return body as Record<string, unknown>;
}

/** Removes the responses of a tenant that are older than a day. */
export async function cleanUp(deps: Pick<Dependencies, 'database' | 'clockOf'>, tenantId: string): Promise<void> {
  const before = isoTime(deps.clockOf(tenantId).now() - RESULT_KEPT_MS);
  await deps.database.unitOfWork.transaction(tenantId, (work) =>
    work.execute(
      queriesOn(APPROVALS)
        .updateTable('approvals')
        .set({ sealed_result: null })
        .where('tenant_id', '=', TENANT)
        .where('sealed_result', 'is not', null)
        .where('executed_at', '<=', before),
    ),
  );
}
