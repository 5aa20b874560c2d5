import { TIMELINE_SQL } from './connections/index.ts';

/** Reads of the database. */
interface Queries {
  all<Row>(sql: string): Promise<Row[]>;
}

/** A server that receives the changes of the primary by streaming replication. */
export interface Standby {
  /** The `application_name` by which `synchronous_standby_names` refers to the standby. */
  readonly name: string;
  /** True if commits wait for its confirmation. */
  readonly isSynchronous: boolean;
  /** Changes that it has not stored yet, in bytes. */
  readonly lagBytes: number;
  /** Time between a change and its confirmation by this standby, in milliseconds; null if nothing was changed lately. */
  readonly lagMs: number | null;
}

/** Streaming replication, as the primary reports it. */
export interface Replication {
  /** Number of hosts in the address. */
  readonly hosts: number;
  /** Server that answered: host and port, or null on a Unix socket. */
  readonly primary: string | null;
  /** Timeline of the primary, which each promotion increases; null if the service does not report it. */
  readonly timeline: number | null;
  /** Version of the server, such as 17.6. */
  readonly serverVersion: string;
  /** Value of `synchronous_standby_names`; empty if replication is asynchronous. */
  readonly synchronousStandbyNames: string;
  /** Number of standbys that must confirm a commit. */
  readonly required: number;
  readonly standbys: readonly Standby[];
  /** Number of standbys whose details the role must not read. */
  readonly hidden: number;
  /** Number of commits that wait for a synchronous standby, and the longest wait in milliseconds. */
  readonly waitingCommits: number;
  readonly longestWaitMs: number;
}

interface SenderRow {
  readonly name: string;
  readonly state: string | null;
  readonly isSynchronous: boolean | null;
  readonly lagBytes: number | null;
  readonly lagMs: number | null;
}

interface PrimaryRow {
  readonly primary: string | null;
  readonly serverVersion: string;
  readonly names: string;
  readonly waiting: number;
  readonly longestWaitMs: number;
}

/**
 * Senders to standbys. Base backups are not standbys. Logical subscribers are not either, unless commits wait for them. Without the role
 * `pg_monitor`, PostgreSQL reports the senders but not their state.
 */
const SENDERS_SQL = `SELECT coalesce(r.application_name, '') AS name, r.state, r.sync_state IN ('sync', 'quorum') AS "isSynchronous",
    greatest(0, pg_wal_lsn_diff(pg_current_wal_flush_lsn(), r.flush_lsn))::float8 AS "lagBytes", (extract(epoch FROM r.flush_lag) * 1000)::float8 AS "lagMs"
  FROM pg_stat_replication r LEFT JOIN pg_replication_slots s ON s.active_pid = r.pid AND s.slot_type = 'logical'
  WHERE r.state IS DISTINCT FROM 'backup' AND (s.slot_name IS NULL OR r.sync_state IN ('sync', 'quorum')) ORDER BY r.application_name, r.pid`;

const PRIMARY_SQL = `SELECT host(inet_server_addr()) || ':' || inet_server_port() AS primary, current_setting('server_version') AS "serverVersion",
    current_setting('synchronous_standby_names') AS names, count(a.pid)::int AS waiting,
    coalesce(max(extract(epoch FROM clock_timestamp() - a.query_start)) * 1000, 0)::float8 AS "longestWaitMs"
  FROM (SELECT 1) one LEFT JOIN pg_stat_activity a ON a.wait_event = 'SyncRep' AND a.datname = current_database()`;

/** Reads the state of streaming replication from the primary; `hosts` is the number of hosts in the address. */
export async function readReplication(read: Queries, hosts: number): Promise<Replication | null> {
  const [[primary], senders, timeline] = await Promise.all([
    read.all<PrimaryRow>(PRIMARY_SQL),
    read.all<SenderRow>(SENDERS_SQL),
    read.all<{ timeline: number }>(TIMELINE_SQL).then(
      ([row]) => row?.timeline ?? null,
      () => null,
    ),
  ]);
  if (primary === undefined) return null;
  const visible = senders.filter(({ state }) => state !== null);
  return {
    hosts,
    primary: primary.primary,
    timeline,
    serverVersion: primary.serverVersion.split(' ')[0] ?? '',
    synchronousStandbyNames: primary.names,
    required: requiredStandbys(primary.names),
    standbys: visible.map(({ name, isSynchronous, lagBytes, lagMs }) => ({
      name,
      isSynchronous: isSynchronous === true,
      lagBytes: lagBytes ?? 0,
      lagMs: lagMs === null ? null : Math.round(lagMs),
    })),
    hidden: senders.length - visible.length,
    waitingCommits: primary.waiting,
    longestWaitMs: Math.round(primary.longestWaitMs),
  };
}

/** Returns the number of standbys that must confirm a commit by the rules of `synchronous_standby_names`: `a, b`, `2 (a, b)`, `FIRST 2 (…)`, `ANY 2 (…)`. */
export function requiredStandbys(names: string): number {
  if (names.trim() === '') return 0;
  const count = /^\s*(?:(?:first|any)\s*)?(\d+)\s*\(/i.exec(names)?.[1];
  return count === undefined ? 1 : Number(count);
}
