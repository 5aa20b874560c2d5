import { ServiceError, serviceActor, tenantTime } from '#core/kernel';
import { type Job, released } from '#core/platform/scheduling';
import type { Dependencies } from '../dependencies.ts';
import { stateOf } from '../refund/eligibility.ts';
import { readTransaction } from '../repository.ts';
import { voidTransaction } from './change.ts';
import { EXPIRIES, type ExpiryRow, HOLD_MS } from './expiries.ts';

/** A void that could not be made is tried again after this. */
const AGAIN_MS = 3_600_000;
const AT_ONCE = 8;
const LEASE_MS = 20_000;

/** Voids authorizations that were not captured within seven days, with the reason `authorization_expired`. */
export function expiryJob(deps: Dependencies): Job<ExpiryRow> {
  return {
    name: 'payments.expire-authorizations',
    table: EXPIRIES,
    clock: 'tenant',
    counts: 'expirations',
    atOnce: AT_ONCE,
    leaseMs: LEASE_MS,
    async run({ tenant_id, id, fence }) {
      const found = await readTransaction(deps.database.read(tenant_id), id);
      const endsMs = Date.parse(found.created_at) + HOLD_MS;
      const now = deps.clockOf(tenant_id).now();
      if (now >= endsMs && stateOf(found) === 'authorized') {
        await voidTransaction(deps, serviceActor(tenant_id), { transactionId: id, reason: 'authorization_expired' }).catch(passing);
      }
      const left = stateOf(await readTransaction(deps.database.read(tenant_id), id));
      await deps.database.unitOfWork.run(tenant_id, async (work) => {
        if (left === 'authorized') await work.update(EXPIRIES, { id, fence }, released(tenantTime(Math.max(endsMs, now + AGAIN_MS))));
        else await work.delete(EXPIRIES, { id, fence });
      });
      return left === 'voided' && stateOf(found) === 'authorized' ? 'expired' : 'skipped';
    },
  };
}

/** A gateway that is away or another change under way: it is tried again. */
function passing(error: unknown): void {
  if (!(error instanceof ServiceError)) throw error;
}
