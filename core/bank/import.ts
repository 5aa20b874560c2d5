import { createHash } from 'node:crypto';
import { LostRace, listOf, queriesOn, type Read, TENANT, UniqueViolation, type Work } from '#core/database';
import { type Actor, isoTime, newId, ServiceError } from '#core/kernel';
import { databaseNow } from '#core/platform/scheduling';
import type { UploadedFile } from '#core/reconciliation';
import { redactLongNumbers } from '#shared/card-numbers';
import { type BankStatement, checkNumberIsFree, isSameAccount, sealedNumber, toStatement } from './accounts.ts';
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

/** Lines that one unit of work adds; existing ones are found by a list of at most 512. */
const BLOCK = 400;
/** Added lines after which PostgreSQL counts them. */
const ANALYZED_LINES = 5_000;
/** Time by the database's clock after which a reader without a sign of life counts as abandoned. */
const LOST_AFTER_MS = 60_000;
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
 * not added again. @throws ServiceError VALIDATION_ERROR with `details.line` if a part is not readable or the balances do not agree, and
 * RESOURCE_CONFLICT while another request reads the same file.
 */
export async function importStatement(deps: Dependencies, actor: Actor, input: StatementInput): Promise<ImportedStatement> {
  const account = await accountOf(deps, actor, input.bankAccountId);
  const read = deps.database.read(actor.tenantId);
  const repeated = (row: BankStatementRow) => ({ statement: toStatement(row, account.currency), added: 0, isRepeated: true });
  const earlier = await read.one(BANK_STATEMENTS, { account_id: account.id, fingerprint: input.file.fingerprint });
  if (earlier?.status === 'ready') return repeated(earlier);
  const content = await readContent(deps, account, input);
  if (content.mapping !== null)
    await deps.database.unitOfWork.transaction(actor.tenantId, (work) =>
      saveMapping(work, account, input, isoTime(deps.clockOf(actor.tenantId).now())),
    );
  const same = await sameStatement(read, account.id, content);
  if (same) return repeated(same);
  const row = await begin(deps, actor, account, input, content, earlier);
  try {
    await addLines(deps, account, row, input.file, content, earlier !== null);
  } catch (error) {
    if (error instanceof LostRace)
      throw new ServiceError('RESOURCE_CONFLICT', 'The same file is being imported by another request.', { field: 'file' });
    throw error;
  }
  await end(deps, actor, account, row);
  await analyze(deps, row);
  return { statement: toStatement({ ...row, status: 'ready' }, account.currency), added: row.added_count, isRepeated: false };
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

async function begin(
  deps: Dependencies,
  actor: Actor,
  account: BankAccountRow,
  { file, filename }: StatementInput,
  content: StatementContent,
  earlier: BankStatementRow | null,
): Promise<BankStatementRow> {
  const now = deps.clockOf(actor.tenantId).now();
  const seen_ms = await databaseNow(deps.database);
  const row: BankStatementRow = {
    tenant_id: actor.tenantId,
    id: newId('bst', now),
    account_id: account.id,
    merchant_id: account.merchant_id,
    fingerprint: file.fingerprint,
    format: content.format,
    status: 'reading',
    seen_ms,
    filename: filename === null ? null : redactLongNumbers(filename),
    first_day: content.firstDay,
    last_day: content.lastDay,
    opening_minor: content.opening,
    closing_minor: content.closing,
    line_count: content.count,
    added_count: 0,
    created_at: isoTime(now),
    created_by: actor.name,
  };
  const beingRead = () =>
    new ServiceError('RESOURCE_CONFLICT', 'This file is being imported. If that fails, it can be sent again in a minute.', {
      field: 'file',
      details: { status: 'reading', retryAfter: LOST_AFTER_MS / 1_000 },
    });
  if (earlier && Number(earlier.seen_ms) > seen_ms - LOST_AFTER_MS) throw beingRead();
  const { number } = account.sealed_number === null ? content : { number: null };
  const named = number === null ? null : await sealedNumber(deps, actor.tenantId, account.id, number);
  try {
    await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
      if (number !== null && named !== null) {
        await deps.lockMerchant(work, account.merchant_id);
        await checkNumberIsFree(deps, work, account, number);
        await work.update(BANK_ACCOUNTS, { id: account.id }, named);
      }
      // Lines of an abandoned import stay; they are found again as existing ones.
      if (earlier) await work.delete(BANK_STATEMENTS, { id: earlier.id, status: 'reading' });
      work.insert(BANK_STATEMENTS, row);
    });
    return row;
  } catch (error) {
    if (error instanceof UniqueViolation) throw beingRead();
    throw error;
  }
}

async function addLines(
  deps: Dependencies,
  account: BankAccountRow,
  row: BankStatementRow,
  file: UploadedFile,
  content: StatementContent,
  isResumed: boolean,
): Promise<void> {
  const nameLine = createIdentities();
  let block: { entry: Entry; identity: string }[] = [];
  const write = async () => {
    if (block.length > 0) await addBlock(deps, account, row, block, isResumed);
    block = [];
  };
  let isOwn = true;
  for await (const part of partsOf(file, account, content)) {
    if (part.kind === 'account')
      isOwn = part.number === null || content.ownNumber === null || isSameAccount(part.number, content.ownNumber);
    if (!isOwn || part.kind !== 'entry' || part.minor === 0) continue;
    block.push({ entry: part, identity: nameLine(part) });
    if (block.length >= BLOCK) await write();
  }
  await write();
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
  isResumed: boolean,
): Promise<void> {
  const { tenant_id, id } = row;
  const seen_ms = await databaseNow(deps.database);
  await deps.database.unitOfWork.transaction(tenant_id, async (work) => {
    await deps.lockMerchant(work, account.merchant_id);
    // Lines of a file are different from each other. A first import of its days needs no look-ups.
    const isFirst = !isResumed && !(await overlapsOther(work, row));
    const isKnown = isFirst ? () => false : await knownLines(work, account.id, row.id, block);
    const closed = await closedPeriods(work, account.merchant_id);
    const added = block.filter(({ entry, identity }) => !isKnown(entry, identity));
    work.guardedUpdate(KEEP_READING, { tenant_id, id, seen_ms, added_count: row.added_count + added.length });
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

/** Returns true if another statement of the account has days of this one. Its lines may still be written: both imports lock the merchant. */
async function overlapsOther(work: Work, { account_id, id, first_day, last_day }: BankStatementRow): Promise<boolean> {
  const other = await work.row(
    queriesOn(BANK_STATEMENTS)
      .selectFrom('bank_statements')
      .select('id')
      .where('tenant_id', '=', TENANT)
      .where('account_id', '=', account_id)
      .where('id', '<>', id)
      .where('last_day', '>=', first_day ?? '')
      .where('first_day', '<=', last_day ?? '')
      .limit(1),
  );
  return other !== null;
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

async function end(deps: Dependencies, actor: Actor, account: BankAccountRow, row: BankStatementRow): Promise<void> {
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    await work.update(BANK_STATEMENTS, { id: row.id }, { status: 'ready', added_count: row.added_count });
    if (row.added_count > 0) await prepareSuggestions(work, account.id);
    deps.audit(work, {
      actor,
      action: 'bank_statement.imported',
      resource: `settlement/bank-statements/${row.id}`,
      merchantId: account.merchant_id,
      after: {
        bankAccountId: account.id,
        format: row.format,
        lines: row.line_count,
        added: row.added_count,
        startDate: row.first_day,
        endDate: row.last_day,
        fingerprint: row.fingerprint,
      },
    });
    work.afterCommit(() => deps.changed(actor.tenantId, 'settlement'));
  });
}
