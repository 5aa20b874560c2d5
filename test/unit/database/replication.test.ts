import { expect, test } from 'vitest';
import { requiredStandbys } from '../../../core/database/replication.ts';

test.each([
  ['', 0],
  ['  ', 0],
  ['*', 1],
  ['db2', 1],
  ['db2, db3', 1],
  ['"2 (db)"', 1],
  ['2 (db2, db3)', 2],
  ['FIRST 2 (db2, db3, db4)', 2],
  ['ANY 1 (*)', 1],
  ['any 3(db2,db3,db4)', 3],
])('counts the standbys that `%s` requires', (names, expected) => {
  expect(requiredStandbys(names)).toBe(expected);
});
