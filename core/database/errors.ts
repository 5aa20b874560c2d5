import { ServiceError } from '#core/kernel';
import { READ_ONLY } from './connections/writable.ts';
import { tableOfConstraint } from './table.ts';

/** Thrown when a row with the same unique key exists. */
export class UniqueViolation extends Error {
  override name = 'UniqueViolation';
  readonly table: string;

  constructor(table: string, cause: unknown) {
    super(`a row of ${table} with this key exists`, { cause });
    this.table = table;
  }
}

/** Thrown when the guard of a guarded update is false, because another unit of work changed the row first. */
export class LostRace extends Error {
  override name = 'LostRace';
}

const READ_ONLY_TEXT =
  'The database server is read-only, for example a standby that was not promoted. Nothing was changed. Try again when a primary is available.';

/** Error codes of SQLite and PostgreSQL. */
const DISK_FULL = /^(SQLITE_FULL|53100)$/;

export function unavailable(cause: unknown): ServiceError {
  if (isReadOnly(cause)) return new ServiceError('SERVICE_UNAVAILABLE', READ_ONLY_TEXT, { cause, details: { reason: 'read-only' } });
  return new ServiceError('SERVICE_UNAVAILABLE', 'The database is not responding. Nothing was changed. Try again.', { cause });
}

/** Returns true if a write failed because the disk of the database is full. Accepts the original error and the translated one. */
export function isDiskFull(error: unknown): boolean {
  return DISK_FULL.test(textOf(error instanceof ServiceError ? error.cause : error, 'code'));
}

export function databaseError(cause: unknown): ServiceError {
  const message = isDiskFull(cause)
    ? 'The disk is full. Nothing was changed. Free some space and try again.'
    : 'The database could not carry out the request. Nothing was changed.';
  return new ServiceError('DATABASE_ERROR', message, { cause });
}

/** Returns true if a PostgreSQL server refused a change because it is a standby or read-only. */
export function isReadOnly(error: unknown): boolean {
  return textOf(error instanceof ServiceError ? error.cause : error, 'code') === READ_ONLY;
}

function textOf(error: unknown, key: string): string {
  const value = typeof error === 'object' && error !== null ? (error as Record<string, unknown>)[key] : undefined;
  return typeof value === 'string' ? value : '';
}

/** Translates an error of better-sqlite3 into an error for the caller. */
export function fromSqlite(error: unknown): unknown {
  const code = textOf(error, 'code');
  if (!code.startsWith('SQLITE_')) return error;
  if (code === 'SQLITE_CONSTRAINT_PRIMARYKEY' || code === 'SQLITE_CONSTRAINT_UNIQUE') {
    return new UniqueViolation(/constraint failed: (\w+)\./.exec(textOf(error, 'message'))?.[1] ?? 'unknown', error);
  }
  return code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED') ? unavailable(error) : databaseError(error);
}

export function isSqliteBusy(error: unknown): boolean {
  return textOf(error, 'code').startsWith('SQLITE_BUSY');
}

/** Returns true for errors after which the connection cannot be trusted: it is reopened and checked before the next write. */
export function isSqliteIoFault(error: unknown): boolean {
  const code = textOf(error, 'code');
  return code.startsWith('SQLITE_IOERR') || code === 'SQLITE_FULL';
}

const PG_UNIQUE = '23505';
/** Number of a shard, which Citus appends to the names of the table and its constraints (docs/citus.md). */
const SHARD_NUMBER = /_\d+$/;
const PG_RETRY = new Set(['40001', '40P01']);
/** Connection lost, server shutting down or starting, or a standby, from which the connection must move to the primary. */
const PG_CONNECTION_LOST = new RegExp(`^(08|57P|${READ_ONLY})`);
/** Too many connections, lock or statement time-out. */
const PG_UNAVAILABLE = /^(53300|55P03|57014)$/;
const NETWORK_FAULT = /^E[A-Z]{4,}$/;
/** Errors of the pg client itself, which have no code. */
const PG_CLIENT_FAULT =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|timeout expired|Query read timeout)/;

/**
 * A commit that the primary has carried out without the confirmation of its synchronous standby. After a failover it may be missing. The code
 * is SQLSTATE transaction_resolution_unknown.
 */
export class NotReplicated extends Error {
  override name = 'NotReplicated';
  readonly code = '08007';
}

/** A commit of SQLite that the disk has not confirmed. After a power cut it may be missing. The code is that of SQLite for the same error. */
export class NotOnDisk extends Error {
  override name = 'NotOnDisk';
  readonly code = 'SQLITE_IOERR_FSYNC';

  constructor(cause: unknown) {
    super('the write-ahead log could not be flushed', { cause });
  }
}

function reasonOf(cause: unknown): string {
  if (cause instanceof NotReplicated)
    return 'The synchronous standby of the database did not confirm the change, so that a failover may undo it.';
  if (cause instanceof NotOnDisk) return 'The disk of the database did not confirm the change, so that a power cut may undo it.';
  return 'The connection to the database was lost before it confirmed the change.';
}

const UNCONFIRMED = 'unconfirmed_commit';

/**
 * Returns the error for a commit whose outcome is unknown: the connection was lost before the response, or the synchronous standby or the disk did
 * not confirm the commit.
 */
export function unconfirmedCommit(cause: unknown): ServiceError {
  return new ServiceError(
    'SERVICE_UNAVAILABLE',
    `${reasonOf(cause)} Repeat the request with its Idempotency-Key, or check whether the change was made before you try again.`,
    { cause, details: { reason: UNCONFIRMED } },
  );
}

/** Returns the error for an operation that failed after it had committed a part of its changes. */
export const partlyCommitted = (message: string, cause: unknown): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', message, { cause, details: { reason: UNCONFIRMED } });

/** Returns true if an operation may have changed something although it failed. */
export const isUnconfirmed = (error: unknown): boolean => error instanceof ServiceError && error.details?.reason === UNCONFIRMED;

/** Returns true if the connection is lost, whether or not a response arrived. */
export function isConnectionLost(error: unknown): boolean {
  const raw = error instanceof ServiceError ? error.cause : error;
  const code = textOf(raw, 'code');
  return PG_CONNECTION_LOST.test(code) || NETWORK_FAULT.test(code) || PG_CLIENT_FAULT.test(textOf(raw, 'message'));
}

export function isPostgresRetry(error: unknown): boolean {
  return PG_RETRY.has(textOf(error, 'code'));
}

/** Returns the table of a violated unique key. For an error of another node, Citus states only the name of the constraint, in the message. */
function violatedTable(error: unknown): string {
  const table = textOf(error, 'table');
  if (table) return table.replace(SHARD_NUMBER, '');
  const names = textOf(error, 'message').match(/\w+/g) ?? [];
  return names.map((name) => tableOfConstraint(name.replace(SHARD_NUMBER, ''))).find((found) => found !== undefined) ?? 'unknown';
}

/** Translates an error of pg into an error for the caller. */
export function fromPostgres(error: unknown): unknown {
  if (error instanceof ServiceError || error instanceof UniqueViolation || error instanceof LostRace) return error;
  const code = textOf(error, 'code');
  if (code === PG_UNIQUE) return new UniqueViolation(violatedTable(error), error);
  if (PG_UNAVAILABLE.test(code) || isConnectionLost(error)) return unavailable(error);
  return /^[0-9A-Z]{5}$/.test(code) ? databaseError(error) : error;
}
