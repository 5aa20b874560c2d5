import { type Refusal, refused, ServiceError, type Steps, step } from '#core/kernel';

/** Status of a dispute. `submitted` waits for the decision; `won`, `lost` and `accepted` are concluded. */
export const DISPUTE_STATUSES = ['retrieval', 'open', 'submitted', 'prearbitration', 'arbitration', 'won', 'lost', 'accepted'] as const;
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

/** Stage of the card scheme's procedure that a dispute has reached. It stays while the evidence of the stage is `submitted`. */
export const DISPUTE_STAGES = ['retrieval', 'chargeback', 'prearbitration', 'arbitration'] as const;
export type DisputeStage = (typeof DISPUTE_STAGES)[number];

/**
 * `chargeBack`, `prearbitrate` and `arbitrate` are moves of the payer's bank, `submit`, `reopen` and `accept` those of the merchant, `win` and
 * `lose` the decision.
 */
export type DisputeOperation = 'chargeBack' | 'submit' | 'reopen' | 'accept' | 'prearbitrate' | 'arbitrate' | 'win' | 'lose';

const conflict = (message: string, reason: string) => refused('RESOURCE_CONFLICT', message, reason);
const chargedBack = conflict('This payment was already charged back in this dispute.', 'charged_back');
const submitted = conflict('The evidence of this stage was already submitted. The decision is pending.', 'submitted');
const notSubmitted = conflict('The payer’s bank can escalate a dispute only after evidence was submitted.', 'not_submitted');
const awaited = conflict('The evidence of this stage was not submitted. The dispute awaits a response.', 'not_submitted');
const noMoney = conflict('This is an inquiry, and nothing was charged back. Submit evidence, or refund the payment.', 'retrieval');
const concluded = (outcome: string) => conflict(`This dispute is ${outcome}. It is concluded.`, outcome);

const closed = (outcome: 'lost' | 'accepted') => ({
  chargeBack: concluded(outcome),
  submit: concluded(outcome),
  reopen: concluded(outcome),
  accept: concluded(outcome),
  prearbitrate: concluded(outcome),
  arbitrate: concluded(outcome),
  win: concluded(outcome),
  lose: concluded(outcome),
});

/** Transition table of disputes. A refusal has the error code for the caller. */
export const DISPUTE_STEPS = {
  retrieval: {
    chargeBack: 'open',
    submit: 'submitted',
    reopen: awaited,
    accept: noMoney,
    prearbitrate: notSubmitted,
    arbitrate: notSubmitted,
    win: 'won',
    lose: noMoney,
  },
  open: {
    chargeBack: chargedBack,
    submit: 'submitted',
    reopen: awaited,
    accept: 'accepted',
    prearbitrate: notSubmitted,
    arbitrate: notSubmitted,
    win: 'won',
    lose: 'lost',
  },
  submitted: {
    // Of an inquiry only; see `nextStatus`.
    chargeBack: 'open',
    submit: submitted,
    // Back to the status of its stage; see `nextStatus`.
    reopen: 'open',
    accept: 'accepted',
    prearbitrate: 'prearbitration',
    arbitrate: 'arbitration',
    win: 'won',
    lose: 'lost',
  },
  prearbitration: {
    chargeBack: chargedBack,
    submit: 'submitted',
    reopen: awaited,
    accept: 'accepted',
    prearbitrate: conflict('This dispute is in pre-arbitration already.', 'prearbitration'),
    arbitrate: 'arbitration',
    win: 'won',
    lose: 'lost',
  },
  arbitration: {
    chargeBack: chargedBack,
    submit: 'submitted',
    reopen: awaited,
    accept: 'accepted',
    prearbitrate: conflict('This dispute is in arbitration, which follows pre-arbitration.', 'arbitration'),
    arbitrate: conflict('This dispute is in arbitration already.', 'arbitration'),
    win: 'won',
    lose: 'lost',
  },
  won: {
    // Of an inquiry only: after its response the payment may still be charged back.
    chargeBack: 'open',
    submit: concluded('won'),
    reopen: concluded('won'),
    accept: concluded('won'),
    // The payer's bank can reject the evidence after the money was returned.
    prearbitrate: 'prearbitration',
    arbitrate: concluded('won'),
    win: concluded('won'),
    lose: concluded('won'),
  },
  lost: closed('lost'),
  accepted: closed('accepted'),
} satisfies Steps<DisputeStatus, DisputeOperation>;

/** Statuses of disputes that are not concluded. */
export const ACTIVE_STATUSES = ['retrieval', 'open', 'submitted', 'prearbitration', 'arbitration'] as const satisfies DisputeStatus[];

/** Statuses in which the merchant must respond before the due date. */
export const DUE_STATUSES = ['retrieval', 'open', 'prearbitration', 'arbitration'] as const satisfies DisputeStatus[];

const ACTIVE: ReadonlySet<DisputeStatus> = new Set(ACTIVE_STATUSES);
const DUE: ReadonlySet<DisputeStatus> = new Set(DUE_STATUSES);

export const isActive = (status: DisputeStatus) => ACTIVE.has(status);
export const awaitsResponse = (status: DisputeStatus) => DUE.has(status);

/** Status of each stage while the merchant must respond. */
const AWAITING: Readonly<Record<DisputeStage, DisputeStatus>> = {
  retrieval: 'retrieval',
  chargeback: 'open',
  prearbitration: 'prearbitration',
  arbitration: 'arbitration',
};

/** Returns the refusal of an operation that depends on whether the money was charged back: the table alone does not know it. */
function refusalByStage(stage: DisputeStage, operation: DisputeOperation): Refusal | null {
  if (operation === 'chargeBack') return stage === 'retrieval' ? null : chargedBack;
  if (stage !== 'retrieval') return null;
  if (operation === 'accept' || operation === 'lose') return noMoney;
  return operation === 'prearbitrate' || operation === 'arbitrate' ? notSubmitted : null;
}

/** Returns the status after an operation. @throws ServiceError RESOURCE_CONFLICT with `details.reason` if it is not allowed. */
export function nextStatus(
  { status, stage }: { readonly status: DisputeStatus; readonly stage: DisputeStage },
  operation: DisputeOperation,
): DisputeStatus {
  const next = step<DisputeStatus, DisputeOperation>(DISPUTE_STEPS, status, operation, { status });
  const refusal = refusalByStage(stage, operation);
  if (refusal === null) return operation === 'reopen' ? AWAITING[stage] : next;
  throw new ServiceError(refusal.code, refusal.message, { details: { status, reason: refusal.reason } });
}

/** Returns the stage after an operation of the payer's bank; the others do not change the stage. */
export function stageAfter(stage: DisputeStage, operation: DisputeOperation): DisputeStage {
  if (operation === 'chargeBack') return 'chargeback';
  if (operation === 'prearbitrate') return 'prearbitration';
  return operation === 'arbitrate' ? 'arbitration' : stage;
}

/**
 * Returns the amount that is withheld from the merchant after an operation, in minor units: a chargeback and a pre-arbitration withhold the
 * disputed amount, and a decision returns a part of it. @param returnedMinor Part that a decision returns; by default everything for a won
 * dispute, and nothing for a lost one.
 */
export function withheldAfter(
  operation: DisputeOperation,
  { withheld_minor: withheld, amount_minor: amount }: { readonly withheld_minor: number; readonly amount_minor: number },
  returnedMinor?: number,
): number {
  if (operation === 'chargeBack' || operation === 'prearbitrate') return amount;
  if (operation === 'win') return withheld - (returnedMinor ?? withheld);
  return operation === 'lose' ? withheld - (returnedMinor ?? 0) : withheld;
}

/** Returns the amount that the decision returned to the merchant, in minor units; an escalation withholds it again. */
export function returnedAfter(operation: DisputeOperation, returned: number, withheldBefore: number, withheldAfterwards: number): number {
  if (operation === 'win' || operation === 'lose') return withheldBefore - withheldAfterwards;
  return operation === 'chargeBack' || operation === 'prearbitrate' ? 0 : returned;
}
