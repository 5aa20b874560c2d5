import type { Work } from '#core/database';
import { type Actor, ApprovalRequired, type ApprovalSubject, type GivenApproval, isoTime, ServiceError } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import type { ApprovalRules } from './records.ts';
import { needsRules, reasonFor, rulesOf, timeLimitOf } from './rules.ts';
import { APPROVALS } from './schema.ts';

/** Permissions of a person who may approve changes of access. */
const ACCESS_APPROVER = ['approvals:write', 'users:write'] as const;

/**
 * Checks in the unit of work of an operation that it needs no second person, or that it runs under an approval, which it uses up in the same
 * commit. An approved operation therefore takes effect at most once.
 * @throws ApprovalRequired; RESOURCE_CONFLICT if the approval was used up or does not cover the amount.
 */
export async function checkApproval(deps: Dependencies, work: Work, actor: Actor, subject: ApprovalSubject): Promise<void> {
  if (actor.approval) return consumeApproval(work, actor.approval, subject, isoTime(deps.clockOf(actor.tenantId).now()));
  const needed = await neededApproval(deps, work, actor, subject);
  if (needed === null) return;
  const { rules, reason } = needed;
  if (subject.kind === 'access_change' && !(await hasSecondPerson(deps, actor, subject.merchantId))) return;
  throw new ApprovalRequired(subject, reason, timeLimitOf(rules, actor));
}

/**
 * Returns the reason why an operation needs a second person, whether or not it runs under an approval, with the rules of its merchant; null if it
 * needs none.
 */
export async function neededApproval(
  deps: Pick<Dependencies, 'clockOf' | 'environmentOf'>,
  work: Work,
  actor: Actor,
  subject: ApprovalSubject,
): Promise<{ readonly reason: string; readonly rules: ApprovalRules } | null> {
  if (!needsRules(actor)) return null;
  const rules = await rulesOf(deps, work, actor.tenantId, subject.kind === 'access_change' ? null : subject.merchantId);
  const reason = reasonFor(rules, subject, actor, deps.clockOf(actor.tenantId).now());
  return reason === null ? null : { reason, rules };
}

/**
 * Returns true if another person could approve a change of access. Without a second person the account could never be changed again. A single person
 * cannot cause this, because removing a person or a right needs an approval as well.
 */
export async function hasSecondPerson(
  { identity }: Pick<Dependencies, 'identity'>,
  { tenantId, credentialId }: Pick<Actor, 'tenantId' | 'credentialId'>,
  merchantId: string | null,
): Promise<boolean> {
  const requesters = await identity.peopleOf(tenantId, credentialId);
  const people = await identity.holders(tenantId, ACCESS_APPROVER, merchantId);
  return people.some(({ userId }) => !requesters.includes(userId));
}

async function consumeApproval(work: Work, { approvalId, runId }: GivenApproval, subject: ApprovalSubject, at: string): Promise<void> {
  const row = await work.lockOne(APPROVALS, { id: approvalId });
  if (row?.status !== 'approved' || (row.run_id !== null && row.run_id !== runId))
    throw new ServiceError('RESOURCE_CONFLICT', 'This approval was used already.', { details: { reason: 'approval_used' } });
  const { amount } = subject;
  const isCovered = amount === null || (row.amount_minor !== null && row.currency === amount.currency && amount.minor <= row.amount_minor);
  if (!isCovered)
    throw new ServiceError('RESOURCE_CONFLICT', 'The amount is above the approved one, because the payment changed in the meantime.', {
      details: { reason: 'approval_amount' },
    });
  if (row.run_id === null) await work.update(APPROVALS, { id: approvalId }, { run_id: runId, updated_at: at });
}
