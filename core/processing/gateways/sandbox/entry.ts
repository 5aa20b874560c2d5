import { randomInt } from 'node:crypto';
import { isoTime, type Money, money, newId } from '#core/kernel';
import { last4Of } from '#core/records/vault';
import type { ChargeRequest } from '../connector.ts';
import type { DeclineCode } from '../decline-codes.ts';
import type { Outcome } from '../outcome.ts';
import type { TerminalOperation } from '../terminals.ts';
import type { LedgerRow } from './ledger.ts';
import { decline, type SandboxDecision } from './outcomes.ts';

type DecidedResult = { kind: 'approved' | 'declined' } & Partial<LedgerRow>;

/** Parts of a request that its ledger entry has. */
type RecordedRequest = Pick<ChargeRequest, 'tenantId' | 'processorRef' | 'amount'> & {
  readonly original?: { readonly processorRef: string };
};

/** Returns the ledger entry of a request and its result. */
export function newEntry(request: RecordedRequest, operation: string, outcome: DecidedResult, nowMs: number): LedgerRow {
  const { kind, ...rest } = outcome;
  return {
    tenant_id: request.tenantId,
    processor_ref: request.processorRef,
    reference: newId('pay', nowMs).replace('pay_', 'sbx_'),
    operation,
    original_ref: request.original?.processorRef ?? null,
    amount_minor: request.amount.minor,
    currency: request.amount.currency,
    approved: kind === 'approved' ? 1 : 0,
    auth_code: null,
    avs_response: null,
    cvv_response: null,
    decline_code: null,
    refund_rule: null,
    last4: null,
    at: isoTime(nowMs),
    ...rest,
  };
}

/** Returns the ledger entry of a new payment. */
export function paymentEntry(
  operation: TerminalOperation,
  charge: ChargeRequest,
  { outcome, refundRule }: SandboxDecision,
  nowMs: number,
): LedgerRow {
  const approved = outcome.kind === 'approved';
  const decided = {
    kind: outcome.kind,
    auth_code: approved && operation !== 'credit' ? String(randomInt(100_000, 1_000_000)) : null,
    avs_response: outcome.avsResponse ?? null,
    cvv_response: outcome.cvvResponse ?? null,
    decline_code: outcome.kind === 'declined' ? outcome.declineCode : null,
    refund_rule: refundRule,
    ...(outcome.kind === 'approved' && outcome.charged && { amount_minor: outcome.charged.amount.minor }),
    last4: last4Of(charge.source),
  };
  return newEntry(charge, operation, decided, nowMs);
}

/** Returns the outcome of an entry, also for later inquiries: of a part, if the entry has less than the requested amount. */
export function outcomeOf(row: LedgerRow, requested?: Money): Outcome {
  const checks = { avsResponse: row.avs_response ?? undefined, cvvResponse: row.cvv_response ?? undefined };
  if (row.approved === 0) return decline((row.decline_code ?? 'card_declined') as DeclineCode, checks);
  const isPart = requested !== undefined && row.amount_minor < requested.minor;
  const charged = isPart ? { charged: { amount: money(row.amount_minor, requested.currency) } } : {};
  return { kind: 'approved', reference: row.reference, authCode: row.auth_code ?? undefined, ...checks, ...charged };
}
