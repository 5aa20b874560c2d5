import { createHash } from 'node:crypto';
import type { UploadedFile } from '#core/books/reconciliation';
import { LostRace, listOf, queriesOn, type Read, TENANT, type Work } from '#core/database';
import { type Actor, addDays, assert, isoTime, newId, realNow, ServiceError } from '#core/kernel';
import { READING_LEASE_MS } from '#core/platform/imports';
import { claimRow, databaseNow, dueAt, released } from '#core/platform/scheduling';
import { redactLongNumbers } from '#shared/card-numbers';
import { type BankStatement, checkNumberIsFree, isSameAccount, openNumber, presentAccount, sealedNumber, toStatement } from './accounts.ts';
import { closedPeriods, firstOpenDay } from './close/locks.ts';
import { saveMapping } from './csv-mappings.ts';
import { accountOf, type Dependencies, pause } from './dependencies.ts';
import { addToCounters } from './line-counters.ts';
import { prepareSuggestions } from './matching/refresh.ts';
import { compactText } from './matching/suggest.ts';
import {
  BANK_ACCOUNTS,
  BANK_LINES,
  BANK_STATEMENTS,
  type BankAccountRow,
  type BankLineRow,
  type BankStatementRow,
  KEEP_READING,
} from './schema.ts';
import { partsOf, readContent, type StatementContent, type StatementInput } from './statement-content.ts';
import type { Entry, StatementPart } from './statements/index.ts';
import { abandonStatement, awaitOtherImports, unfinishedStatements } from './unfinished-imports.ts';

/** Lines that one unit of work adds; existing ones are found by a list of at most 512. */
const BLOCK = 400;
/** Added lines after which PostgreSQL counts them. */
const ANALYZED_LINES = 5_000;
/** IBANs of other people in the texts of lines. */
const IBAN = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b/g;

/** Result of an import. */
export interface ImportedStatement {
  readonly statement: BankStatement;
  /** Lines of this file that were not in an earlier statement. */
  readonly added: number;
  /** True if the same statement was imported before; nothing was added. */
  readonly isRepeated: boolean;
}

/**
 * Imports a statement. The file is read twice: first everything is checked, then its lines are added in blocks. Lines of an earlier statement are
 * not added again. If the second reading fails, its lines are removed, and the account has the number that it had before. One import of an account
 * runs at a time, because the lines of a failed one may be part of another statement. @throws ServiceError VALIDATION_ERROR with `details.line` if a
 * part is not readable or the balances do not agree, and RESOURCE_CONFLICT while another request imports to the account.
 */
export async function importStatement(deps: Dependencies, actor: Actor, input: StatementInput): Promise<ImportedStatement> {
  const account = await accountOf(deps, actor, input.bankAccountId);
  const read = deps.database.read(actor.tenantId);
  const repeated = (row: BankStatementRow) => ({ statement: toStatement(row, account.currency), added: 0, isRepeated: true });
  const { fingerprint } = input.file;
  const earlier = await sameFile(read, account.id, fingerprint);
  if (earlier) return repeated(earlier);
  const content = await readContent(deps, account, input);
  for (;;) {
    await awaitOtherImports(deps, account, fingerprint);
    // Another request may have completed an import of the file since the first look.
    const same = (await sameFile(read, account.id, fingerprint)) ?? (await sameStatement(read, account.id, content));
    if (same) {
      await keepMapping(deps, account, input, content);
      return repeated(same);
    }
    const begun = await begin(deps, actor, account, input, content);
    if (begun) return finish(deps, actor, account, input, content, begun);
  }
}

/** Adds the lines of a statement that was begun. If that fails, nothing of it stays. */
async function finish(
  deps: Dependencies,
  actor: Actor,
  account: BankAccountRow,
  { file }: StatementInput,
  content: StatementContent,
  { row, mayHaveLines }: Begun,
): Promise<ImportedStatement> {
  try {
    await addLines(deps, account, row, file, content, mayHaveLines);
    await end(deps, actor, account, row);
  } catch (error) {
    if (error instanceof LostRace)
      throw new ServiceError('RESOURCE_CONFLICT', 'The import stopped for too long and was removed. Send the file again.', {
        field: 'file',
      });
    await abandonStatement(deps, row);
    throw error;
  }
  await analyze(deps, row);
  return { statement: toStatement(row, account.currency), added: row.added_count, isRepeated: false };
}

/** Saves the mapping of a request whose statement was imported before. */
async function keepMapping(deps: Dependencies, account: BankAccountRow, input: StatementInput, content: StatementContent): Promise<void> {
  if (content.mapping === null) return;
  await deps.database.unitOfWork.transaction(account.tenant_id, async (work) => {
    await deps.lockMerchant(work, account.merchant_id);
    await saveMapping(work, account, input, isoTime(deps.clockOf(account.tenant_id).now()));
  });
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

/** A statement whose lines can be added. */
interface Begun {
  /** Claimed by this request. */
  readonly row: BankStatementRow;
  /** True if the account has lines in the days of the statement, so that each line is looked up. */
  readonly mayHaveLines: boolean;
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
): Promise<Begun | null> {
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
    work.insert(BANK_STATEMENTS, { ...row, ...(known === null ? named : null) });
    const claimed = await claimRow(deps.database, work, BANK_STATEMENTS, row.id, READING_LEASE_MS);
    assert(claimed, 'a new statement is free');
    return { row: claimed, mayHaveLines: await hasLinesIn(work, account.id, content) };
  });
}

/** Returns true if an account has lines in the days of a statement. */
async function hasLinesIn(work: Work, accountId: string, { firstDay, lastDay }: StatementContent): Promise<boolean> {
  if (firstDay === null || lastDay === null) return false;
  const line = await work.row(
    queriesOn(BANK_LINES)
      .selectFrom('bank_lines')
      .select('id')
      .where('tenant_id', '=', TENANT)
      .where('account_id', '=', accountId)
      .where('identity', '>=', firstDay)
      .where('identity', '<', addDays(lastDay, 1))
      .limit(1),
  );
  return line !== null;
}

async function addLines(
  deps: Dependencies,
  account: BankAccountRow,
  row: BankStatementRow,
  file: UploadedFile,
  content: StatementContent,
  mayHaveLines: boolean,
): Promise<void> {
  const nameLine = createIdentities();
  let block: { entry: Entry; identity: string }[] = [];
  let renewedAtMs = performance.now();
  const write = async () => {
    await addBlock(deps, account, row, block, mayHaveLines);
    block = [];
    renewedAtMs = performance.now();
  };
  let isOwn = true;
  for await (const part of partsOf(file, account, content)) {
    // The lines of other accounts in the file may take longer to read than the lease.
    if (performance.now() - renewedAtMs > READING_LEASE_MS / 4) await write();
    if (part.kind === 'account')
      isOwn = part.number === null || content.ownNumber === null || isSameAccount(part.number, content.ownNumber);
    if (!isOwn || part.kind !== 'entry' || part.minor === 0) continue;
    block.push({ entry: part, identity: nameLine(part) });
    if (block.length >= BLOCK) await write();
  }
  if (block.length > 0) await write();
}

/**
 * Returns a function that names lines by day, amount and text, and numbers equal ones within the file. The bank's own reference is not part of the
 * name, because some banks change it with every download. The name begins with the day, so that lines of a statement are neighbors in the index
 * (decision 136).
 */
function createIdentities(): (entry: Extract<StatementPart, { kind: 'entry' }>) => string {
  const seen = new Map<number, number>();
  return ({ day, minor, text }) => {
    const content = `${day}|${minor}|${compactText(text)}`;
    const short = createHash('sha256').update(content).digest().readUIntBE(0, 6);
    const ordinal = seen.get(short) ?? 0;
    seen.set(short, ordinal + 1);
    return `${day}.${createHash('sha256').update(`${content}|${ordinal}`).digest('base64url').slice(0, 27)}`;
  };
}

async function addBlock(
  deps: Dependencies,
  account: BankAccountRow,
  row: BankStatementRow,
  block: readonly { readonly entry: Entry; readonly identity: string }[],
  mayHaveLines: boolean,
): Promise<void> {
  const { tenant_id, id, fence } = row;
  const lease_ms = (await databaseNow(deps.database)) + READING_LEASE_MS;
  await deps.database.unitOfWork.transaction(tenant_id, async (work) => {
    await deps.lockMerchant(work, account.merchant_id);
    // Lines of a file are different from each other. If the account has no others of its days, they need no look-ups.
    const isKnown = mayHaveLines && block.length > 0 ? await knownLines(work, account.id, row.id, block) : () => false;
    const closed = await closedPeriods(work, account.merchant_id);
    const added = block.filter(({ entry, identity }) => !isKnown(entry, identity));
    work.guardedUpdate(KEEP_READING, { tenant_id, id, fence, lease_ms, added_count: row.added_count + added.length });
    for (const { entry, identity } of added) {
      const line = lineRow(account, row, entry, identity, closed);
      work.insert(BANK_LINES, line);
      addToCounters(work, line);
    }
    work.afterCommit(() => {
      row.added_count += added.length;
    });
  });
  await pause();
}

/** Returns a function that finds lines of earlier statements: by identity, and by the bank's reference with the same day and amount. */
async function knownLines(
  work: Work,
  accountId: string,
  statementId: string,
  block: readonly { readonly entry: Entry; readonly identity: string }[],
): Promise<(entry: Entry, identity: string) => boolean> {
  const lines = queriesOn(BANK_LINES).selectFrom('bank_lines').where('tenant_id', '=', TENANT).where('account_id', '=', accountId);
  const identities = await work.rows(lines.select('identity').where('identity', 'in', listOf(block.map(({ identity }) => identity))));
  const references = block.flatMap(({ entry }) => (entry.reference === null ? [] : [entry.reference]));
  const named =
    references.length === 0
      ? []
      : await work.rows(
          lines
            .select(['reference', 'day', 'amount_minor'])
            .where('reference', 'in', listOf(references))
            .where('statement_id', '<>', statementId),
        );
  const knownIdentities = new Set(identities.map(({ identity }) => identity));
  const keyOf = (reference: string | null, day: string, minor: number) => `${reference}|${day}|${minor}`;
  const knownNames = new Set(named.map((line) => keyOf(line.reference, line.day, Number(line.amount_minor))));
  return (entry, identity) =>
    knownIdentities.has(identity) || (entry.reference !== null && knownNames.has(keyOf(entry.reference, entry.day, entry.minor)));
}

function lineRow(account: BankAccountRow, row: BankStatementRow, entry: Entry, identity: string, closed: ReadonlySet<string>): BankLineRow {
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
    text: withoutNumbers(entry.text),
    reference: entry.reference === null ? null : withoutNumbers(entry.reference),
    identity,
    created_at: row.created_at,
  };
}

/** Returns a text in which IBANs keep their last four characters, and other long numbers are masked. */
const withoutNumbers = (text: string) => redactLongNumbers(text.replaceAll(IBAN, (iban) => `IBAN …${iban.slice(-4)}`));

/** Lets PostgreSQL count the lines, because its plans for the matching depend on them. Its own statistics would follow a minute later, after the matching. */
async function analyze({ database }: Dependencies, { added_count }: BankStatementRow): Promise<void> {
  if (database.kind !== 'postgres' || added_count < ANALYZED_LINES) return;
  await database.unitOfWork.transaction(null, (work) => work.run('ANALYZE bank_lines'));
}

/** Completes an import: the account takes the number that the statement claimed. @throws LostRace if the import was removed. */
async function end(deps: Dependencies, actor: Actor, account: BankAccountRow, row: BankStatementRow): Promise<void> {
  const { id, fence, sealed_number, last4, added_count } = row;
  const completed = { status: 'ready', added_count, sealed_number: null, last4: null, ...released(null) } as const;
  const number = await openNumber(deps, { ...row, id: account.id });
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    await deps.lockMerchant(work, account.merchant_id);
    if ((await work.update(BANK_STATEMENTS, { id, fence, status: 'reading' }, completed)) === 0)
      throw new LostRace('the statement was claimed by another run');
    if (number !== null) {
      // The lease of the claim may have ended.
      await checkNumberIsFree(deps, work, account, number);
      await work.update(BANK_ACCOUNTS, { id: account.id }, { sealed_number, last4 });
    }
    if (added_count > 0) await prepareSuggestions(work, account.id);
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
