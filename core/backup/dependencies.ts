import { hostname } from 'node:os';
import type { Record as RecordEntry } from '#core/audit';
import type { Database } from '#core/database';
import { type Actor, ServiceError } from '#core/kernel';
import type { Scheduler } from '#core/platform/scheduling';
import type { Place } from './make.ts';
import type { Part } from './rows.ts';
import type { RunTask } from './tasks.ts';

/** Access of a workstation to its rows, and a worker for long tasks. */
export interface BackupStation {
  readonly from: Place;
  readonly dataDir: string;
  /** The version of Paydesk. */
  readonly version: string;
  readonly run: RunTask;
  /** Checks the SQLite files and ends when their faults are known to `database.health()`. */
  readonly checkIntegrity: () => Promise<void>;
}

/** Dependencies of the backup capability, constructed by `createCore`. */
export interface Dependencies {
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

export function stationOf({ station }: Dependencies): BackupStation {
  if (station) return station;
  throw new ServiceError('SERVICE_UNAVAILABLE', 'This server has no backup folder.');
}

/** The name of this machine, by which people know where a folder is. */
export const ownName = () => hostname();

/**
 * Allows only users of the first tenant who act for the whole tenant: a backup contains every tenant, and its folder belongs to the
 * computer. The permission for the operation is checked before. @throws ServiceError RESOURCE_ACCESS_DENIED for other users.
 */
export async function checkSees(deps: Dependencies, actor: Actor): Promise<void> {
  const first = await deps.firstTenant();
  if (first?.tenantId === actor.tenantId && actor.merchantId === null) return;
  throw new ServiceError('RESOURCE_ACCESS_DENIED', 'Backups contain the whole installation. Only users of its first account can use them.');
}
