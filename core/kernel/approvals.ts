import { ServiceError } from './errors.ts';
import type { Money } from './money.ts';

export const APPROVAL_KINDS = [
  'refund',
  'void',
  'unlinked_credit',
  'tip',
  'pay_out',
  'drawer_opening',
  'discount',
  'gift_card',
  'access_change',
  'key_limit',
] as const;
/** Reason for which an operation needs a second person: one of the approval rules, or the spending limits of an API key. */
export type ApprovalKind = (typeof APPROVAL_KINDS)[number];

/** An operation that may need a second person, as the approver sees it. */
export interface ApprovalSubject {
  readonly kind: ApprovalKind;
  /** Merchant of the operation; null for the whole tenant. */
  readonly merchantId: string | null;
  /** Path of the resource below /api/v1, such as `transactions/txn_…`. */
  readonly resource: string;
  /** Amount that the operation moves; null if it moves none. An approval never covers a larger one. */
  readonly amount: Money | null;
  /** Price before a discount, or the amount that a tip is added to, of which the rules compare the percentage. */
  readonly price?: Money;
  /** Tip of the payment. A refund with it is the lowering of a tip, and needs an approval only if this tip is above the limit. */
  readonly tip?: Money;
  /** Sum of the refunds of the payment, of the pay-outs of the drawer's day, or of the merchant's gifts of the day, with this one, which the rules compare. */
  readonly total?: Money;
  /** Sum of the merchant's credits of the day with this one, which the rule for refunds compares too. */
  readonly creditsOfDay?: Money;
  /** Time of the payment that is voided, ISO 8601. */
  readonly paidAt?: string;
  /** Further facts for the approver, without secrets. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** Facts of a payment for the approver of its refund, and the sum that was returned of it before, in minor units. */
export interface RefundFacts {
  readonly details: ApprovalSubject['details'];
  readonly returnedMinor: number;
}

/** The approval under which an operation runs. */
export interface GivenApproval {
  readonly approvalId: string;
  /** ID of this run. The first run that commits uses the approval up. */
  readonly runId: string;
  readonly approverId: string;
  /** Name of the approver, for histories and the audit log. */
  readonly approvedBy: string;
}

/**
 * Thrown inside of a unit of work, which is rolled back, if an operation needs the approval of a second person. Operations that cannot wait,
 * such as a step of a batch, are refused with it.
 */
export class ApprovalRequired extends ServiceError {
  readonly subject: ApprovalSubject;
  /** Sentence that explains why the operation needs an approval. */
  readonly rule: string;
  /** Time until the request for an approval expires. */
  readonly expiresInMs: number;

  constructor(subject: ApprovalSubject, rule: string, expiresInMs: number) {
    super('PERMISSION_DENIED', `${rule} A second person must approve it.`, {
      details: { reason: 'approval_required', kind: subject.kind },
    });
    this.subject = subject;
    this.rule = rule;
    this.expiresInMs = expiresInMs;
  }
}
