import { queriesOn, TENANT, type Writer } from '#core/database';
import { bind, idFloor } from '#core/kernel';
import { claimDiscount, reclaimDiscount } from './claim.ts';
import type { Dependencies } from './dependencies.ts';
import { grantDiscount } from './grant.ts';
import { DISCOUNTS, type DiscountUse, RELEASE_DISCOUNT } from './schema.ts';

export { type DiscountColumns, NO_DISCOUNT, type PaymentDiscount } from './claim.ts';
export type { DiscountResult } from './dependencies.ts';
export { Discount } from './records.ts';

export const TABLES = [DISCOUNTS];

/** Retention of granted discounts. Payments keep the name of the approver. */
const KEPT_MS = 30 * 86_400_000;

export type Discounts = ReturnType<typeof createDiscounts>;

/** Discounts that are granted before their payment, with the approval of a second person if a rule requires it. */
export function createDiscounts(deps: Dependencies) {
  return {
    ...bind(deps, { grant: grantDiscount, claim: claimDiscount, reclaim: reclaimDiscount }),
    /** Opens the discount of a declined or failed payment again, in the unit of work that stores the decline. */
    release: (writer: Writer, use: DiscountUse) => writer.apply(RELEASE_DISCOUNT, use),
    /** Step of the hourly clean-up for a tenant: removes discounts that are older than 30 days. */
    async cleanUp(tenantId: string): Promise<void> {
      const before = idFloor('dct', deps.clockOf(tenantId).now() - KEPT_MS);
      await deps.database.unitOfWork.transaction(tenantId, (work) =>
        work.execute(queriesOn(DISCOUNTS).deleteFrom('discounts').where('tenant_id', '=', TENANT).where('id', '<', before)),
      );
    },
  };
}
