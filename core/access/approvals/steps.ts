import { refused, type Steps } from '#core/kernel';
import type { ApprovalStatus } from './records.ts';

/** `approve` and `reject` are decisions of a person, `expire` happens at the end of the time limit. */
export type ApprovalOperation = 'approve' | 'reject' | 'expire';

const concluded = (status: Exclude<ApprovalStatus, 'pending'>) => {
  const refusal = refused('RESOURCE_CONFLICT', `This approval is ${status}. Request a new one.`, status);
  return { approve: refusal, reject: refusal, expire: refusal };
};

/** Transition table of approvals. */
export const APPROVAL_STEPS: Steps<ApprovalStatus, ApprovalOperation> = {
  pending: { approve: 'approved', reject: 'rejected', expire: 'expired' },
  approved: concluded('approved'),
  rejected: concluded('rejected'),
  expired: concluded('expired'),
};
