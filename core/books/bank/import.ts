import type { UploadedFile } from '#core/books/reconciliation';
import type { Read } from '#core/database';
import { type Actor, type Currency, isoTime, money, newId, realNow, ServiceError } from '#core/kernel';
import { beginImport, completeImport, keepReading, leaseEnd, orAbandon } from '#core/platform/imports';
import { dueAt } from '#core/platform/scheduling';
import { redactLongNumbers } from '#shared/card-numbers';
import { isSameAccount } from './account-numbers.ts';
import { checkNumberIsFree, openNumber, presentAccount, sealedNumber } from './accounts.ts';
import { closedPeriods, firstOpenDay } from './close/locks.ts';
import { saveMapping } from './csv-mappings.ts';
import { accountOf, type Dependencies, pause } from './dependencies.ts';
import { addToCounters } from './line-counters.ts';
import { createLineTexts, withoutNumbers } from './line-texts.ts';
import { prepareSuggestions } from './matching/refresh.ts';
import { newLinesOf } from './new-lines.ts';
import type { BankStatement, SkippedPart } from './records.ts';
import { BANK_ACCOUNTS, BANK_LINES, BANK_STATEMENTS, type BankAccountRow, type BankLineRow, type BankStatementRow } from './schema.ts';
import { partsOf, readContent, type StatementContent, type StatementInput } from './statement-content.ts';
import type { Entry } from './statements/index.ts';
import { abandonStatement, awaitOtherImports, STATEMENTS, unfinishedStatements } from './unfinished-imports.ts';

const KEEP_READING = keepReading(BANK_STATEMENTS, 'added_count');
/** Lines that one unit of work adds. */
const BLOCK = 400;
/** Added lines after which PostgreSQL counts them. */
const ANALYZED_LINES = 5_000;

/**
 * Imports a statement. The file is read twice: first everything is checked, then its lines are added in blocks. Lines of an earlier statement are
 * not added again. If the second reading fails, its lines are removed, and the account has the number that it had before. One import of an account
 * runs at a time, because the lines of a failed one may be part of another statement. @throws ServiceError VALIDATION_ERROR with `details.line` if a
 * part is not readable or the balances do not agree, and RESOURCE_CONFLICT while another request imports to the account.
 */
export async function importStatement(deps: Dependencies, actor: Actor, input: StatementInput): Promise<BankStatement> {
  const account = await accountOf(deps, actor, input.bankAccountId);
  const read = deps.database.read(actor.tenantId);
  const repeated = (row: BankStatementRow, skipped: readonly SkippedPart[] = []) =>
    toStatement(row, account.currency, { added: 0, repeated: true, skipped });
  const { fingerprint } = input.file;
  const earlier = await sameFile(read, account.id, fingerprint);
  if (earlier) return repeated(earlier);
  const content = await readContent(deps, account, input);
  for (;;) {
    await awaitOtherImports(deps, account, fingerprint);
    // Another request may have completed an import of the file since the first look.
    const same = await sameFile(read, account.id, fingerprint);
    if (same) return repeated(same);
    const row = await begin(deps, actor, account, input, content);
    if (!row) continue;
    const isNew = await orAbandon(
      () => newLinesOf(deps, account, row, content, input.doubtfulLines),
      () => abandonStatement(deps, row),
    );
    const statement = isNew.includes(1) ? null : await sameStatement(read, account.id, content);
    if (statement) {
      await abandonStatement(deps, row);
      return repeated(statement, content.skipped);
    }
    return finish(deps, actor, account, input, content, row, isNew);
  }
}

/** Adds the new lines of a statement that was begun, and completes it. */
async function finish(
  deps: Dependencies,
  actor: Actor,
  account: BankAccountRow,
  { file }: StatementInput,
  content: StatementContent,
  row: BankStatementRow,
  isNew: Uint8Array,
): Promise<BankStatement> {
  await orAbandon(
    async () => {
      const firstDay = await addLines(deps, account, row, file, content, isNew);
      await end(deps, actor, account, row, firstDay);
    },
    () => abandonStatement(deps, row),
  );
  await analyze(deps, row);
  return toStatement(row, account.currency, { added: row.added_count, repeated: false, skipped: content.skipped });
}

function toStatement(
  row: BankStatementRow,
  accountCurrency: string,
  result: Pick<BankStatement, 'added' | 'repeated' | 'skipped'>,
): BankStatement {
  const currency = accountCurrency as Currency;
  const balance = (minor: number | null) => (minor === null ? null : money(minor, currency));
  return {
    bankStatementId: row.id,
    bankAccountId: row.account_id,
    format: row.format,
    filename: row.filename,
    startDate: row.first_day,
    endDate: row.last_day,
    openingBalance: balance(row.opening_minor),
    closingBalance: balance(row.closing_minor),
    currency,
    lineCount: row.line_count,
    createdAt: row.created_at,
    createdBy: row.created_by,
    ...result,
  };
}

/** Finds the completed import of a file. */
function sameFile(read: Read, accountId: string, fingerprint: string): Promise<BankStatementRow | null> {
  return read.one(BANK_STATEMENTS, { account_id: accountId, fingerprint, status: 'ready' });
}

/** Finds the same statement in another format or in another download: equal days, balances and number of lines. */
async function sameStatement(read: Read, accountId: string, content: StatementContent): Promise<BankStatementRow | null> {
  if (content.opening === null || content.closing === null || content.count === 0) return null;
  return read.one(BANK_STATEMENTS, {
    account_id: accountId,
    status: 'ready',
    first_day: content.firstDay,
    last_day: content.lastDay,
    opening_minor: content.opening,
    closing_minor: content.closing,
    line_count: content.count,
  });
}

/**
 * Inserts a statement and claims it, together with the number of an account that has none. Returns null if another import of the account has begun.
 * @throws ServiceError NOT_FOUND if the account was removed, VALIDATION_ERROR if it has another number since, RESOURCE_CONFLICT if another account has
 * the number.
 */
async function begin(
  deps: Dependencies,
  actor: Actor,
  account: BankAccountRow,
  input: StatementInput,
  content: StatementContent,
): Promise<BankStatementRow | null> {
  const { number } = content;
  const named = number === null ? null : await sealedNumber(deps, actor.tenantId, account.id, number);
  const now = deps.clockOf(actor.tenantId).now();
  const row: BankStatementRow = {
    tenant_id: actor.tenantId,
    id: newId('bst', now),
    account_id: account.id,
    merchant_id: account.merchant_id,
    fingerprint: input.file.fingerprint,
    format: content.format,
    status: 'reading',
    sealed_number: null,
    last4: null,
    filename: input.filename === null ? null : redactLongNumbers(input.filename),
    first_day: content.firstDay,
    last_day: content.lastDay,
    opening_minor: content.opening,
    closing_minor: content.closing,
    line_count: content.count,
    added_count: 0,
    created_at: isoTime(now),
    created_by: actor.name,
    ...dueAt(realNow()),
  };
  return deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    await deps.lockMerchant(work, account.merchant_id);
    const present = await presentAccount(work, account.id);
    const unfinished = await unfinishedStatements(deps, work, account.merchant_id);
    const hasBegun = unfinished.some(({ account_id }) => account_id === account.id);
    const earlier = await work.one(BANK_STATEMENTS, { account_id: account.id, fingerprint: row.fingerprint });
    if (hasBegun || earlier) return null;
    const known = await openNumber(deps, present);
    if (known !== null && number !== null && !isSameAccount(known, number))
      throw new ServiceError(
        'VALIDATION_ERROR',
        `The statement is of the account ending in ${number.slice(-4)}, not of this bank account.`,
        {
          field: 'file',
        },
      );
    if (number !== null && known === null) await checkNumberIsFree(deps, work, present, number);
    if (content.mapping !== null) await saveMapping(work, account, input, row.created_at);
    return beginImport(deps, STATEMENTS, work, { ...row, ...(known === null ? named : null) });
  });
}

/** Returns the first booking day of the added lines; null if there are none. */
async function addLines(
  deps: Dependencies,
  account: BankAccountRow,
  row: BankStatementRow,
  file: UploadedFile,
  content: StatementContent,
  isNew: Uint8Array,
): Promise<string | null> {
  const textOf = createLineTexts(deps, account);
  let block: NewLine[] = [];
  let firstDay: string | null = null;
  let renewedAtMs = performance.now();
  const write = async () => {
    await addBlock(deps, account, row, block);
    block = [];
    renewedAtMs = performance.now();
  };
  let parts = 0;
  let index = -1;
  for await (const part of partsOf(file, account, content)) {
    // Lines that are not added may take longer to read than the lease.
    if (performance.now() - renewedAtMs > STATEMENTS.leaseMs / 4) await write();
    if (part.kind === 'account') parts += 1;
    if (part.kind !== 'entry' || part.minor === 0 || !content.ownParts.has(parts)) continue;
    index += 1;
    if (isNew[index] === 0) continue;
    if (firstDay === null || part.day < firstDay) firstDay = part.day;
    block.push({ entry: part, text: await textOf(part), identity: content.keys.identityOf(index, part.day, row.id) });
    if (block.length >= BLOCK) await write();
  }
  if (block.length > 0) await write();
  return firstDay;
}

interface NewLine {
  readonly entry: Entry;
  /** The text for the screen. */
  readonly text: string;
  readonly identity: string;
}

async function addBlock(deps: Dependencies, account: BankAccountRow, row: BankStatementRow, block: readonly NewLine[]): Promise<void> {
  const { tenant_id, id, fence } = row;
  const lease_ms = await leaseEnd(deps.database, STATEMENTS);
  await deps.database.unitOfWork.transaction(tenant_id, async (work) => {
    await deps.lockMerchant(work, account.merchant_id);
    const closed = await closedPeriods(work, account.merchant_id);
    work.guardedUpdate(KEEP_READING, { tenant_id, id, fence, lease_ms, added_count: row.added_count + block.length });
    for (const each of block) {
      const line = lineRow(account, row, each, closed);
      work.insert(BANK_LINES, line);
      addToCounters(work, line);
    }
    work.afterCommit(() => {
      row.added_count += block.length;
    });
  });
  await pause();
}

function lineRow(
  account: BankAccountRow,
  row: BankStatementRow,
  { entry, text, identity }: NewLine,
  closed: ReadonlySet<string>,
): BankLineRow {
  return {
    tenant_id: account.tenant_id,
    id: newId('bln', Date.parse(`${entry.day}T00:00:00Z`)),
    account_id: account.id,
    merchant_id: account.merchant_id,
    statement_id: row.id,
    line: entry.line,
    day: entry.day,
    booked_day: firstOpenDay(closed, entry.day),
    currency: account.currency,
    amount_minor: entry.minor,
    matched_minor: 0,
    unrelated_minor: 0,
    state: 'open',
    text,
    reference: entry.reference === null ? null : withoutNumbers(entry.reference),
    identity,
    created_at: row.created_at,
  };
}

/** Lets PostgreSQL count the lines, because its plans for the matching depend on them. Its own statistics would follow a minute later, after the matching. */
async function analyze({ database }: Dependencies, { added_count }: BankStatementRow): Promise<void> {
  if (database.kind !== 'postgres' || added_count < ANALYZED_LINES) return;
  await database.unitOfWork.transaction(null, (work) => work.run('ANALYZE bank_lines'));
}

/**
 * Completes an import, whose lines were booked on `firstDay` or later: the account takes the number that the statement claimed. @throws LostRace if the
 * import was removed.
 */
async function end(
  deps: Dependencies,
  actor: Actor,
  account: BankAccountRow,
  row: BankStatementRow,
  firstDay: string | null,
): Promise<void> {
  const { sealed_number, last4, added_count } = row;
  const number = await openNumber(deps, { ...row, id: account.id });
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    await deps.lockMerchant(work, account.merchant_id);
    await completeImport(work, STATEMENTS, row, { added_count, sealed_number: null, last4: null });
    if (number !== null) {
      // The lease of the claim may have ended.
      await checkNumberIsFree(deps, work, account, number);
      await work.update(BANK_ACCOUNTS, { id: account.id }, { sealed_number, last4 });
    }
    if (firstDay !== null) await prepareSuggestions(work, account.id, firstDay);
    deps.audit(work, {
      actor,
      action: 'bank_statement.imported',
      resource: `settlement/bank-statements/${row.id}`,
      merchantId: account.merchant_id,
      after: {
        bankAccountId: account.id,
        format: row.format,
        lines: row.line_count,
        added: added_count,
        startDate: row.first_day,
        endDate: row.last_day,
        fingerprint: row.fingerprint,
      },
    });
    work.afterCommit(() => deps.changed(actor.tenantId, 'settlement', account.merchant_id));
  });
}
