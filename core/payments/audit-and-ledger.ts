import type { AuditActor, NewEntry } from '#core/audit';
import { dateIn, formatDecimal, isoTime, money, storedCurrency } from '#core/kernel';
import type { Transfer, TransferKind } from '#core/ledger';
import type { Merchant } from '#core/merchants';
import type { AttemptRow, TransactionRow } from './schema.ts';

/** Returns the actor who requested an attempt. */
export function actorOfAttempt({ tenant_id: tenantId, actor: name, actor_id, ip, request_id }: AttemptRow): AuditActor {
  return { tenantId, credentialId: actor_id ?? name, name, ip, requestId: request_id ?? '' };
}

/** Returns the audit entry of a finished attempt: request, actor and result. */
export function auditEntryOf(attempt: AttemptRow, row: TransactionRow, result: string): NewEntry {
  const { operation, refund_id, gateway, processor_ref } = attempt;
  const refund = refund_id !== null;
  return {
    actor: actorOfAttempt(attempt),
    action: `transaction.${refund ? 'refund' : operation}`,
    resource: refund ? `refunds/${refund_id}` : `transactions/${row.id}`,
    merchantId: row.merchant_id,
    after: {
      result,
      amount: formatDecimal(money(attempt.amount_minor, storedCurrency(attempt.currency))),
      currency: attempt.currency,
      gateway,
      processorRef: processor_ref,
      ...(refund ? { transactionId: row.id } : { status: row.status }),
      ...(row.decline_code !== null && !refund ? { declineCode: row.decline_code } : {}),
    },
  };
}

/** Returns the ledger transfer of an attempt. It has the ID of the attempt, so that it cannot be posted twice. */
export function transferOf(
  merchant: Merchant,
  attempt: AttemptRow,
  subjectId: string,
  kind: TransferKind,
  amountMinor: number,
  atMs: number,
): Transfer {
  return {
    tenantId: attempt.tenant_id,
    merchantId: merchant.merchantId,
    id: attempt.id,
    kind,
    amount: money(amountMinor, storedCurrency(attempt.currency)),
    subjectId,
    day: dateIn(merchant.timezone, atMs),
    at: isoTime(atMs),
  };
}
