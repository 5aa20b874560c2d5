import { statSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { openSqlite } from '#core/database';
import { MIGRATIONS } from '#migrations';
import { openTestDatabase } from '../../support/databases.ts';

test('announces the check of a large file that was not closed properly, and no other', async () => {
  const { place: file, database, close } = await openTestDatabase('sqlite');
  onTestFinished(close);
  const announced: unknown[] = [];
  const open = (longCheckBytes: number) =>
    openSqlite({ file, migrations: MIGRATIONS, longCheckBytes, onLongCheck: (...check) => announced.push(check) });
  // As after a kill: the mark of a clean stop is absent.
  const { size } = statSync(file);
  const first = await open(size + 1);
  expect(announced).toEqual([]);
  const second = await open(size);
  expect(announced).toEqual([[file, size]]);
  await database.close();
  await second.close();
  await first.close();
  const clean = await open(0);
  expect(announced).toHaveLength(1);
  await clean.close();
});
