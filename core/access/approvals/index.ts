import type { PageRequest, Work } from '#core/database';
import type { Actor, ApprovalRequired, ApprovalSubject, StoredResponse } from '#core/kernel';
import type { Scheduler } from '#core/platform/scheduling';
import { getRules, putRules, type RulesChange } from './change-rules.ts';
import { checkApproval, neededApproval } from './check.ts';
import { approve, type DecisionContext, expireJob, type PinApprover, reject } from './decide.ts';
import type { Dependencies } from './dependencies.ts';
import { type ApprovalFilter, approversOf, get, page } from './read.ts';
import { type RequestedOperation, requestApproval } from './request.ts';
import { rulesOf } from './rules.ts';
import { approvedRequest, cleanUp, finishRun, resultFor } from './run.ts';
import { APPROVAL_RULES, APPROVALS } from './schema.ts';

export {
  APPROVAL_STATUSES,
  AppliedRules,
  Approval,
  ApprovalWithResult,
  RequiredApproval,
  RULE_FIELDS,
} from './records.ts';

export const TABLES = [APPROVALS, APPROVAL_RULES];

export type Approvals = ReturnType<typeof createApprovals>;

/** Checks an operation in its unit of work. @throws ApprovalRequired if a second person must approve it. */
export type CheckApproval = (work: Work, actor: Actor, subject: ApprovalSubject) => Promise<void>;

/** Returns the reason why an operation needs a second person, as a sentence; null if it needs none. */
export type ReasonForApproval = (work: Work, actor: Actor, subject: ApprovalSubject) => Promise<string | null>;

type ApprovalsOptions = Omit<Dependencies, 'wake'> & { readonly scheduler: Scheduler };

/** Approvals of operations by a second person. */
export function createApprovals({ scheduler, ...options }: ApprovalsOptions) {
  const deps: Dependencies = { ...options, wake: scheduler.wake };
  scheduler.register(expireJob(deps));
  return {
    check: ((work, actor, subject) => checkApproval(deps, work, actor, subject)) satisfies CheckApproval,
    reasonFor: (async (work, actor, subject) =>
      (await neededApproval(deps, work, actor, subject))?.reason ?? null) satisfies ReasonForApproval,
    /** Returns true while changes of access need two people. */
    coverAccess: async (tenantId: string) => (await rulesOf(deps, deps.database.read(tenantId), tenantId, null)).accessChanges,
    /** Returns the percentage above which a tip needs a second person; null if none does. */
    maxTipPercent: async (tenantId: string, merchantId: string) =>
      (await rulesOf(deps, deps.database.read(tenantId), tenantId, merchantId)).maxTipPercent,
    request: (actor: Actor, operation: RequestedOperation, required: ApprovalRequired) => requestApproval(deps, actor, operation, required),
    approve: (actor: Actor, approvalId: string, by: PinApprover | null, context: DecisionContext) =>
      approve(deps, actor, approvalId, by, context),
    reject: (actor: Actor, approvalId: string, note: string | null, context: DecisionContext) =>
      reject(deps, actor, approvalId, note, context),
    approvedRequest: (tenantId: string, approvalId: string) => approvedRequest(deps, tenantId, approvalId),
    finish: (tenantId: string, approvalId: string, response: StoredResponse | null) => finishRun(deps, tenantId, approvalId, response),
    resultFor: (actor: Actor, approvalId: string) => resultFor(deps, actor, approvalId),
    get: (actor: Actor, approvalId: string) => get(deps, actor, approvalId),
    page: (actor: Actor, filter: ApprovalFilter, pageRequest: PageRequest) => page(deps, actor, filter, pageRequest),
    approversOf: (actor: Actor, approvalId: string) => approversOf(deps, actor, approvalId),
    rules: (actor: Actor, merchantId: string | null) => getRules(deps, actor, merchantId),
    changeRules: (actor: Actor, merchantId: string | null, change: RulesChange) => putRules(deps, actor, merchantId, change),
    /** Step of the hourly clean-up for a tenant. */
    cleanUp: (tenantId: string) => cleanUp(deps, tenantId),
  };
}
