import type { Work } from '#core/database';
import { isoTime, type Money, money, storedCurrency, type TenantTime, toNumber } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import type { Approval } from './records.ts';
import type { ApprovalRow } from './schema.ts';

/** Returns the users behind a request: the user, or those who made or last changed the API key. */
export const requesterUserIdsOf = ({ requester_user_ids }: Pick<ApprovalRow, 'requester_user_ids'>): readonly string[] =>
  JSON.parse(requester_user_ids) as string[];

export const amountOf = ({ amount_minor, currency }: ApprovalRow): Money | null =>
  amount_minor === null || currency === null ? null : money(amount_minor, storedCurrency(currency));

/** Returns an approval in the form of the API. One whose time has passed is expired, even if the job has not run yet. */
export function toApproval(row: ApprovalRow, nowMs: TenantTime): Approval {
  const isOver = row.status === 'pending' && row.expires_at <= isoTime(nowMs);
  const amount = amountOf(row);
  return {
    approvalId: row.id,
    merchantId: row.merchant_id,
    kind: row.kind,
    status: isOver ? 'expired' : row.status,
    operation: row.operation,
    resource: row.resource,
    amount,
    currency: amount?.currency ?? null,
    reason: row.reason,
    requestReason: row.request_reason,
    details: JSON.parse(row.details) as Record<string, unknown>,
    requestedBy: row.requested_by,
    requesterId: row.requester_id,
    requesterUserIds: requesterUserIdsOf(row),
    decidedBy: row.decided_by,
    decidedAt: row.decided_at,
    decidedVia: row.decided_via,
    note: row.note,
    executedAt: row.executed_at,
    resultStatus: row.result_status,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
  };
}

/** Publishes a change of an approval to webhook endpoints and screens, in its unit of work. */
export function publish(deps: Dependencies, work: Work, row: ApprovalRow, atMs: TenantTime): void {
  const type = row.status === 'pending' ? 'approval.requested' : (`approval.${row.status}` as const);
  const amount = amountOf(row);
  deps.emit(work, {
    tenantId: row.tenant_id,
    merchantId: row.merchant_id ?? '',
    type,
    resourceId: row.id,
    atMs,
    data: {
      approvalId: row.id,
      kind: row.kind,
      resource: row.resource,
      amount,
      currency: row.currency,
      reason: row.reason,
      requestReason: row.request_reason,
      customerName: factOf(row, 'customerName'),
      requestedBy: row.requested_by,
      decidedBy: row.decided_by,
      expiresAt: row.expires_at,
    },
  });
  work.afterCommit(() => deps.changed(row.tenant_id, 'approvals', row.merchant_id));
}

/** Returns a text among the facts for the approver; null if it is absent. */
function factOf({ details }: Pick<ApprovalRow, 'details'>, name: string): string | null {
  const fact = (JSON.parse(details) as Record<string, unknown>)[name];
  return typeof fact === 'string' ? fact : null;
}

/** Returns the fields of an approval for the audit log. */
export const auditFields = (row: ApprovalRow) => ({
  status: row.status,
  kind: row.kind,
  operation: row.operation,
  resource: row.resource,
  amount: row.amount_minor === null ? undefined : `${toNumber(amountOf(row) as Money)} ${row.currency}`,
  requestedBy: row.requested_by,
  requestReason: row.request_reason ?? undefined,
  customerName: factOf(row, 'customerName') ?? undefined,
  ...(row.note !== null && { note: row.note }),
});
