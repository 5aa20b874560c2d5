import type { LoginContext, Principal } from '#core/access/identity';
import type { Work } from '#core/database';
import { type Actor, isoTime, type Permission, ServiceError, step } from '#core/kernel';
import { type Job, released } from '#core/platform/scheduling';
import { auditFields, publish, requesterUserIdsOf, toApproval } from './approval.ts';
import type { Dependencies } from './dependencies.ts';
import { findApproval } from './read.ts';
import type { Approval } from './records.ts';
import { EXPIRE_JOB } from './request.ts';
import { isPerson } from './rules.ts';
import { APPROVALS, type ApprovalRow } from './schema.ts';
import { APPROVAL_STEPS, type ApprovalOperation } from './steps.ts';

const CONCURRENCY = 4;
const LEASE_MS = 20_000;

/** Person who enters a PIN at the workstation of the requester. */
export interface PinApprover {
  readonly approverId: string;
  readonly pin: string;
}

/** Session of a decision. */
export interface DecisionContext extends LoginContext {
  /** True if the caller switched to the session with a PIN. */
  readonly byPin: boolean;
}

type Approver = Pick<Principal, 'credentialId' | 'name' | 'merchantId' | 'permissions' | 'byPin'>;

/**
 * Approves an operation: the caller of another session, or a person who enters a PIN at the requester's workstation. The operation then runs
 * once. An approved operation without a result, because the server was killed, is returned again.
 * @throws ServiceError PERMISSION_DENIED with `details.reason`; VALIDATION_ERROR on `pin`; RESOURCE_CONFLICT if it is decided or expired.
 */
export async function approve(
  deps: Dependencies,
  actor: Actor,
  approvalId: string,
  by: PinApprover | null,
  context: DecisionContext,
): Promise<Approval> {
  const row = await findApproval(deps, actor, approvalId);
  const approver = by === null ? { ...actor, byPin: context.byPin } : await approverByPin(deps, actor, row, by, context);
  checkMayApprove(row, approver);
  return decide(deps, row, 'approve', { ...actor, credentialId: approver.credentialId, name: approver.name }, () => ({
    decided_by: approver.name,
    decider_id: approver.credentialId,
    decided_via: by === null ? 'session' : 'pin',
  }));
}

/**
 * Rejects an operation: by a person who may approve it, or by its requester (for an API key, who made or last changed it), who does not need it any
 * more. Another person must say why, so that the requester knows what to change. @throws ServiceError as `approve()`; REQUIRED_FIELD_MISSING on `reason`.
 */
export async function reject(
  deps: Dependencies,
  actor: Actor,
  approvalId: string,
  reason: string | null,
  context: DecisionContext,
): Promise<Approval> {
  const row = await findApproval(deps, actor, approvalId);
  const isOwn = row.requester_id === actor.credentialId || requesterUserIdsOf(row).includes(actor.credentialId);
  const note = reason?.trim() || null;
  if (!isOwn) {
    checkMayApprove(row, { ...actor, byPin: context.byPin });
    if (note === null)
      throw new ServiceError('REQUIRED_FIELD_MISSING', '`reason` is required. Say why, so that the requester knows what to change.', {
        field: 'reason',
      });
  }
  return decide(deps, row, 'reject', actor, () => ({
    decided_by: actor.name,
    decider_id: actor.credentialId,
    decided_via: 'session',
    note,
    sealed_request: null,
  }));
}

/** Job that ends approvals whose time has passed. */
export function expireJob(deps: Dependencies): Job<ApprovalRow> {
  return {
    name: EXPIRE_JOB,
    table: APPROVALS,
    clock: 'tenant',
    concurrency: CONCURRENCY,
    leaseMs: LEASE_MS,
    nextDue: 'recorded',
    run: ({ tenant_id, id }) =>
      deps.database.unitOfWork.transaction(tenant_id, async (work) => {
        const row = await work.lockOne(APPROVALS, { id });
        if (row?.status !== 'pending') {
          await work.update(APPROVALS, { id }, released(null));
          return 'skipped';
        }
        await change(deps, work, row, 'expire', { sealed_request: null });
        return 'expired';
      }),
  };
}

/** Decides a pending approval under its lock, so that one of several simultaneous decisions wins. */
async function decide(
  deps: Dependencies,
  { tenant_id, id }: ApprovalRow,
  operation: 'approve' | 'reject',
  actor: Actor,
  setOf: (row: ApprovalRow) => Partial<ApprovalRow>,
): Promise<Approval> {
  return deps.database.unitOfWork.transaction(tenant_id, async (work) => {
    const row = await work.lockOne(APPROVALS, { id });
    if (!row) throw new ServiceError('NOT_FOUND', 'No approval has this ID.');
    const now = deps.clockOf(tenant_id).now();
    if (operation === 'approve' && row.status === 'approved' && row.executed_at === null) return toApproval(row, now);
    const isOver = row.status === 'pending' && row.expires_at <= isoTime(now);
    step(APPROVAL_STEPS, isOver ? 'expired' : row.status, operation, { approvalId: id });
    const changed = await change(deps, work, row, operation, { ...setOf(row), decided_at: isoTime(now) });
    deps.audit(work, {
      actor,
      action: `approval.${changed.status}`,
      resource: `approvals/${id}`,
      merchantId: row.merchant_id,
      after: auditFields(changed),
    });
    return toApproval(changed, now);
  });
}

async function change(
  deps: Dependencies,
  work: Work,
  row: ApprovalRow,
  operation: ApprovalOperation,
  set: Partial<ApprovalRow>,
): Promise<ApprovalRow> {
  const now = deps.clockOf(row.tenant_id).now();
  const status = step(APPROVAL_STEPS, row.status, operation);
  const changes = { ...set, status, ...released(null), updated_at: isoTime(now) };
  await work.update(APPROVALS, { id: row.id }, changes);
  const changed: ApprovalRow = { ...row, ...changes };
  publish(deps, work, changed, now);
  return changed;
}

async function approverByPin(
  deps: Dependencies,
  actor: Actor,
  row: ApprovalRow,
  { approverId, pin }: PinApprover,
  context: DecisionContext,
): Promise<Approver> {
  if (row.requester_id !== actor.credentialId)
    throw denied('A PIN is entered at the workstation of the person who made the request.', 'not_requester');
  return deps.identity.principalByPin(actor.tenantId, approverId, pin, context);
}

/** @throws ServiceError PERMISSION_DENIED with `details.reason` unless the person may approve the operation. */
function checkMayApprove(row: ApprovalRow, approver: Approver): void {
  if (!isPerson(approver)) throw denied('Only a person can approve. API keys can only make requests.', 'not_a_person');
  if (requesterUserIdsOf(row).includes(approver.credentialId))
    throw approver.credentialId === row.requester_id
      ? denied('You made this request. Another person must approve it.', 'own_request')
      : denied('You made or changed the API key that made this request. Another person must approve it.', 'own_request');
  if (approver.merchantId !== null && approver.merchantId !== row.merchant_id)
    throw denied('This request concerns more than your merchant.', 'other_merchant');
  for (const permission of ['approvals:write', row.permission] as Permission[])
    if (!approver.permissions.has(permission))
      throw new ServiceError('PERMISSION_DENIED', `Approving this requires the permission \`${permission}\`.`, { details: { permission } });
  if (row.kind === 'access_change' && approver.byPin)
    throw denied(
      'Changes of access are approved from a session that started with a password, not with a PIN.',
      'password_session_required',
    );
}

const denied = (message: string, reason: string) => new ServiceError('PERMISSION_DENIED', message, { details: { reason } });
