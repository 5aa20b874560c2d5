import { hostname } from 'node:os';
import type { Record as RecordEntry } from '#core/audit';
import type { Database } from '#core/database';
import { type Actor, ServiceError } from '#core/kernel';
import type { Scheduler } from '#core/platform/scheduling';
import type { Place } from './make.ts';
import type { Part } from './rows.ts';
import type { RunTask } from './tasks.ts';

/** What a station gives for its backups: where its rows are, and somebody who does long work. */
export interface BackupStation {
  readonly from: Place;
  readonly dataDir: string;
  /** The version of Paydesk. */
  readonly version: string;
  readonly run: RunTask;
  /** Checks the SQLite files and ends when their faults are known to `database.health()`. */
  readonly checkIntegrity: () => Promise<void>;
}

/** What backups are built on; made once by createCore. */
export interface Needs {
  readonly database: Database;
  /** Absent where a core has no station around it; then there are no backups. */
  readonly station: BackupStation | undefined;
  /** Tables of each part. */
  readonly tables: Readonly<Record<Part, readonly string[]>>;
  readonly scheduler: Scheduler;
  /** The present master key. */
  readonly masterKey: () => Promise<Buffer>;
  /** The tenant that the installation began with. */
  readonly firstTenant: () => Promise<{ readonly tenantId: string } | null>;
  /** The time zone of a tenant's first merchant. */
  readonly zoneOf: (tenantId: string) => Promise<string>;
  readonly audit: RecordEntry;
  readonly report: (message: string, context: Record<string, unknown>) => void;
}

export const SCHEDULE_ID = 'daily';
export const BACKUP_JOB = 'backup.make';
export const SCHEDULE_JOB = 'backup.schedule';

export function stationOf({ station }: Needs): BackupStation {
  if (station) return station;
  throw new ServiceError('SERVICE_UNAVAILABLE', 'This server has no place for backups.');
}

/** The name of this machine, by which people know where a folder is. */
export const ownName = () => hostname();

/**
 * A backup is of every business of the installation, and its folder is the machine's: only people of the first business who act for all of it see
 * them. Whether they may also do something is asked before. RESOURCE_ACCESS_DENIED for anybody else.
 */
export async function checkSees(on: Needs, by: Actor): Promise<void> {
  const first = await on.firstTenant();
  if (first?.tenantId === by.tenantId && by.merchantId === null) return;
  throw new ServiceError('RESOURCE_ACCESS_DENIED', 'Backups are of the whole installation: they are for the business that it began with.');
}
