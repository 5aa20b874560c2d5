import { queriesOn, TENANT } from '#core/database';
import { addDays } from '#core/kernel';
import { type Dependencies, pause } from './dependencies.ts';
import type { StoredLines } from './known-lines.ts';
import { createLineHasher, LineKeys, rankOf } from './line-keys.ts';
import { BANK_LINES, BANK_STATEMENTS, type BankAccountRow, type BankStatementRow } from './schema.ts';
import type { StatementContent } from './statement-content.ts';

const PAGE_ROWS = 5_000;
const queries = queriesOn(BANK_LINES, BANK_STATEMENTS);

const COLUMNS = ['id', 'format', 'first_day', 'last_day', 'opening_minor', 'closing_minor', 'line_count', 'added_count'] as const;
export type StoredStatement = Pick<BankStatementRow, (typeof COLUMNS)[number]>;

/** Returns the complete statements of an account that have lines in the days of a file. */
export function overlappingStatements(
  deps: Dependencies,
  account: BankAccountRow,
  id: string,
  { firstDay, lastDay }: StatementContent,
): Promise<StoredStatement[]> {
  if (firstDay === null || lastDay === null) return Promise.resolve([]);
  return deps.database
    .read(account.tenant_id)
    .rows(
      queries
        .selectFrom('bank_statements')
        .select(COLUMNS)
        .where('tenant_id', '=', TENANT)
        .where('account_id', '=', account.id)
        .where('id', '<>', id)
        .where('last_day', '>=', firstDay)
        .where('first_day', '<=', lastDay),
    );
}

/** Reads the lines of an account in the days of a file. */
export async function storedLines(
  deps: Dependencies,
  account: BankAccountRow,
  { format, firstDay, lastDay }: StatementContent,
  statements: readonly StoredStatement[],
): Promise<StoredLines> {
  const hasher = createLineHasher(await deps.secrets.hashKey(account.tenant_id, `bank lines of ${account.id}`));
  const keys = new LineKeys();
  const ids: string[] = [];
  const isSameFormat: boolean[] = [];
  const byId = new Map(statements.map((statement) => [statement.id, statement]));
  const runs = new Runs(keys);
  const [first, last] = [firstDay as string, lastDay as string];
  const before = addDays(last, 1);
  for (let after = first; ; ) {
    const rows = await deps.database
      .read(account.tenant_id)
      .rows(
        queries
          .selectFrom('bank_lines')
          .select(['id', 'day', 'amount_minor', 'identity', 'text', 'reference', 'line', 'statement_id'])
          .where('tenant_id', '=', TENANT)
          .where('account_id', '=', account.id)
          .where('identity', '>', after)
          .where('identity', '<', before)
          .orderBy('identity')
          .limit(PAGE_ROWS),
      );
    for (const row of rows) {
      keys.addStored(row, hasher);
      ids.push(row.id);
      isSameFormat.push(byId.get(row.statement_id)?.format === format);
      runs.add(row.statement_id, rankOf(row.identity));
    }
    if (rows.length < PAGE_ROWS) return { keys, ids, isSameFormat, runs: runs.end(byId, first, last) };
    after = rows.at(-1)?.identity ?? before;
    await pause();
  }
}

/** Collects lines into runs. The lines of a statement come in the order of the bank. */
class Runs {
  readonly #keys: LineKeys;
  readonly #runs: number[][] = [];
  readonly #open = new Map<string, { rank: number; readonly indexes: number[] }>();
  /** Lines of earlier versions by statement, without an order. */
  readonly #older = new Map<string, number[]>();

  constructor(keys: LineKeys) {
    this.#keys = keys;
  }

  /** Adds the last line of the keys. */
  add(statementId: string, rank: number | null): void {
    const index = this.#keys.length - 1;
    if (rank === null) {
      const older = this.#older.get(statementId);
      if (older) older.push(index);
      else this.#older.set(statementId, [index]);
      return;
    }
    const open = this.#open.get(statementId);
    if (open && open.rank + 1 === rank) {
      open.rank = rank;
      open.indexes.push(index);
      return;
    }
    const indexes = [index];
    this.#runs.push(indexes);
    this.#open.set(statementId, { rank, indexes });
  }

  /** Returns all runs; null if the order or the balance of a line is not known. */
  end(statements: ReadonlyMap<string, StoredStatement>, firstDay: string, lastDay: string): number[][] | null {
    for (const [id, indexes] of this.#older) {
      const statement = statements.get(id);
      if (!statement || !this.#arrange(statement, indexes, firstDay, lastDay)) return null;
      this.#runs.push(indexes);
    }
    return this.#runs;
  }

  /** Puts the lines of an earlier version in the order of their file, if all lines of the statement are its own and one of its ends is known. */
  #arrange(statement: StoredStatement, indexes: number[], firstDay: string, lastDay: string): boolean {
    const { opening_minor, closing_minor, first_day, last_day, line_count, added_count } = statement;
    if (opening_minor === null || closing_minor === null || first_day === null || last_day === null || added_count !== line_count)
      return false;
    const { days, minors, lines, balances } = this.#keys;
    indexes.sort((one, other) => (lines[one] as number) - (lines[other] as number));
    if ((days[indexes[0] as number] as number) > (days[indexes.at(-1) as number] as number)) indexes.reverse();
    const sum = indexes.reduce((total, index) => total + (minors[index] as number), 0);
    if (first_day < firstDay && last_day > lastDay) return false;
    let balance = first_day >= firstDay ? Number(opening_minor) : Number(closing_minor) - sum;
    for (const index of indexes) {
      balances[index] = balance;
      balance += minors[index] as number;
    }
    return true;
  }
}
