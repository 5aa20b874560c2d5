import { dueColumns, integer, type RowOf, table, text } from '#core/database';
import type { ApprovalKind, TenantTime } from '#core/kernel';
import type { ApprovalStatus, DECIDED_VIA } from './records.ts';

/** Requests for the approval of a second person. `due_ms` is the time at which a pending one expires, in the tenant's time. */
export const APPROVALS = table(
  'approvals',
  {
    tenant_id: text,
    id: text,
    /** Merchant of the operation; null for the whole tenant. */
    merchant_id: text.optional,
    kind: text.of<ApprovalKind>(),
    status: text.of<ApprovalStatus>(),
    /** ID of the route of the operation. */
    operation: text,
    /** Permission of the operation, which the approver needs as well. */
    permission: text,
    resource: text,
    /** Largest amount that the approval covers; null if the operation moves none. */
    amount_minor: integer.optional,
    currency: text.optional,
    /** Sentence that explains why an approval is needed. */
    reason: text,
    /** Reason that the requester gave; null if none. */
    request_reason: text.optional,
    /** JSON object with further facts for the approver. */
    details: text,
    requested_by: text,
    /** ID of the user or API key. */
    requester_id: text,
    /** JSON array of the IDs of the users behind the request: the user, or those who made or last changed the API key. */
    requester_user_ids: text,
    /** The request as it was sent, encrypted; removed when nothing can run any more. */
    sealed_request: text.optional,
    /** Idempotency-Key of the request with the ID of its credential, and its fingerprint. */
    request_key: text.optional,
    fingerprint: text.optional,
    decided_by: text.optional,
    decider_id: text.optional,
    decided_at: text.optional,
    /** `pin`: the approver entered a PIN at the workstation of the requester. */
    decided_via: text.of<(typeof DECIDED_VIA)[number]>().optional,
    /** Reason of a rejection. */
    note: text.optional,
    /** ID of the run whose unit of work was committed. */
    run_id: text.optional,
    /** HTTP status of the response of the operation; null until it has run. */
    result_status: integer.optional,
    /** The response, encrypted, for the requester only. */
    sealed_result: text.optional,
    executed_at: text.optional,
    expires_at: text,
    ...dueColumns<TenantTime>(),
    created_at: text,
    updated_at: text,
  },
  {
    key: ['tenant_id', 'id'],
    unique: [['tenant_id', 'request_key']],
    indexes: [
      { name: 'approvals_by_status', columns: ['tenant_id', 'status', 'id'] },
      { name: 'approvals_by_requester', columns: ['tenant_id', 'requester_id', 'id'] },
      { name: 'approvals_due', columns: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' },
    ],
  },
);

export type ApprovalRow = RowOf<typeof APPROVALS>;

/** Approval rules of a merchant, or of the whole account with the scope `*`, which apply to merchants without their own. */
export const APPROVAL_RULES = table(
  'approval_rules',
  {
    tenant_id: text,
    /** ID of the merchant, or `*`. */
    scope: text,
    /** Decimal amount in `currency`. */
    refund_above: text.optional,
    /** Decimal amount in `currency`. */
    pay_out_above: text.optional,
    /** Currency of `refund_above` and `pay_out_above`; null while both are. */
    currency: text.optional,
    void_after_minutes: integer.optional,
    unlinked_credit: integer,
    drawer_opening: integer,
    /** Hundredths of a percent; null if the rule is off. */
    discount_above: integer.optional,
    /** Hundredths of a percent; null if the rule is off. */
    max_tip: integer.optional,
    access_changes: integer,
    person_seconds: integer,
    key_seconds: integer,
    approvers_exempt: integer,
    updated_by: text,
    updated_at: text,
  },
  { key: ['tenant_id', 'scope'] },
);

export type ApprovalRulesRow = RowOf<typeof APPROVAL_RULES>;
