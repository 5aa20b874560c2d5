import { LostRace, queriesOn, TENANT, type Work } from '#core/database';
import { type Actor, isoTime, realNow, ServiceError } from '#core/kernel';
import { databaseNow } from '#core/platform/scheduling';
import { checkedName, presentAccount, toAccounts } from './accounts.ts';
import { accountOf, type Dependencies, pause } from './dependencies.ts';
import { SUGGEST_JOB } from './matching/refresh.ts';
import type { BankAccount } from './records.ts';
import { REMOVED_BLOCK, removeLines } from './remove-lines.ts';
import { BANK_ACCOUNTS, BANK_MATCHES, BANK_STATEMENTS, type BankAccountRow } from './schema.ts';
import { removeAbandonedImports, unfinishedStatements } from './unfinished-imports.ts';

/** Time by the database's clock for each block of lines of a removed account. */
const LEASE_MS = 120_000;

export interface AccountChange {
  readonly name: string;
  /** Name that the caller has read, so that a change by another person is not overwritten. */
  readonly previousName?: string | undefined;
}

/**
 * Renames a bank account. @throws ServiceError NOT_FOUND, REQUIRED_FIELD_MISSING, VALIDATION_ERROR; RESOURCE_CONFLICT with the present name if it is
 * not `previousName`.
 */
export async function renameAccount(deps: Dependencies, actor: Actor, accountId: string, input: AccountChange): Promise<BankAccount> {
  const account = await accountOf(deps, actor, accountId);
  const name = checkedName(input.name);
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    await deps.lockMerchant(work, account.merchant_id);
    const before = await presentAccount(work, accountId);
    if (input.previousName !== undefined && input.previousName !== before.name)
      throw new ServiceError('RESOURCE_CONFLICT', `This bank account was renamed to ${before.name} in the meantime. Load it again.`, {
        field: 'previousName',
        details: { reason: 'changed_meanwhile', name: before.name },
      });
    if (name === before.name) return;
    await work.update(BANK_ACCOUNTS, { id: accountId }, { name });
    deps.audit(work, {
      actor,
      action: 'bank_account.updated',
      resource: `settlement/bank-accounts/${accountId}`,
      merchantId: account.merchant_id,
      before: { name: before.name },
      after: { name },
    });
    work.afterCommit(() => deps.changed(actor.tenantId, 'settlement', account.merchant_id));
  });
  const [renamed] = await toAccounts(deps.database.read(actor.tenantId), [await accountOf(deps, actor, accountId)]);
  return renamed as BankAccount;
}

/**
 * Removes a bank account with its lines and statements. The account is gone with the commit; if it has many lines, the job deletes the rest of them.
 * `openLines` is the number of lines that the caller expects: lines of an import that completed since are not removed unseen. @throws ServiceError
 * NOT_FOUND; RESOURCE_CONFLICT with `details.reason`: `matched` if a line has or had a match, `importing` while a statement is imported, `lines` with
 * `details.openLines` if the account has another number of lines.
 */
export async function removeAccount(deps: Dependencies, actor: Actor, accountId: string, expectedLines = 0): Promise<BankAccount> {
  const account = await accountOf(deps, actor, accountId);
  await removeAbandonedImports(deps, account);
  return deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    await deps.lockMerchant(work, account.merchant_id);
    const present = await presentAccount(work, accountId);
    const [shown] = (await toAccounts(work, [present])) as [BankAccount];
    await checkRemovable(deps, work, shown, expectedLines);
    await work.delete(BANK_STATEMENTS, { account_id: accountId });
    await removeLines(work, actor.tenantId, accountId);
    // The counters of the lines stay, at zero.
    if (shown.openLines > REMOVED_BLOCK) await keepForJob(work, present, isoTime(deps.clockOf(actor.tenantId).now()));
    else await work.delete(BANK_ACCOUNTS, { id: accountId });
    deps.audit(work, {
      actor,
      action: 'bank_account.deleted',
      resource: `settlement/bank-accounts/${accountId}`,
      merchantId: account.merchant_id,
      before: { name: shown.name, currency: shown.currency, last4: shown.last4, openLines: shown.openLines },
    });
    work.afterCommit(() => {
      deps.scheduler.wake(SUGGEST_JOB, actor.tenantId);
      deps.changed(actor.tenantId, 'settlement', account.merchant_id);
    });
    return shown;
  });
}

async function checkRemovable(
  deps: Dependencies,
  work: Work,
  { bankAccountId, merchantId, openLines, matchedLines }: BankAccount,
  expectedLines: number,
): Promise<void> {
  const refuse = (reason: 'importing' | 'matched' | 'lines', message: string, more: Record<string, unknown> = {}) =>
    new ServiceError('RESOURCE_CONFLICT', message, { details: { reason, ...more } });
  const unfinished = await unfinishedStatements(deps, work, merchantId);
  if (unfinished.some(({ account_id }) => account_id === bankAccountId))
    throw refuse('importing', 'A statement of this bank account is being imported. Remove the account when the import is complete.');
  if (matchedLines > 0)
    throw refuse('matched', 'This bank account has matched lines, which belong to the books. It cannot be removed.', { matchedLines });
  if (await hasMatches(work, bankAccountId))
    throw refuse('matched', 'Lines of this bank account were matched, and their movements belong to the books. It cannot be removed.', {
      matchedLines,
    });
  if (openLines !== expectedLines)
    throw refuse('lines', `This bank account has ${openLines} open lines. Confirm with \`openLines\` that they are removed too.`, {
      openLines,
    });
}

/** Returns true if a line of an account has a match, also one of a part or an undone one: movements of the ledger name these lines. */
async function hasMatches(work: Work, accountId: string): Promise<boolean> {
  const match = queriesOn(BANK_MATCHES)
    .selectFrom('bank_matches')
    .select('id')
    .where('tenant_id', '=', TENANT)
    .where('account_id', '=', accountId)
    .limit(1);
  return (await work.row(match)) !== null;
}

/** Keeps the row of a removed account, without its number, until the job has deleted its lines. A run of the job loses its claim. */
async function keepForJob(work: Work, { id, fence }: BankAccountRow, removed_at: string): Promise<void> {
  const removed = { removed_at, sealed_number: null, last4: null };
  await work.update(BANK_ACCOUNTS, { id }, { ...removed, due_ms: realNow(), lease_ms: 0, fence: Number(fence) + 1 });
}

/** Deletes the remaining lines of a removed account in blocks, and the account with the last ones. @throws LostRace if another run has claimed it. */
export async function deleteRemovedAccount(deps: Dependencies, account: BankAccountRow): Promise<void> {
  const { tenant_id, id, fence, merchant_id } = account;
  for (let isMore = true; isMore; await pause()) {
    const lease_ms = (await databaseNow(deps.database)) + LEASE_MS;
    isMore = await deps.database.unitOfWork.transaction(tenant_id, async (work) => {
      await deps.lockMerchant(work, merchant_id);
      if ((await work.update(BANK_ACCOUNTS, { id, fence }, { lease_ms })) === 0)
        throw new LostRace('the account was claimed by another run');
      const last = await removeLines(work, tenant_id, id);
      if (last === null) await work.delete(BANK_ACCOUNTS, { id });
      work.afterCommit(() => deps.changed(tenant_id, 'settlement', merchant_id));
      return last !== null;
    });
  }
}
