import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, test } from 'vitest';
import { type IdPrefix, idFloor } from '#core/kernel';
import { copySampleData } from '../../support/sample-data.ts';

const MINUTE_MS = 60_000;
/** Lines keep the time of their statement's import, and no list of them has a period. */
const OTHERS = ['bank_lines'];

interface CreatedRow {
  readonly id: string;
  readonly created_at: string;
}

// Lists of a period read a range of IDs, so a row whose ID had another time would be missing from them.
test.for(['full', 'small'] as const)('the IDs of all rows start with the time of their creation (%s sample data)', async (data) => {
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-id-times-'));
  await copySampleData('sqlite', folder, data);
  const database = new BetterSqlite3(join(folder, 'paydesk.sqlite'), { readonly: true });
  const tables = database
    .prepare(
      "SELECT t.name FROM pragma_table_list t, pragma_table_info(t.name) c WHERE t.type = 'table' AND c.name IN ('id', 'created_at') GROUP BY t.name HAVING count(*) = 2",
    )
    .pluck()
    .all() as string[];
  const wrong: string[] = [];
  let compared = 0;
  for (const table of tables) {
    if (OTHERS.includes(table)) continue;
    for (const { id, created_at } of database.prepare(`SELECT id, created_at FROM ${table}`).all() as CreatedRow[]) {
      const [prefix, at] = [id.slice(0, id.indexOf('_')) as IdPrefix, Date.parse(created_at)];
      compared += 1;
      if (id < idFloor(prefix, at - MINUTE_MS) || id >= idFloor(prefix, at + MINUTE_MS)) wrong.push(`${table} ${id} ${created_at}`);
    }
  }
  database.close();
  await rm(folder, { recursive: true });
  expect(compared).toBeGreaterThan(100);
  expect(wrong).toEqual([]);
});
