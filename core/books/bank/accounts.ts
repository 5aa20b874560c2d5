import type { Read, Work } from '#core/database';
import { type Actor, type Caller, type Currency, isoTime, isStorable, newId, parseCurrency, ServiceError } from '#core/kernel';
import { hasValidCheckDigits, isSameAccount, plainNumber } from './account-numbers.ts';
import { type Dependencies, noAccount } from './dependencies.ts';
import type { BankAccount } from './records.ts';
import { BANK_ACCOUNTS, BANK_LINE_COUNTS, BANK_STATEMENTS, type BankAccountRow } from './schema.ts';
import { claimedNumbers } from './unfinished-imports.ts';

/** Purpose under which an account number is encrypted. */
const purposeOf = (accountId: string) => `bank account ${accountId}`;
const NAME_MAX = 80;
const NUMBER = /^[A-Z0-9]{4,40}$/;

export interface AccountInput {
  readonly merchantId?: string;
  readonly name: string;
  readonly currency?: string;
  readonly accountNumber?: string;
}

/**
 * Checks that no other bank account of the merchant in the same currency has a number, or is about to take it from its first statement: the lines of a
 * statement would be added to both. The caller has locked the merchant. @throws ServiceError RESOURCE_CONFLICT with `details.bankAccountId`.
 */
export async function checkNumberIsFree(
  deps: Dependencies,
  work: Work,
  account: Pick<BankAccountRow, 'id' | 'merchant_id' | 'currency'>,
  number: string,
): Promise<void> {
  const plain = plainNumber(number);
  const { merchant_id, currency } = account;
  const others = (await work.find(BANK_ACCOUNTS, { merchant_id, currency, removed_at: null })).filter(({ id }) => id !== account.id);
  const claims = await claimedNumbers(deps, work, merchant_id);
  for (const other of others) {
    const numbered = { ...other, ...claims.get(other.id) };
    const known = numbered.last4 === plain.slice(-4) ? await openNumber(deps, numbered) : null;
    if (known === null) continue;
    if (isSameAccount(known, number))
      throw new ServiceError('RESOURCE_CONFLICT', `The bank account ${other.name} has this number already.`, {
        field: 'accountNumber',
        details: { bankAccountId: other.id },
      });
  }
}

/** Returns a name without spaces around it. @throws ServiceError REQUIRED_FIELD_MISSING, VALIDATION_ERROR. */
export function checkedName(given: string): string {
  const name = given.trim();
  if (name === '') throw new ServiceError('REQUIRED_FIELD_MISSING', '`name` is required.', { field: 'name' });
  if (name.length > NAME_MAX || !isStorable(name))
    throw new ServiceError('VALIDATION_ERROR', `\`name\` must have at most ${NAME_MAX} characters.`, { field: 'name' });
  return name;
}

/**
 * Creates a bank account of a merchant. @throws ServiceError REQUIRED_FIELD_MISSING, VALIDATION_ERROR, INVALID_CURRENCY; RESOURCE_CONFLICT if the
 * merchant has a bank account with the number.
 */
export async function createAccount(deps: Dependencies, actor: Actor, input: AccountInput): Promise<BankAccount> {
  const merchant = await deps.merchantFor(actor, input.merchantId);
  const name = checkedName(input.name);
  const currency = input.currency === undefined ? merchant.currency : parseCurrency(input.currency);
  const number = input.accountNumber === undefined || input.accountNumber.trim() === '' ? null : plainNumber(input.accountNumber);
  if (number !== null && !NUMBER.test(number))
    throw new ServiceError('VALIDATION_ERROR', '`accountNumber` must be an account number or an IBAN of 4 to 40 letters and digits.', {
      field: 'accountNumber',
    });
  if (number !== null && !hasValidCheckDigits(number))
    throw new ServiceError('VALIDATION_ERROR', 'The check digits of this IBAN are wrong. Compare it with a statement.', {
      field: 'accountNumber',
    });
  const now = deps.clockOf(actor.tenantId).now();
  const id = newId('bac', now);
  const row: BankAccountRow = {
    tenant_id: actor.tenantId,
    id,
    merchant_id: merchant.merchantId,
    name,
    currency,
    ...(number === null ? { sealed_number: null, last4: null } : await sealedNumber(deps, actor.tenantId, id, number)),
    created_at: isoTime(now),
    created_by: actor.name,
    removed_at: null,
    due_ms: null,
    due_from: null,
    lease_ms: 0,
    fence: 0,
  };
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    if (number !== null) {
      await deps.lockMerchant(work, merchant.merchantId);
      await checkNumberIsFree(deps, work, row, number);
    }
    work.insert(BANK_ACCOUNTS, row);
    deps.audit(work, {
      actor,
      action: 'bank_account.created',
      resource: `settlement/bank-accounts/${id}`,
      merchantId: merchant.merchantId,
      after: { name, currency, last4: row.last4 },
    });
    work.afterCommit(() => deps.changed(actor.tenantId, 'settlement', merchant.merchantId));
  });
  return toAccount(row, null, { open: 0, matched: 0 });
}

/** Returns the columns of an account number: sealed, and its last four characters. */
export async function sealedNumber(
  deps: Dependencies,
  tenantId: string,
  accountId: string,
  number: string,
): Promise<{ readonly sealed_number: string; readonly last4: string }> {
  const plain = plainNumber(number);
  return { sealed_number: await deps.secrets.seal(tenantId, purposeOf(accountId), plain), last4: plain.slice(-4) };
}

/** Returns the number of an account; null if it is not known yet. */
export async function openNumber(
  deps: Dependencies,
  row: Pick<BankAccountRow, 'tenant_id' | 'id' | 'sealed_number'>,
): Promise<string | null> {
  return row.sealed_number === null ? null : deps.secrets.open(row.tenant_id, purposeOf(row.id), row.sealed_number);
}

/** Locks a bank account and returns it as a unit of work sees it. @throws ServiceError NOT_FOUND if it was removed. */
export async function presentAccount(work: Work, accountId: string): Promise<BankAccountRow> {
  const row = await work.lockOne(BANK_ACCOUNTS, { id: accountId });
  if (!row || row.removed_at !== null) throw noAccount(accountId);
  return row;
}

/** Returns the bank accounts of a merchant, or of all merchants that the caller may access. */
export async function listAccounts(deps: Dependencies, actor: Caller, merchantId = actor.merchantId ?? undefined): Promise<BankAccount[]> {
  if (merchantId !== undefined) await deps.merchantFor(actor, merchantId);
  const read = deps.database.read(actor.tenantId);
  const rows = await read.find(
    BANK_ACCOUNTS,
    { tenant_id: actor.tenantId, merchant_id: merchantId, removed_at: null },
    { orderBy: [['id', 'asc']] },
  );
  return toAccounts(read, rows);
}

/** Adds the newest statement and the numbers of lines to rows of accounts. */
export const toAccounts = (read: Read, rows: readonly BankAccountRow[]): Promise<BankAccount[]> =>
  Promise.all(
    rows.map(async (row) => {
      const newest = await read.find(
        BANK_STATEMENTS,
        { account_id: row.id, status: 'ready' },
        { orderBy: [['last_day', 'desc']], limit: 1 },
      );
      const counts = await read.find(BANK_LINE_COUNTS, { merchant_id: row.merchant_id, account_id: row.id });
      const countOf = (state: 'open' | 'matched') => Number(counts.find((count) => count.state === state)?.n ?? 0);
      return toAccount(row, newest[0]?.last_day ?? null, { open: countOf('open'), matched: countOf('matched') });
    }),
  );

const toAccount = (row: BankAccountRow, lastStatementDay: string | null, lines: { open: number; matched: number }): BankAccount => ({
  bankAccountId: row.id,
  merchantId: row.merchant_id,
  name: row.name,
  currency: row.currency as Currency,
  last4: row.last4,
  createdAt: row.created_at,
  lastStatementDay,
  openLines: lines.open,
  matchedLines: lines.matched,
});
