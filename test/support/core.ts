import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Core, type CoreOptions, createCore } from '#core';
import type { Database } from '#core/database';
import type { Actor } from '#core/kernel';
import { openSandboxLedger } from '#core/processing/gateways';
import { openTestDatabase } from './databases.ts';

/** A core with one sandbox tenant and an actor for its operations. Its scheduler is not started. */
export interface TestCore {
  readonly core: Core;
  readonly actor: Actor;
  readonly database: Database;
  close(): Promise<void>;
}

/** Opens a core for a test. `behind` may wrap the ledger of the sandbox processor. */
export async function openTestCore(
  behind: (ledger: Database) => Database = (ledger) => ledger,
  kind: 'sqlite' | 'postgres' = 'sqlite',
  options: Partial<CoreOptions> = {},
): Promise<TestCore> {
  const { database, close } = await openTestDatabase(kind);
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-ledger-'));
  const ledger = await openSandboxLedger({ file: join(folder, 'ledger.sqlite') });
  const core = createCore({
    database,
    sandboxLedger: behind(ledger),
    masterKey: randomBytes(32),
    renderResponse: () => ({ status: 200, body: '' }),
    report: () => {},
    ...options,
  });
  const { tenantId } = await core.createTenant({
    name: 'T',
    environment: 'sandbox',
    tier: 'sandbox',
    merchant: { name: 'M', currency: 'USD', timezone: 'UTC' },
    owner: { email: 'o@t.example', password: 'long enough for a test' },
  });
  const actor = {
    tenantId,
    credentialId: 'c',
    name: 'test',
    merchantId: null,
    permissions: new Set<never>(),
    requestId: 'r',
    ip: null,
    idempotencyKey: null,
  };
  return {
    core,
    actor,
    database,
    async close() {
      await core.stop();
      await ledger.close();
      await close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
