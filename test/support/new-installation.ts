import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { DemoCredentials } from '#server';
import { expectData, surfaceOf } from './api-client.ts';
import type { DatabaseKind } from './database-kinds.ts';
import { freshDatabase } from './postgres.ts';
import { type Api, apiOf } from './server.ts';

/** Location for a server without a tenant. */
interface EmptyInstallation {
  readonly dataDir: string;
  /** The address of the database; undefined for SQLite in the data directory. */
  readonly url: string | undefined;
  remove(): Promise<void>;
}

/** Creates a data directory with a migrated SQLite file, and for PostgreSQL a migrated database. Neither has a tenant or a master key. */
export async function createEmptyInstallation(kind: DatabaseKind): Promise<EmptyInstallation> {
  const { file, template } = inject('migrated');
  const dataDir = await mkdtemp(join(tmpdir(), 'paydesk-empty-'));
  await copyFile(file, join(dataDir, 'paydesk.sqlite'));
  const fresh = kind === 'postgres' ? await freshDatabase(template) : undefined;
  return {
    dataDir,
    url: fresh?.url,
    async remove() {
      await fresh?.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export const OWNER = { email: 'owner@pier.example', password: 'a long enough passphrase' };

/** The first, empty tenant of an installation, created by its setup. */
export interface FirstTenant {
  readonly tenantId: string;
  readonly merchantId: string;
  /** The headers of the signed-in owner. */
  readonly headers: Record<string, string>;
  /** The surfaces of a server of the installation: admin as the owner, public and SDK with an API key. */
  at(baseUrl: string): Api;
}

/** Sets up an empty installation through one of its servers; every server of the installation accepts the credentials. */
export async function setUpTenant(baseUrl: string): Promise<FirstTenant> {
  const bare = surfaceOf(baseUrl, '/api/v1', () => ({}));
  const tenant = { businessName: 'Pier', currency: 'USD', timezone: 'UTC', environment: 'sandbox', ...OWNER };
  const { tenantId, merchantId, token } = await expectData(
    bare.post<{ tenantId: string; merchantId: string; token: string }>('/setup', tenant),
  );
  const headers = { 'X-Tenant-ID': tenantId, Authorization: `Bearer ${token}` };
  const { key } = await expectData(
    bare.post<{ key: string }>('/api-keys', { name: 'shop', scope: 'tenant', currentPassword: OWNER.password }, headers),
    201,
  );
  const credentials = { tenantId, apiKey: key, adminEmail: OWNER.email, adminPassword: OWNER.password } as DemoCredentials;
  return {
    tenantId,
    merchantId,
    headers,
    at: (address) => ({ ...apiOf(address, credentials), admin: surfaceOf(address, '/api/v1', () => headers) }),
  };
}
