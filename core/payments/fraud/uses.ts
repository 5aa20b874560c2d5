import type { Database, Work } from '#core/database';
import { type Clock, ServiceError } from '#core/kernel';
import type { FraudSettings } from '#core/merchants';
import { CARD_USES, type CardUseRow } from './schema.ts';

const HOUR_MS = 3_600_000;
/** Longer than any window that can be set. */
const KEPT_MS = 2 * 24 * HOUR_MS;

/** Whether a merchant has a rule that looks at earlier uses of a card. */
export function countsUses({ duplicateWindowSeconds, maxPerCardPerHour }: FraudSettings): boolean {
  return duplicateWindowSeconds > 0 || maxPerCardPerHour !== null;
}

/**
 * Notes a use in the work that writes its payment and answers how many there were in the hour before. DUPLICATE_TRANSACTION with the earlier
 * one's id when the same card and amount was taken, or is being taken, within the merchant's window. The caller holds the merchant's row, so
 * that two at once see each other.
 */
export async function noteUse(work: Work, settings: FraudSettings, use: CardUseRow): Promise<number> {
  const { merchant_id, fingerprint, at_ms, amount_minor, currency } = use;
  if (settings.duplicateWindowSeconds > 0) {
    const [twin] = await work.all<{ id: string; created_at: string }>(
      `SELECT t.id, t.created_at FROM card_uses u JOIN transactions t ON t.tenant_id = u.tenant_id AND t.id = u.id
       WHERE u.tenant_id = :tenantId AND u.merchant_id = :merchant_id AND u.fingerprint = :fingerprint AND u.at_ms > :after
         AND u.amount_minor = :amount_minor AND u.currency = :currency AND t.status IN ('pending', 'approved')
       ORDER BY u.at_ms DESC LIMIT 1`,
      { merchant_id, fingerprint, amount_minor, currency, after: at_ms - settings.duplicateWindowSeconds * 1_000 },
    );
    if (twin) {
      throw new ServiceError('DUPLICATE_TRANSACTION', 'The same card paid the same amount a moment ago; it was not charged again.', {
        details: { transactionId: twin.id, takenAt: twin.created_at, windowSeconds: settings.duplicateWindowSeconds },
      });
    }
  }
  const [counted] = await work.all<{ n: number }>(
    'SELECT count(*) AS n FROM card_uses WHERE tenant_id = :tenantId AND merchant_id = :merchant_id AND fingerprint = :fingerprint AND at_ms > :after',
    { merchant_id, fingerprint, after: at_ms - HOUR_MS },
  );
  work.insert(CARD_USES, use);
  return counted?.n ?? 0;
}

/** Forgets uses that no window reaches any more. */
export async function sweepUses(database: Database, clockOf: (tenantId: string) => Clock, tenantId: string): Promise<void> {
  const before = clockOf(tenantId).now() - KEPT_MS;
  await database.unitOfWork.run(tenantId, (work) =>
    work.run('DELETE FROM card_uses WHERE tenant_id = :tenantId AND at_ms <= :before', { before }),
  );
}
