import BetterSqlite3 from 'better-sqlite3';
import { vi } from 'vitest';

/** Returns the steps by which SQLite carries out the statements that an operation of this process prepares, such as `SEARCH attempts USING INDEX …`. */
export async function planOf(operation: () => Promise<unknown>): Promise<string[]> {
  const { prepare } = BetterSqlite3.prototype;
  const prepared: [BetterSqlite3.Database, string][] = [];
  const spy = vi.spyOn(BetterSqlite3.prototype, 'prepare').mockImplementation(function (this: BetterSqlite3.Database, text: string) {
    prepared.push([this, text]);
    return prepare.call(this, text) as never;
  });
  try {
    await operation();
  } finally {
    spy.mockRestore();
  }
  return prepared
    .filter(([database, text]) => database.open && /^\s*(select|update|delete|with)\b/i.test(text))
    .flatMap(([database, text]) => {
      const statement = prepare.call(database, `EXPLAIN QUERY PLAN ${text}`) as BetterSqlite3.Statement;
      return statement.all(...Array<string>(text.split('?').length - 1).fill('')) as { detail: string }[];
    })
    .map(({ detail }) => detail);
}
