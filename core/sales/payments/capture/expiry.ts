import { lit, queriesOn, TENANT } from '#core/database';
import { type Actor, later, ServiceError, serviceActor, tenantTime } from '#core/kernel';
import { type Job, released } from '#core/platform/scheduling';
import type { Dependencies } from '../dependencies.ts';
import { stateOf } from '../eligibility.ts';
import { EXPIRIES, type ExpiryRow } from '../outcomes/expiries.ts';
import type { Transaction } from '../records.ts';
import { readTransaction } from '../repository.ts';
import { TRANSACTIONS } from '../schema.ts';
import { AUTHORIZATION_LIFETIME_MS, toTransaction } from '../transaction.ts';
import { voidTransaction } from './change.ts';

const queries = queriesOn(EXPIRIES, TRANSACTIONS);

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

/** Time before the expiry of an authorization from which it needs attention. */
const WARNED_BEFORE_MS = 2 * 86_400_000;
const EXPIRING_MAX = 100;

/** Returns the open authorizations of the merchants in the caller's scope that expire within two days, the most urgent first, at most 100. */
export async function expiringAuthorizations(deps: Dependencies, actor: Actor, merchantId?: string): Promise<Transaction[]> {
  const { merchantId: scope } =
    merchantId === undefined && actor.merchantId === null ? { merchantId: null } : await deps.merchantFor(actor, merchantId);
  const read = deps.database.read(actor.tenantId);
  const soon = later(deps.clockOf(actor.tenantId).now(), WARNED_BEFORE_MS);
  const due = queries
    .selectFrom('authorization_expiries as expiry')
    .innerJoin('transactions as payment', (join) =>
      join.onRef('payment.tenant_id', '=', 'expiry.tenant_id').onRef('payment.id', '=', 'expiry.id'),
    )
    .select(['payment.id as id', 'expiry.due_ms as due'])
    .where('expiry.tenant_id', '=', TENANT)
    .where('expiry.due_ms', '<=', soon)
    .where('payment.status', '=', lit('approved'))
    .where('payment.captured_minor', '=', lit(0))
    .orderBy('expiry.due_ms')
    .limit(EXPIRING_MAX);
  const rows = await read.rows(scope === null ? due : due.where('payment.merchant_id', '=', scope));
  const found = await Promise.all(rows.map(({ id }) => readTransaction(read, id)));
  return found.map(toTransaction);
}

/** Ignores an error of the void, such as an unavailable gateway or another change in progress: the job retries it. */
function ignoreServiceError(error: unknown): void {
  if (!(error instanceof ServiceError)) throw error;
}
