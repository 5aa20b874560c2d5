import type { Writer } from '#core/database';
import { dateIn, formatDecimal, isoTime, money, storedCurrency } from '#core/kernel';
import type { Merchant } from '#core/processing/merchants';
import type { AuditActor, NewEntry } from '#core/records/audit';
import type { PartTransferKind, Post, Transfer, TransferKind } from '#core/records/ledger';
import { countFurtherPayment, countMovement } from './aggregates/daily-aggregates.ts';
import { PART_NAMES, type PartColumns, partsOf } from './parts/parts.ts';
import type { AttemptRow, RefundRow, TransactionRow } from './schema.ts';

/** Returns the actor who requested an attempt. */
export function actorOfAttempt({ tenant_id: tenantId, actor: name, actor_id, approved_by, ip, request_id }: AttemptRow): AuditActor {
  const approval = approved_by === null ? undefined : { approvedBy: approved_by };
  return { tenantId, credentialId: actor_id ?? name, name, approval, ip, requestId: request_id ?? '' };
}

/** Returns the audit entry of a finished attempt: request, actor and result. */
export function auditEntryOf(attempt: AttemptRow, row: TransactionRow, result: string): NewEntry {
  const { operation, refund_id, gateway, processor_ref } = attempt;
  const refund = refund_id !== null;
  const isNewSale = operation === 'sale' || operation === 'auth';
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
      ...(isNewSale &&
        row.discount_minor > 0 && { discountAmount: formatDecimal(money(row.discount_minor, storedCurrency(row.currency))) }),
      ...(isNewSale && row.discount_approved_by !== null && { discountApprovedBy: row.discount_approved_by }),
      ...(row.decline_code !== null && !refund ? { declineCode: row.decline_code } : {}),
    },
  };
}

/** Returns the ledger transfer of an attempt. It has the ID of the attempt, so that it cannot be posted twice. */
export function transferOf<Kind extends TransferKind>(
  merchant: Merchant,
  attempt: AttemptRow,
  subjectId: string,
  kind: Kind,
  amountMinor: number,
  atMs: number,
): Transfer & { readonly kind: Kind } {
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

/** Movements of payments that carry the parts of their amount, and the ending of the kinds of those parts. */
const PART_ENDINGS = {
  capture: '',
  capture_reversed: '_reversed',
  refund: '_refunded',
  refund_outside: '_refunded',
  store_credit_refund: '_refunded',
} as const;
type MovementWithParts = keyof typeof PART_ENDINGS;

/** Posts a movement of a payment to the ledger with the parts of its amount. */
export function postWithParts(
  { post }: { readonly post: Post },
  writer: Writer,
  transfer: Transfer & { readonly kind: MovementWithParts },
  partsOfAmount: PartColumns,
): void {
  const { kind, amount } = transfer;
  const parts = partsOf(partsOfAmount);
  post(writer, transfer);
  for (const name of PART_NAMES) {
    const part: PartTransferKind = `${name}${PART_ENDINGS[kind]}`;
    if (parts[name] > 0)
      post(writer, {
        ...transfer,
        id: `${transfer.id}-${name}`,
        kind: part,
        amount: money(parts[name], amount.currency),
        orderPart: null,
      });
  }
}

/**
 * Posts a movement of a payment to the ledger with the parts of its amount, and counts it on its day. A refund is counted as full or partial.
 */
export function postMovement(
  deps: { readonly post: Post },
  writer: Writer,
  transfer: Transfer & { readonly kind: Exclude<MovementWithParts, 'store_credit_refund'> | 'credit' },
  payment: TransactionRow,
  partsOfAmount: PartColumns,
  refund?: Pick<RefundRow, 'type'>,
): void {
  const { kind, amount, day, orderPart = null } = transfer;
  if (kind === 'credit') deps.post(writer, transfer);
  else postWithParts(deps, writer, { ...transfer, kind }, partsOfAmount);
  countMovement(writer, payment, kind, { amount: amount.minor, parts: partsOf(partsOfAmount) }, day, refund);
  if (orderPart === 'further' && (kind === 'capture' || kind === 'capture_reversed')) countFurtherPayment(writer, payment, kind, day);
}
