import { UniqueViolation } from '#core/database';
import {
  type Actor,
  type ApprovalRequired,
  type ApprovalSubject,
  isoTime,
  later,
  newId,
  type Permission,
  ServiceError,
} from '#core/kernel';
import { dueAt } from '#core/platform/scheduling';
import { auditFields, publish, toApproval } from './approval.ts';
import type { Dependencies } from './dependencies.ts';
import type { Approval } from './records.ts';
import { APPROVALS, type ApprovalRow } from './schema.ts';

/** Name of the job that ends approvals whose time has passed. */
export const EXPIRE_JOB = 'approvals';
export const SEALED_REQUEST = 'approval request';
/** Pending approvals of one requester; more would only hide the urgent ones. */
const PENDING_MAX = 50;

/** A request as it runs again after its approval. */
export interface StoredRequest {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  /** Permissions at the time of the request, which the operation does not exceed. */
  readonly permissions: readonly Permission[];
  readonly merchantId: string | null;
  readonly requestId: string;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly drawer: string | null;
  readonly idempotencyKey: Actor['idempotencyKey'];
}

/** The operation of a request: its route with the permission that it requires. */
export interface RequestedOperation {
  readonly operation: string;
  readonly permission: string;
  /** Reason that the requester gives; null if none. */
  readonly requestReason: string | null;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/**
 * Stores a request for the approval of a second person. A request with the same Idempotency-Key gets the approval that it got before.
 * @throws ServiceError RESOURCE_CONFLICT if the key was used for another request; RATE_LIMIT_EXCEEDED with too many pending ones.
 */
export async function requestApproval(
  deps: Dependencies,
  actor: Actor,
  { operation, permission, requestReason, ...input }: RequestedOperation,
  { subject, rule, expiresInMs }: ApprovalRequired,
): Promise<Approval> {
  const { tenantId, idempotencyKey } = actor;
  const now = deps.clockOf(tenantId).now();
  const expiresMs = later(now, expiresInMs);
  const request: StoredRequest = {
    ...input,
    permissions: [...actor.permissions],
    merchantId: actor.merchantId,
    requestId: actor.requestId,
    ip: actor.ip,
    userAgent: actor.userAgent ?? null,
    drawer: actor.drawer ?? null,
    idempotencyKey,
  };
  const row: ApprovalRow = {
    tenant_id: tenantId,
    id: newId('apr', now),
    merchant_id: subject.merchantId,
    kind: subject.kind,
    status: 'pending',
    operation,
    permission,
    resource: subject.resource,
    amount_minor: subject.amount?.minor ?? null,
    currency: subject.amount?.currency ?? null,
    reason: rule,
    request_reason: requestReason,
    details: JSON.stringify(subject.details),
    requested_by: actor.name,
    requester_id: actor.credentialId,
    requester_user_ids: JSON.stringify(await requestersOf(deps, actor, subject, permission)),
    sealed_request: await deps.secrets.seal(tenantId, SEALED_REQUEST, JSON.stringify(request)),
    request_key: idempotencyKey && `${idempotencyKey.credentialId}/${idempotencyKey.key}`,
    fingerprint: idempotencyKey?.fingerprint ?? null,
    decided_by: null,
    decider_id: null,
    decided_at: null,
    decided_via: null,
    note: null,
    run_id: null,
    result_status: null,
    sealed_result: null,
    executed_at: null,
    expires_at: isoTime(expiresMs),
    ...dueAt(expiresMs),
    created_at: isoTime(now),
    updated_at: isoTime(now),
  };
  const earlier = await findEarlier(deps, tenantId, row);
  if (earlier) return earlier;
  try {
    await deps.database.unitOfWork.transaction(tenantId, async (work) => {
      const pending = await work.find(APPROVALS, { requester_id: actor.credentialId, status: 'pending' }, { limit: PENDING_MAX });
      if (pending.length === PENDING_MAX)
        throw new ServiceError(
          'RATE_LIMIT_EXCEEDED',
          `You have ${PENDING_MAX} requests that wait for an approval. Wait for their decisions.`,
        );
      work.insert(APPROVALS, row);
      deps.audit(work, {
        actor,
        action: 'approval.requested',
        resource: `approvals/${row.id}`,
        merchantId: row.merchant_id,
        after: auditFields(row),
      });
      publish(deps, work, row, now);
      work.afterCommit(() => deps.wake(EXPIRE_JOB, tenantId));
    });
  } catch (error) {
    const parallel = error instanceof UniqueViolation ? await findEarlier(deps, tenantId, row) : null;
    if (parallel === null) throw error;
    return parallel;
  }
  return toApproval(row, now);
}

/**
 * Returns the users behind a request, who cannot approve it. An amount above the limits of a key is no two-person rule: if nobody else could approve it,
 * the people who set the limits may, so that a single person can use a key that asks.
 */
async function requestersOf(
  { identity }: Dependencies,
  { tenantId, credentialId }: Actor,
  { kind, merchantId }: ApprovalSubject,
  permission: string,
): Promise<readonly string[]> {
  const requesters = await identity.peopleOf(tenantId, credentialId);
  if (kind !== 'key_limit') return requesters;
  const approvers = await identity.holders(tenantId, ['approvals:write', permission as Permission], merchantId);
  return approvers.some(({ userId }) => !requesters.includes(userId)) ? requesters : [];
}

/** Returns the approval that a request with the same Idempotency-Key got before; null if there is none. */
async function findEarlier(deps: Dependencies, tenantId: string, { request_key, fingerprint }: ApprovalRow): Promise<Approval | null> {
  if (request_key === null) return null;
  const earlier = await deps.database.read(tenantId).one(APPROVALS, { request_key });
  if (earlier === null) return null;
  if (earlier.fingerprint !== fingerprint)
    throw new ServiceError('RESOURCE_CONFLICT', 'This Idempotency-Key was used for another request.', { field: 'Idempotency-Key' });
  return toApproval(earlier, deps.clockOf(tenantId).now());
}
