import { hostname } from 'node:os';
import type { Database } from '#core/database';
import { type Actor, ServiceError } from '#core/kernel';
import type { Scheduler } from '#core/platform/scheduling';
import type { RecordAudit } from '#core/records/audit';
import type { DatabaseLocation } from './make.ts';
import type { Part } from './rows.ts';
import type { RunTask } from './tasks.ts';

/** The server around a core: its database location, data directory, and a worker for long tasks. */
export interface BackupServer {
  readonly from: DatabaseLocation;
  readonly dataDir: string;
  /** The version of Paydesk. */
  readonly version: string;
  /** False if another process of the server may be writing files into the data directory. */
  readonly isAlone: boolean;
  readonly run: RunTask;
  /** Checks the SQLite files. Afterwards `database.health()` reports their faults. */
  readonly checkIntegrity: () => Promise<void>;
}

/** Dependencies of the backup capability, constructed by `createCore`. */
export interface Dependencies {
  readonly database: Database;
  /** Undefined for a core without a server, which makes no backups. */
  readonly server: BackupServer | undefined;
  /** Tables of each part. */
  readonly tables: Readonly<Record<Part, readonly string[]>>;
  readonly scheduler: Scheduler;
  /** Returns the present master key. */
  readonly masterKey: () => Promise<Buffer>;
  /** Returns the first tenant of the installation. */
  readonly firstTenant: () => Promise<{ readonly tenantId: string } | null>;
  /** Returns the time zone of a tenant's first merchant. */
  readonly zoneOf: (tenantId: string) => Promise<string>;
  readonly audit: RecordAudit;
  /** Returns the number of a tenant's last archived audit entry; 0 if none was archived. @throws if it was changed without the key of the log. */
  readonly archivedEntries: (tenantId: string) => Promise<number>;
  readonly report: (message: string, context: Record<string, unknown>) => void;
}

export const SCHEDULE_ID = 'daily';
export const BACKUP_JOB = 'backup.make';
export const SCHEDULE_JOB = 'backup.schedule';

export function serverOf({ server }: Dependencies): BackupServer {
  if (server) return server;
  throw new ServiceError('SERVICE_UNAVAILABLE', 'This server has no backup folder.');
}

/** Returns the name of this computer, which tells people where a folder is. */
export const computerName = () => hostname();

/**
 * Allows only users of the first tenant who act for the whole tenant: a backup contains every tenant, and its folder belongs to the
 * computer. The permission for the operation is checked before. @throws ServiceError RESOURCE_ACCESS_DENIED for other users.
 */
export async function checkAccess(deps: Dependencies, actor: Actor): Promise<void> {
  const first = await deps.firstTenant();
  if (first?.tenantId === actor.tenantId && actor.merchantId === null) return;
  throw new ServiceError('RESOURCE_ACCESS_DENIED', 'Backups contain the whole installation. Only users of its first account can use them.');
}
