import { type Database, lit, queriesOn, TENANT, type Work } from '#core/database';
import { type Clock, ServiceError } from '#core/kernel';
import type { FraudSettings } from '#core/processing/merchants';
import { TRANSACTIONS } from '../schema.ts';
import { CARD_USES, type CardUseRow } from './schema.ts';

const queries = queriesOn(CARD_USES, TRANSACTIONS);

const HOUR_MS = 3_600_000;
/** Longer than any window of a rule. */
const USE_LIFETIME_MS = 2 * 24 * HOUR_MS;

/** Returns true if a merchant has a rule about earlier uses of a card. */
export function hasUseRules({ duplicateWindowSeconds, maxPerCardPerHour }: FraudSettings): boolean {
  return duplicateWindowSeconds > 0 || maxPerCardPerHour !== null;
}

/**
 * Records a use in the unit of work of its payment and returns the number of uses in the hour before. Requires the lock of the merchant's
 * row, so that parallel payments see each other. @throws ServiceError DUPLICATE_TRANSACTION with the earlier ID if the same card and amount
 * was charged, or is being charged, within the merchant's window.
 */
export async function recordUse(work: Work, settings: FraudSettings, use: CardUseRow): Promise<number> {
  const { merchant_id, fingerprint, at_ms, amount_minor, currency } = use;
  if (settings.duplicateWindowSeconds > 0) {
    const duplicate = await work.row(
      queries
        .selectFrom('card_uses as u')
        .innerJoin('transactions as t', (join) => join.onRef('t.tenant_id', '=', 'u.tenant_id').onRef('t.id', '=', 'u.id'))
        .select(['t.id', 't.created_at'])
        .where('u.tenant_id', '=', TENANT)
        .where('u.merchant_id', '=', merchant_id)
        .where('u.fingerprint', '=', fingerprint)
        .where('u.at_ms', '>', at_ms - settings.duplicateWindowSeconds * 1_000)
        .where('u.amount_minor', '=', amount_minor)
        .where('u.currency', '=', currency)
        .where('t.status', 'in', [lit('pending'), lit('approved')])
        .orderBy('u.at_ms', 'desc')
        .limit(1),
    );
    if (duplicate) {
      throw new ServiceError('DUPLICATE_TRANSACTION', 'This card was charged the same amount a short time ago. It was not charged again.', {
        details: { transactionId: duplicate.id, takenAt: duplicate.created_at, windowSeconds: settings.duplicateWindowSeconds },
      });
    }
  }
  const countRow = await work.row(
    queries
      .selectFrom('card_uses')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('tenant_id', '=', TENANT)
      .where('merchant_id', '=', merchant_id)
      .where('fingerprint', '=', fingerprint)
      .where('at_ms', '>', at_ms - HOUR_MS),
  );
  work.insert(CARD_USES, use);
  return Number(countRow?.n ?? 0);
}

/** Deletes uses that are older than any window. */
export async function deleteExpiredUses(database: Database, clockOf: (tenantId: string) => Clock, tenantId: string): Promise<void> {
  const expiredBefore = clockOf(tenantId).now() - USE_LIFETIME_MS;
  await database.unitOfWork.transaction(tenantId, (work) =>
    work.execute(queries.deleteFrom('card_uses').where('tenant_id', '=', TENANT).where('at_ms', '<=', expiredBefore)),
  );
}
