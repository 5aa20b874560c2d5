import type { ClientBase } from 'pg';

/** SQLSTATE read_only_sql_transaction, with which PostgreSQL refuses a change on a standby. */
export const READ_ONLY = '25006';

/** Role that a server reports. */
export interface ServerRole {
  readonly isStandby: boolean;
  /** True if a session cannot change anything: on a standby, or with `default_transaction_read_only`. */
  readonly isReadOnly: boolean;
}

/** Thrown if a server accepts no changes. It has the code with which PostgreSQL refuses a change. */
export class ReadOnlyServer extends Error {
  override name = 'ReadOnlyServer';
  readonly code = READ_ONLY;
}

export const ROLE_SQL = `SELECT pg_is_in_recovery() AS "isStandby", current_setting('transaction_read_only') = 'on' AS "isReadOnly"`;

/** Timeline of a primary. Each promotion of a standby begins a new one, with a higher number. */
export const TIMELINE_SQL = `SELECT ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int AS timeline`;

export const readOnlyReason = ({ isStandby }: ServerRole): string =>
  isStandby ? 'is a standby, which is read-only' : 'is read-only (default_transaction_read_only)';

/** Checks that a session may change the database. @throws ReadOnlyServer otherwise. */
export async function requireWritable(client: Pick<ClientBase, 'query'>): Promise<void> {
  const { rows } = await client.query<ServerRole>(ROLE_SQL);
  if (rows[0]?.isReadOnly) throw new ReadOnlyServer(`The PostgreSQL server ${readOnlyReason(rows[0])}.`);
}
