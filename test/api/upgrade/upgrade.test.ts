// The present version on installations that earlier versions made. Each migration must pass it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backUp, checkLedger, type RunningServer, restoreBackup } from '#server';
import { NOT_RESTORED } from '../../../core/records/backup/rows.ts';
import { surfaceOf } from '../../support/api-client.ts';
import { freshDatabase } from '../../support/postgres.ts';
import { cardBody, type TransactionRecord } from '../../support/sales.ts';
import { DATABASES, expectData, type Surface } from '../../support/server.ts';
import { startServer } from '../../support/start-server.ts';
import {
  examineInstallation,
  type FixtureTenant,
  factsOf,
  fixtureVersions,
  type Place,
  unpackFixture,
} from '../../support/upgrade-fixtures.ts';

interface Verdict {
  readonly valid: boolean;
  readonly archivedEntries: number;
  readonly reason: string | null;
}

/** Present names of tables that a migration renamed, by the former name; null if it removed the table. */
const RENAMED: Readonly<Record<string, string | null>> = {};

const undo: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

async function emptyPlace(kind: (typeof DATABASES)[number]): Promise<Place> {
  const dataDir = await mkdtemp(join(tmpdir(), 'paydesk-upgrade-'));
  undo.push(() => rm(dataDir, { recursive: true, force: true }));
  if (kind === 'sqlite') return { dataDir };
  const fresh = await freshDatabase();
  undo.push(fresh.drop);
  return { dataDir, databaseUrl: fresh.url };
}

/** Returns the Admin surface, signed in as the owner of a tenant. */
async function signIn(baseUrl: string, { tenantId, email, password }: FixtureTenant): Promise<Surface> {
  const tenant = { 'X-Tenant-ID': tenantId };
  const bare = surfaceOf(baseUrl, '/api/v1', () => ({}));
  const { token } = await expectData(bare.post<{ token: string }>('/auth/login', { email, password }, tenant));
  return surfaceOf(baseUrl, '/api/v1', () => ({ ...tenant, Authorization: `Bearer ${token}` }));
}

const CASES = fixtureVersions().flatMap((version) => DATABASES.map((kind) => ({ version, kind })));

describe.each(CASES)('data of $version ($kind)', ({ version, kind }) => {
  const facts = factsOf(version, kind);
  let place: Place;
  let migrated: Awaited<ReturnType<typeof examineInstallation>>;
  let ledgerCheck: Awaited<ReturnType<typeof checkLedger>>;
  let server: RunningServer;
  let admin: Surface;
  beforeAll(async () => {
    place = await emptyPlace(kind);
    await unpackFixture(version, kind, place);
    migrated = await examineInstallation(place);
    ledgerCheck = await checkLedger(place);
    server = await startServer({ ...place, port: 0, logLevel: 'silent', sandboxTimeoutMs: 40 });
    undo.push(() => server.close());
    admin = await signIn(server.baseUrl, facts.sandbox);
  });

  test('keeps every row and every sum', () => {
    for (const [table, rows] of Object.entries(facts.tables)) {
      const name = table in RENAMED ? RENAMED[table] : table;
      if (name != null) expect(migrated.tables[name], `rows of ${name}, which was ${table}`).toBe(rows);
    }
    expect(migrated.figures).toEqual(facts.figures);
    expect(ledgerCheck.differences).toEqual([]);
  });

  test('has valid audit logs, one of them with an archived year', async () => {
    const verdictOf = (surface: Surface) => expectData(surface.get<Verdict>('/audit-logs/verify'));
    const [sandbox, live] = [await verdictOf(admin), await verdictOf(await signIn(server.baseUrl, facts.live))];
    for (const verdict of [sandbox, live]) expect(verdict).toMatchObject({ valid: true, reason: null });
    expect(sandbox.archivedEntries).toBeGreaterThan(0);
  });

  test('charges a card, and restores a backup with the same rows and sums', async () => {
    const sale = await expectData(admin.post<TransactionRecord>('/transactions', cardBody('33.77')));
    expect(sale.status).toBe('approved');
    expect((await checkLedger(place)).differences).toEqual([]);
    await server.close();
    const { file } = await backUp(place, join(place.dataDir, 'copy'), {});
    const restored = await emptyPlace(kind);
    await restoreBackup(restored, file, { file: join(place.dataDir, 'master.key') });
    const [before, after] = [await examineInstallation(place), await examineInstallation(restored)];
    expect(after.figures).toEqual(before.figures);
    const emptied = Object.fromEntries([...NOT_RESTORED].map((table) => [table, 0]));
    expect(after.tables).toEqual({ ...before.tables, ...emptied, restores: (before.tables.restores ?? 0) + 1 });
    expect((await checkLedger(restored)).differences).toEqual([]);
  });
});
