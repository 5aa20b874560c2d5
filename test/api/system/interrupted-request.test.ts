import { Client } from 'pg';
import { afterAll, expect, test } from 'vitest';
import { startServerProcess } from '../../support/process.ts';
import { createSampleInstallation } from '../../support/sample-data.ts';
import { apiOf, expectData, expectError } from '../../support/server.ts';
import { startServer } from '../../support/start-server.ts';

const MINUTE_MS = 60_000;
const EMAIL = 'interrupted@customer.example';
const KEY = { 'Idempotency-Key': 'create-once' };

const cleanUp: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const undo of cleanUp.reverse()) await undo();
});

// Only PostgreSQL can hold a request between the claim of its key and its effect, by a lock.
test('a request that was killed before its effect is not repeated with its key, and says so after ten minutes', {
  timeout: 120_000,
}, async () => {
  const { dataDir, url, remove } = await createSampleInstallation('postgres');
  cleanUp.push(remove);
  const killed = await startServerProcess(dataDir, url, ['--log-level', 'silent']);
  const database = new Client({ connectionString: url });
  await database.connect();
  cleanUp.push(() => database.end());
  const states = async () => (await database.query<{ state: string }>('SELECT state FROM once_keys')).rows.map(({ state }) => state);
  const create = (api: ReturnType<typeof apiOf>, headers: Record<string, string> = KEY) =>
    api.admin.post<{ customerId: string }>('/customers', { lastName: 'Marsh', email: EMAIL }, headers);

  const lock = new Client({ connectionString: url });
  await lock.connect();
  await lock.query('BEGIN; LOCK TABLE customers IN SHARE MODE');
  const asked = create(apiOf(killed.baseUrl, killed.credentials)).catch(() => null);
  await expect.poll(states, { interval: 10 }).toContain('claimed');
  await killed.kill();
  await lock.end();
  await asked;

  const server = await startServer({ dataDir, databaseUrl: url, port: 0, demo: true, logLevel: 'silent' });
  cleanUp.push(server.close);
  const api = apiOf(server.baseUrl, killed.credentials);
  const running = await expectError(create(api), 409, 'RESOURCE_CONFLICT');
  expect(running.details).toEqual({ retryAfter: 1 });
  await database.query("UPDATE once_keys SET created_at = $1 WHERE state = 'claimed'", [
    new Date(Date.now() - 11 * MINUTE_MS).toISOString(),
  ]);
  const interrupted = await expectError(create(api), 409, 'RESOURCE_CONFLICT', 'Idempotency-Key');
  expect(interrupted.details).toEqual({ reason: 'request_interrupted' });

  // As the message says: read the record, and use another key if it is missing.
  const found = () => expectData(api.admin.get<unknown[]>(`/customers?q=${EMAIL}`));
  expect(await found()).toEqual([]);
  const another = { 'Idempotency-Key': 'create-again' };
  const { customerId } = await expectData(create(api, another), 201);
  expect(await expectData(create(api, another), 201)).toMatchObject({ customerId });
  expect(await found()).toEqual([expect.objectContaining({ customerId })]);
});
