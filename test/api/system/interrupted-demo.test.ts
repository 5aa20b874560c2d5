// @module-tag full
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openTestDatabaseAt } from '../../support/databases.ts';
import { freshDatabase } from '../../support/postgres.ts';
import { launchServerProcess } from '../../support/process.ts';
import { apiOf, expectData } from '../../support/server.ts';
import { startServer } from '../../support/start-server.ts';
import { until } from '../../support/until.ts';

const DAY_MS = 86_400_000;

const undo: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

/** Starts a server with `--demo` on an empty installation and kills it while it creates the sample data. */
async function interruptedDemo(kind: 'sqlite' | 'postgres') {
  const dataDir = await mkdtemp(join(tmpdir(), 'paydesk-demo-'));
  undo.push(() => rm(dataDir, { recursive: true, force: true }));
  const fresh = kind === 'postgres' ? await freshDatabase() : undefined;
  if (fresh) undo.push(() => fresh.drop());
  const launched = await launchServerProcess(dataDir, fresh?.url);
  const outcome = launched.ready.then(
    () => 'ready',
    () => 'killed',
  );
  const hasAccount = async () => {
    if (!existsSync(join(dataDir, 'demo-begun'))) return false;
    const database = await openTestDatabaseAt(fresh?.url ?? join(dataDir, 'paydesk.sqlite'));
    const rows = await database.readAcrossTenants().all('SELECT id FROM tenants');
    await database.close();
    return rows.length > 0;
  };
  await until('the server creates sample data', hasAccount);
  await launched.kill();
  expect(await outcome).toBe('killed');
  return { dataDir, databaseUrl: fresh?.url, port: 0, logLevel: 'silent' as const };
}

describe('a start with --demo that was killed while it created the sample data', () => {
  test('creates all sample data at the next start with --demo, and nothing at later ones', async () => {
    const options = { ...(await interruptedDemo('sqlite')), demo: true };
    const salesAtStart = async () => {
      const server = await startServer(options);
      try {
        if (!server.credentials) throw new Error('A server with --demo has credentials.');
        const api = apiOf(server.baseUrl, server.credentials);
        await expectData(api.public.get('/merchants'));
        const { data, pagination } = (await api.admin.get<{ createdAt: string }[]>('/transactions?limit=1')).body;
        // Days are filled in their order.
        expect(Date.now() - Date.parse(data[0]?.createdAt ?? '')).toBeLessThan(2 * DAY_MS);
        return pagination.total;
      } finally {
        await server.close();
      }
    };
    const sales = await salesAtStart();
    expect(sales).toBeGreaterThan(250);
    expect(await salesAtStart()).toBe(sales);
  });

  test('keeps the data at a start without --demo, also for later starts with it', async () => {
    const options = await interruptedDemo('sqlite');
    await (await startServer(options)).close();
    const file = join(options.dataDir, 'demo-begun');
    expect(existsSync(file)).toBe(false);
    const again = await startServer({ ...options, demo: true });
    expect(again.credentials?.adminEmail).toBe('admin@demo.example');
    await again.close();
  });

  test('explains an incomplete PostgreSQL database', async () => {
    const options = await interruptedDemo('postgres');
    const again = startServer({ ...options, demo: true });
    await again.then(
      (server) => server.close(),
      () => undefined,
    );
    await expect(again).rejects.toThrow(/ended before the sample data were complete/);
  });
});
