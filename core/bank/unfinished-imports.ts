import { setTimeout as wait } from 'node:timers/promises';
import { LostRace, queriesOn, type Read, TENANT, timeOf, type Work } from '#core/database';
import { addDays, realNow, ServiceError } from '#core/kernel';
import { databaseNow, type Job } from '#core/platform/scheduling';
import { type Dependencies, pause } from './dependencies.ts';
import { restartSuggestions } from './matching/refresh.ts';
import { removeLines } from './remove-lines.ts';
import { BANK_STATEMENTS, type BankAccountRow, type BankStatementRow } from './schema.ts';

const UNFINISHED_JOB = 'bank.remove-unfinished-imports';
/** Time by the database's clock that a request has for each block of lines. */
export const READING_LEASE_MS = 60_000;
const CONCURRENCY = 2;
/** Longest time that an import waits for another one of its account. */
const WAIT_MS = 10_000;
const CHECK_MS = 50;

type UnfinishedStatement = Pick<BankStatementRow, 'id' | 'account_id' | 'fingerprint' | 'status' | 'sealed_number' | 'last4'> & {
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
  return rows.map(({ lease_ms, now, ...row }) => ({ ...row, isClaimed: Number(lease_ms) > Number(now) }));
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
  return {
    name: UNFINISHED_JOB,
    table: BANK_STATEMENTS,
    clock: 'real',
    concurrency: CONCURRENCY,
    leaseMs: READING_LEASE_MS,
    longestWaitMs: 3_600_000,
    async run(statement) {
      try {
        await removeStatement(deps, statement);
        return 'removed';
      } catch (error) {
        // Another run has claimed the statement, or its account was removed with it.
        if (error instanceof LostRace) return 'skipped';
        throw error;
      }
    },
  };
}

/** Removes a claimed statement: its lines in blocks, and its row with the last one. @throws LostRace. */
async function removeStatement(
  deps: Dependencies,
  { tenant_id, id, fence, account_id, merchant_id, ...days }: BankStatementRow,
): Promise<void> {
  const before = days.last_day === null ? '' : addDays(days.last_day, 1);
  for (let after: string | null = days.first_day ?? ''; after !== null; await pause()) {
    const from = after;
    const lease_ms = (await databaseNow(deps.database)) + READING_LEASE_MS;
    after = await deps.database.unitOfWork.transaction(tenant_id, async (work) => {
      await deps.lockMerchant(work, merchant_id);
      if ((await work.update(BANK_STATEMENTS, { id, fence }, { status: 'removing', lease_ms })) === 0)
        throw new LostRace('the statement was claimed by another run');
      await restartSuggestions(deps, work, account_id);
      const last = await removeLines(work, tenant_id, account_id, { statementId: id, after: from, before });
      if (last === null) await work.delete(BANK_STATEMENTS, { id });
      work.afterCommit(() => deps.changed(tenant_id, 'settlement', merchant_id));
      return last;
    });
  }
}

/** Ends the claim of a failed import, and removes its statement and lines. If that fails as well, the job does it when the lease ends. */
export async function abandonImport(deps: Dependencies, { tenant_id, id, fence }: BankStatementRow): Promise<void> {
  try {
    await deps.database.unitOfWork.transaction(tenant_id, (work) =>
      work.update(BANK_STATEMENTS, { id, fence }, { lease_ms: 0, due_ms: realNow() }),
    );
    await deps.scheduler.runOne(UNFINISHED_JOB, tenant_id, id);
  } catch {
    // The failure of the import is reported to the caller.
  }
}

const importing = (message: string) =>
  new ServiceError('RESOURCE_CONFLICT', message, {
    field: 'file',
    details: { reason: 'importing', status: 'reading', retryAfter: READING_LEASE_MS / 1_000 },
  });

/**
 * Returns when no other import of the account is unfinished: removes those whose request has ended, and waits for the others. @throws ServiceError
 * RESOURCE_CONFLICT if one of them reads the same file, or after ten seconds.
 */
export async function awaitOtherImports(deps: Dependencies, account: BankAccountRow, fingerprint: string): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += CHECK_MS) {
    await removeAbandonedImports(deps, account);
    const others = await unfinishedOf(deps, account);
    if (others.length === 0) return;
    if (others.some((other) => other.status === 'reading' && other.fingerprint === fingerprint))
      throw importing('This file is being imported. If that fails, it can be sent again in a minute.');
    if (waitedMs >= WAIT_MS)
      throw importing('Another statement of this bank account is being imported. Send the file again when that import is complete.');
    await wait(CHECK_MS);
  }
}

/** Removes the unfinished imports of an account that no request or job works on. */
export async function removeAbandonedImports(deps: Dependencies, account: BankAccountRow): Promise<void> {
  for (const { id, isClaimed } of await unfinishedOf(deps, account))
    if (!isClaimed) await deps.scheduler.runOne(UNFINISHED_JOB, account.tenant_id, id);
}

async function unfinishedOf(deps: Dependencies, { tenant_id, id, merchant_id }: BankAccountRow): Promise<UnfinishedStatement[]> {
  const unfinished = await unfinishedStatements(deps, deps.database.read(tenant_id), merchant_id);
  return unfinished.filter(({ account_id }) => account_id === id);
}
