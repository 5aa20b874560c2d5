import { isoTime, serviceActor, timeAfter } from '#core/kernel';
import { type Job, released } from '#core/platform/scheduling';
import { announce, changeBalance } from './card.ts';
import type { Dependencies } from './dependencies.ts';
import { dueTimeOf, EXPIRY_JOB } from './expiry.ts';
import { GIFT_CARDS, type GiftCardRow } from './schema.ts';

const CONCURRENCY = 8;
const LEASE_MS = 20_000;

/**
 * Job that moves the balance of a card whose last day has passed to an account of its own. The lock of the card decides between it and a payment, which checks the
 * last day as well. While the merchant's setting is off, cards lose their last day instead.
 */
export function expiryJob(deps: Dependencies): Job<GiftCardRow> {
  return {
    name: EXPIRY_JOB,
    table: GIFT_CARDS,
    clock: 'tenant',
    countedAs: 'expirations',
    concurrency: CONCURRENCY,
    leaseMs: LEASE_MS,
    nextDue: 'recorded',
    async run({ tenant_id, id, merchant_id }) {
      const merchant = await deps.merchantFor({ tenantId: tenant_id, merchantId: null }, merchant_id);
      return deps.database.unitOfWork.transaction(tenant_id, async (work) => {
        const row = await work.lockOne(GIFT_CARDS, { id });
        if (!row) return 'skipped';
        const now = deps.clockOf(tenant_id).now();
        const due = dueTimeOf(row, merchant);
        // It was spent or reloaded in the meantime, or the merchant moved to another time zone.
        if (due === null || due > now) {
          await work.update(GIFT_CARDS, { id }, released(due));
          return 'skipped';
        }
        const actor = serviceActor(tenant_id);
        if (merchant.vtSettings.giftCardExpiryMonths === null) {
          const atMs = timeAfter(now, row.updated_at);
          const set = { expires_on: null, updated_at: isoTime(atMs) };
          await work.update(GIFT_CARDS, { id }, { ...set, ...released(null) });
          announce(deps, work, 'gift_card.extended', {
            row: { ...row, ...set },
            actor,
            atMs,
            reason: 'The merchant has switched expiry off.',
            former: row,
          });
          return 'extended';
        }
        await changeBalance(deps, work, row, {
          kind: 'expired',
          changeMinor: -row.balance_minor,
          event: 'gift_card.expired',
          transfer: 'gift_card_expired',
          actor,
          subjectId: null,
          set: { status: 'expired' },
        });
        return 'expired';
      });
    },
  };
}
