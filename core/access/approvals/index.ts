import type { Work } from '#core/database';
import { type Actor, type ApprovalSubject, bind } from '#core/kernel';
import type { Scheduler } from '#core/platform/scheduling';
import { getRules, putRules } from './change-rules.ts';
import { checkApproval, neededApproval } from './check.ts';
import { approve, expireJob, reject } from './decide.ts';
import type { Dependencies } from './dependencies.ts';
import { approversOf, get, page, requestsOfDay } from './read.ts';
import { requestApproval } from './request.ts';
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
    ...bind(deps, {
      request: requestApproval,
      approve,
      reject,
      approvedRequest,
      finish: finishRun,
      resultFor,
      get,
      page,
      approversOf,
      requestsOfDay,
    }),
    ...bind(deps, { rules: getRules, changeRules: putRules }),
    ...bind(deps, { cleanUp }),
  };
}
