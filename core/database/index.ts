/**
 * SQLite and PostgreSQL behind one interface: tables are declared once, reads are separate from the writer, and the unit of work is the only
 * way to change data.
 */

export { type Expression, sql } from 'kysely';
export { Cache } from './cache.ts';
export { type Chain, type ChainHead, emptyHead, type LogBlockRow, type LogHead } from './chain.ts';
export { connectReading, connectWritable, hostsOf } from './connections/index.ts';
export { cursorOf } from './cursor.ts';
export { type DirectoryLock, lockDirectory } from './directory-lock.ts';
export { isUnconfirmed, LostRace, partlyCommitted, UniqueViolation, unconfirmedCommit } from './errors.ts';
export { findTogether } from './find-together.ts';
export type { HeavyReads } from './heavy-reads.ts';
export { inspectSqlite } from './inspect.ts';
export { cursorAt, type ListOrder, NEWEST_FIRST, type OrderedPlace, orderOf, placeFrom, placeOf, sortsOf } from './order.ts';
export {
  createdWithin,
  cutPage,
  idCursorOf,
  newestPage,
  type Page,
  type PageRequest,
  pageOf,
  type RowRange,
  rangeOfRows,
  rowsToRead,
} from './page.ts';
export { inspectPostgres, openPostgres } from './postgres.ts';
export { type Condition, conditionsOn, given, listOf, lit, prepared, type Query, queriesOn, readModel, rowsOf, timeOf } from './queries.ts';
export { TENANT } from './query-compiler.ts';
export type { Replication, Standby } from './replication.ts';
export { countComparison, ROW_COUNTS, recountRow } from './row-counts.ts';
export { searchCondition } from './search.ts';
export type { CacheChanges } from './signals.ts';
export { openSnapshot, type Snapshot } from './snapshot.ts';
export { LONG_CHECK_BYTES, openSqlite, type SqliteOptions, type StartStep } from './sqlite.ts';
export type { BulkStatement, GuardedUpdate, Params } from './statements.ts';
export { dueColumns, integer, type RowOf, type Table, type TableShape, table, text } from './table.ts';
export { isOutdated, type Migration, NewerSchema, OlderServersRunning } from './versions.ts';
export type { Database, Read, UnitOfWork, WaitingOfTenant, Work, Writer } from './work.ts';
