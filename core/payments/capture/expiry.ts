import { ServiceError, serviceActor, tenantTime } from '#core/kernel';
import { type Job, released } from '#core/platform/scheduling';
import type { Dependencies } from '../dependencies.ts';
import { stateOf } from '../refund/eligibility.ts';
import { readTransaction } from '../repository.ts';
import { voidTransaction } from './change.ts';
import { AUTHORIZATION_LIFETIME_MS, EXPIRIES, type ExpiryRow } from './expiries.ts';

/** Delay before a failed void is retried. */
const RETRY_DELAY_MS = 3_600_000;
const CONCURRENCY = 8;
const LEASE_MS = 20_000;

/** Voids authorizations that were not captured within seven days, with the reason `authorization_expired`. */
export function expiryJob(deps: Dependencies): Job<ExpiryRow> {
  return {
    name: 'payments.expire-authorizations',
    table: EXPIRIES,
    clock: 'tenant',
    countedAs: 'expirations',
    concurrency: CONCURRENCY,
    leaseMs: LEASE_MS,
    async run({ tenant_id, id, fence }) {
      const transaction = await readTransaction(deps.database.read(tenant_id), id);
      const endsMs = Date.parse(transaction.created_at) + AUTHORIZATION_LIFETIME_MS;
      const now = deps.clockOf(tenant_id).now();
      if (now >= endsMs && stateOf(transaction) === 'authorized') {
        await voidTransaction(deps, serviceActor(tenant_id), { transactionId: id, reason: 'authorization_expired' }).catch(
          ignoreServiceError,
        );
      }
      const stateAfter = stateOf(await readTransaction(deps.database.read(tenant_id), id));
      await deps.database.unitOfWork.transaction(tenant_id, async (work) => {
        if (stateAfter === 'authorized')
          await work.update(EXPIRIES, { id, fence }, released(tenantTime(Math.max(endsMs, now + RETRY_DELAY_MS))));
        else await work.delete(EXPIRIES, { id, fence });
      });
      return stateAfter === 'voided' && stateOf(transaction) === 'authorized' ? 'expired' : 'skipped';
    },
  };
}

/** Ignores an error of the void, such as an unavailable gateway or another change in progress: the job retries it. */
function ignoreServiceError(error: unknown): void {
  if (!(error instanceof ServiceError)) throw error;
}
