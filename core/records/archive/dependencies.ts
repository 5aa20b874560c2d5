import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Database } from '#core/database';
import { type Actor, ServiceError } from '#core/kernel';
import type { Scheduler } from '#core/platform/scheduling';
import type { Audit } from '#core/records/audit';
import type { BackupServer } from '#core/records/backup';
import type { Webhooks } from '#core/records/webhooks';
import type { ArchiveRow } from './schema.ts';

/** Dependencies of the archive capability, constructed by `createCore`. */
export interface Dependencies {
  readonly database: Database;
  /** Undefined for a core without a server, which makes no archives. */
  readonly server: Pick<BackupServer, 'dataDir' | 'version'> | undefined;
  readonly scheduler: Scheduler;
  readonly audit: Pick<Audit, 'record' | 'archiving'>;
  readonly webhooks: Pick<Webhooks, 'archiving'>;
  /** Key of the files. It is derived from the key of the installation, which an exchange of the master key does not change. */
  readonly key: Buffer;
  readonly tenants: {
    /** Returns the first tenant of the installation. */
    readonly first: () => Promise<{ readonly tenantId: string } | null>;
    /** Returns the IDs of all tenants. */
    readonly ids: () => Promise<readonly string[]>;
  };
  readonly report: (message: string, context: Record<string, unknown>) => void;
}

export const ARCHIVE_JOB = 'archive.make';
export const SETTINGS_JOB = 'archive.schedule';
export const SETTINGS_ID = 'yearly';

export function serverOf({ server }: Dependencies): Pick<BackupServer, 'dataDir' | 'version'> {
  if (server) return server;
  throw new ServiceError('SERVICE_UNAVAILABLE', 'This server has no archive folder.');
}

export const folderOf = (deps: Dependencies, folder: string | null) => folder ?? join(serverOf(deps).dataDir, 'archive');

/** Returns the name of this computer. */
export const computerName = () => hostname();

export const pathOf = ({ folder, name }: Pick<ArchiveRow, 'folder' | 'name'>) => join(folder ?? '', name ?? '');

export const isOnThisComputer = (row: Pick<ArchiveRow, 'folder' | 'name'>) => existsSync(pathOf(row));

/** Allows only users of the first tenant who act for the whole tenant, because an archive contains every tenant. @throws ServiceError RESOURCE_ACCESS_DENIED. */
export async function checkAccess(deps: Dependencies, actor: Actor): Promise<void> {
  const first = await deps.tenants.first();
  if (first?.tenantId === actor.tenantId && actor.merchantId === null) return;
  throw new ServiceError(
    'RESOURCE_ACCESS_DENIED',
    'Archives contain the whole installation. Only users of its first account can use them.',
  );
}
