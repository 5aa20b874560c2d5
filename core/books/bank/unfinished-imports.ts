import { queriesOn, type Read, TENANT, timeOf, type Work } from '#core/database';
import { addDays } from '#core/kernel';
import { abandonImport, awaitUnfinished, type ImportKind, removalJob } from '#core/platform/imports';
import type { Job } from '#core/platform/scheduling';
import type { Dependencies } from './dependencies.ts';
import { restartSuggestions } from './matching/refresh.ts';
import { removeLines } from './remove-lines.ts';
import { BANK_STATEMENTS, type BankAccountRow, type BankStatementRow } from './schema.ts';

export const STATEMENTS: ImportKind<BankStatementRow> = { name: 'bank.remove-unfinished-imports', table: BANK_STATEMENTS, leaseMs: 60_000 };

type UnfinishedStatement = Pick<
  BankStatementRow,
  'id' | 'account_id' | 'fingerprint' | 'status' | 'sealed_number' | 'last4' | 'lease_ms'
> & {
  /** True while a request reads the statement, or the job removes it. */
  readonly isClaimed: boolean;
};

/** Returns the statements of a merchant that are not complete, which are few. */
export async function unfinishedStatements({ database }: Dependencies, read: Read, merchantId: string): Promise<UnfinishedStatement[]> {
  const rows = await read.rows(
    queriesOn(BANK_STATEMENTS)
      .selectFrom('bank_statements')
      .select(['id', 'account_id', 'fingerprint', 'status', 'sealed_number', 'last4', 'lease_ms', timeOf(database).as('now')])
      .where('tenant_id', '=', TENANT)
      .where('due_ms', 'is not', null)
      .where('merchant_id', '=', merchantId),
  );
  return rows.map(({ now, ...row }) => ({ ...row, isClaimed: Number(row.lease_ms) > Number(now) }));
}

/** Returns the numbers that accounts of a merchant take when their first import is complete, by account. */
export async function claimedNumbers(
  deps: Dependencies,
  work: Work,
  merchantId: string,
): Promise<Map<string, Pick<BankStatementRow, 'sealed_number' | 'last4'>>> {
  const claims = (await unfinishedStatements(deps, work, merchantId)).filter(
    ({ isClaimed, status, sealed_number }) => isClaimed && status === 'reading' && sealed_number !== null,
  );
  return new Map(claims.map(({ account_id, sealed_number, last4 }) => [account_id, { sealed_number, last4 }]));
}

/** Job that removes the statements of imports that failed or whose server ended, with their lines. */
export function unfinishedImportsJob(deps: Dependencies): Job<BankStatementRow> {
  return removalJob(deps, {
    ...STATEMENTS,
    concurrency: 2,
    lock: (work, { merchant_id }) => deps.lockMerchant(work, merchant_id),
    async removeBlock(work, { tenant_id, id, account_id, merchant_id, first_day, last_day }, after) {
      await restartSuggestions(deps, work, account_id);
      const before = last_day === null ? '' : addDays(last_day, 1);
      const last = await removeLines(work, tenant_id, account_id, { statementId: id, after: after ?? first_day ?? '', before });
      work.afterCommit(() => deps.changed(tenant_id, 'settlement', merchant_id));
      return last;
    },
  });
}

/** Removes the statement of a failed import with its lines. */
export const abandonStatement = (deps: Dependencies, failed: BankStatementRow): Promise<void> => abandonImport(deps, STATEMENTS, failed);

/** Waits for the other imports of an account. @throws ServiceError RESOURCE_CONFLICT */
export const awaitOtherImports = (deps: Dependencies, account: BankAccountRow, fingerprint: string): Promise<void> =>
  awaitUnfinished(deps, STATEMENTS, { tenantId: account.tenant_id, fingerprint }, () => unfinishedOf(deps, account));

/** Removes the unfinished imports of an account that no request or job works on. */
export async function removeAbandonedImports(deps: Dependencies, account: BankAccountRow): Promise<void> {
  for (const { id } of await unfinishedOf(deps, account)) await deps.scheduler.runOne(STATEMENTS.name, account.tenant_id, id);
}

async function unfinishedOf(deps: Dependencies, { tenant_id, id, merchant_id }: BankAccountRow): Promise<UnfinishedStatement[]> {
  const unfinished = await unfinishedStatements(deps, deps.database.read(tenant_id), merchant_id);
  return unfinished.filter(({ account_id }) => account_id === id);
}
