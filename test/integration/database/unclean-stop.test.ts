import { statSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { openSqlite } from '#core/database';
import { MIGRATIONS } from '#migrations';
import { openTestDatabase } from '../../support/databases.ts';

test('gives the check of a large file that was not closed properly to its caller, and of no other', async () => {
  const { place: file, database, close } = await openTestDatabase('sqlite');
  onTestFinished(close);
  const checked: unknown[] = [];
  let verdict: string | null = null;
  const checkLargeFile = async (...check: unknown[]) => {
    checked.push(check);
    return verdict;
  };
  const open = (longCheckBytes: number) => openSqlite({ file, migrations: MIGRATIONS, longCheckBytes, checkLargeFile });
  // As after a kill: the mark of a clean stop is absent.
  const { size } = statSync(file);
  const first = await open(size + 1);
  expect(checked).toEqual([]);
  const second = await open(size);
  expect(checked).toEqual([[file, size]]);
  verdict = 'a page is used twice';
  await expect(open(size)).rejects.toThrow('is damaged');
  await database.close();
  await second.close();
  await first.close();
  const clean = await open(0);
  expect(checked).toHaveLength(2);
  await clean.close();
});
