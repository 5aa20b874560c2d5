import type { Work } from '#core/database';
import { dateIn, formatDecimal, isoTime, money, newId, ServiceError, storedCurrency, type TenantTime, timeAfter } from '#core/kernel';
import { released } from '#core/platform/scheduling';
import type { ShiftPlace } from '#core/processing/domain-events';
import type { AuditActor } from '#core/records/audit';
import type { GiftCardTransferKind } from '#core/records/ledger';
import { countGiftCard } from '#core/sales/payments';
import type { Dependencies } from './dependencies.ts';
import { dueTimeOf, EXPIRY_JOB, expiresOnAfter } from './expiry.ts';
import type { GiftCard } from './records.ts';
import { GIFT_CARD_ENTRIES, GIFT_CARDS, type GiftCardEntryKind, type GiftCardRow } from './schema.ts';

export function toGiftCard(row: GiftCardRow): GiftCard {
  const currency = storedCurrency(row.currency);
  return {
    giftCardId: row.id,
    merchantId: row.merchant_id,
    kind: row.kind,
    status: row.status,
    balance: money(row.balance_minor, currency),
    currency,
    lastCharacters: row.last4,
    customerId: row.customer_id,
    replacedBy: row.replaced_by,
    blockReason: row.block_reason,
    expiresOn: row.expires_on,
    expiredAmount: money(row.expired_minor, currency),
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export const giftCardNotFound = (giftCardId: string) =>
  new ServiceError('NOT_FOUND', `There is no gift card ${giftCardId.slice(0, 60)}.`, { details: { giftCardId: giftCardId.slice(0, 60) } });

/** Returns a locked card. @throws ServiceError NOT_FOUND. */
export async function lockCard(work: Work, id: string): Promise<GiftCardRow> {
  const row = await work.lockOne(GIFT_CARDS, { id });
  if (row === null) throw giftCardNotFound(id);
  return row;
}

export type GiftCardEvent =
  | 'gift_card.issued'
  | 'gift_card.loaded'
  | 'gift_card.reduced'
  | 'gift_card.redeemed'
  | 'gift_card.refunded'
  | 'gift_card.blocked'
  | 'gift_card.unblocked'
  | 'gift_card.replaced'
  | 'gift_card.assigned'
  | 'gift_card.expired'
  | 'gift_card.extended'
  | 'gift_card.reinstated'
  | 'gift_card.canceled';

interface Announcement {
  readonly row: GiftCardRow;
  readonly actor: AuditActor;
  readonly atMs: TenantTime;
  /** Change of the balance, in minor units. */
  readonly changeMinor?: number;
  readonly reason?: string | null;
  /** Customer and last day before the change, if the change is about them. */
  readonly former?: Pick<GiftCardRow, 'customer_id' | 'expires_on'> | null;
}

/** Emits an event about a card, writes it to the audit log and announces the change, in the unit of work of the change. */
export function announce(
  { emit, audit, changed }: Pick<Dependencies, 'emit' | 'audit' | 'changed'>,
  work: Work,
  type: GiftCardEvent,
  { row, actor, atMs, changeMinor = 0, reason = null, former = null }: Announcement,
): void {
  const { tenant_id: tenantId, merchant_id: merchantId, id: giftCardId } = row;
  const currency = storedCurrency(row.currency);
  const data = {
    giftCardId,
    kind: row.kind,
    status: row.status,
    lastCharacters: row.last4,
    changeAmount: money(changeMinor, currency),
    balance: money(row.balance_minor, currency),
    currency,
    customerId: row.customer_id,
    expiresOn: row.expires_on,
  };
  emit(work, { tenantId, merchantId, resourceId: giftCardId, atMs, type, data });
  audit(work, {
    actor,
    action: type,
    resource: `gift-cards/${giftCardId}`,
    merchantId,
    ...(former !== null && { before: termsOf(former) }),
    after: {
      status: row.status,
      lastCharacters: row.last4,
      changeAmount: formatDecimal(money(changeMinor, currency)),
      balance: formatDecimal(money(row.balance_minor, currency)),
      currency,
      ...(row.customer_id !== null && { customerId: row.customer_id }),
      ...(row.expires_on !== null && { expiresOn: row.expires_on }),
      ...(former !== null && termsOf(row)),
      ...(reason !== null && { reason }),
    },
  });
  work.afterCommit(() => changed(tenantId, 'gift-cards', merchantId));
}

const termsOf = ({ customer_id: customerId, expires_on: expiresOn }: Pick<GiftCardRow, 'customer_id' | 'expires_on'>) => ({
  customerId,
  expiresOn,
});

interface Change {
  readonly kind: GiftCardEntryKind;
  /** Below zero to lower the balance, in minor units. */
  readonly changeMinor: number;
  readonly event: GiftCardEvent | null;
  /** Ledger transfer of the change; null if a tender posts it, and for movements between cards. */
  readonly transfer: GiftCardTransferKind | null;
  readonly actor: AuditActor;
  readonly subjectId: string | null;
  /** Shift whose report counts a sold card. */
  readonly place?: ShiftPlace;
  readonly reason?: string | null;
  /** Further columns that change with the balance. */
  readonly set?: Partial<GiftCardRow>;
}

/**
 * Changes the balance of a locked card, with its entry, its expiry, the ledger, the audit log and the event. An expired card that gets an amount is active again.
 * Returns the changed card.
 */
export async function changeBalance(deps: Dependencies, work: Work, row: GiftCardRow, change: Change): Promise<GiftCardRow> {
  const { kind, changeMinor, event, transfer, actor, subjectId, place = null, reason = null } = change;
  const now = timeAfter(deps.clockOf(row.tenant_id).now(), row.updated_at);
  const at = isoTime(now);
  const balance_minor = row.balance_minor + changeMinor;
  const merchant = await deps.merchantFor({ tenantId: row.tenant_id, merchantId: null }, row.merchant_id);
  const isNew = event === 'gift_card.issued';
  // A new card that gets a refund never expires, as store credit does not.
  const load = { kind, isNew, hasNoTerms: transfer === 'gift_card_imported' || (isNew && kind === 'refunded') };
  const set = {
    ...(row.status === 'expired' && changeMinor > 0 && { status: 'active' as const }),
    expires_on: changeMinor > 0 ? expiresOnAfter(row, load, merchant, now) : row.expires_on,
    expired_minor: row.expired_minor - (kind === 'expired' || kind === 'reinstated' ? changeMinor : 0),
    ...change.set,
    balance_minor,
    updated_at: at,
  };
  const next: GiftCardRow = { ...row, ...set };
  const due = released(dueTimeOf(next, merchant));
  await work.update(GIFT_CARDS, { id: row.id }, { ...set, ...due });
  if (due.due_ms !== null) work.afterCommit(() => deps.scheduler.wake(EXPIRY_JOB, row.tenant_id));
  const id = newId('gce', now);
  work.insert(GIFT_CARD_ENTRIES, {
    tenant_id: row.tenant_id,
    id,
    gift_card_id: row.id,
    kind,
    amount_minor: changeMinor,
    balance_minor,
    subject_id: subjectId,
    reason,
    created_by: actor.name,
    approved_by: actor.approval?.approvedBy ?? null,
    created_at: at,
  });
  if (transfer !== null) {
    const moved = {
      tenantId: row.tenant_id,
      merchantId: row.merchant_id,
      amount: money(Math.abs(changeMinor), storedCurrency(row.currency)),
      day: dateIn(merchant.timezone, now),
    };
    deps.post(work, { ...moved, id, kind: transfer, subjectId: subjectId ?? row.id, at });
    if (transfer === 'gift_card_sold' || transfer === 'gift_card_taken_back') {
      countGiftCard(work, transfer, moved);
      await deps.shifts.addGiftCard(work, actor, merchant, { id, kind: transfer, place, amount: moved.amount, now });
    }
  }
  const former = event === 'gift_card.issued' || next.expires_on === row.expires_on ? null : row;
  if (event !== null) announce(deps, work, event, { row: next, actor, atMs: now, changeMinor, reason, former });
  return next;
}
