import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, expect, test } from 'vitest';
import { type DemoCredentials, startServer } from '#server';
import { surfaceOf } from '../../support/api-client.ts';
import { freshDatabase } from '../../support/postgres.ts';
import { startEmptyProcess } from '../../support/process.ts';
import { type Api, apiOf, DATABASES, expectData } from '../../support/server.ts';
import { startMailServer } from './mail-server.ts';
import { type MessageRecord, messageTo, sent, setMailServer, tellOfRefund } from './outbox.ts';

const MESSAGES = 24;

const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'paydesk-messages-'));
  cleanUp.push(() => rm(made, { recursive: true, force: true }));
  return made;
}

const OWNER = { email: 'owner@pier.example', password: 'a long enough passphrase' };

/** Sets an empty station up with a tenant of its own; the answer speaks to any station of it by its address. */
async function setUp(baseUrl: string): Promise<(baseUrl: string) => Api> {
  const bare = surfaceOf(baseUrl, '/api/v1', () => ({}));
  const tenant = { businessName: 'Pier', currency: 'USD', timezone: 'UTC', environment: 'sandbox', ...OWNER };
  const { tenantId, token } = await expectData(bare.post<{ tenantId: string; token: string }>('/setup', tenant));
  const headers = { 'X-Tenant-ID': tenantId, authorization: `Bearer ${token}` };
  const { key } = await expectData(bare.post<{ key: string }>('/api-keys', { name: 'shop', scope: 'tenant' }, headers), 201);
  const credentials = { tenantId, apiKey: key, adminEmail: OWNER.email, adminPassword: OWNER.password };
  return (address) => apiOf(address, credentials as DemoCredentials);
}

test('two stations on one database send each message once', { timeout: 60_000 }, async () => {
  const mail = await startMailServer();
  cleanUp.push(() => mail.stop());
  const fresh = await freshDatabase();
  cleanUp.push(() => fresh.drop());
  const masterKey = randomBytes(32);
  const station = async (): Promise<string> => {
    const dataDir = await folder();
    const server = await startServer({ dataDir, port: 0, databaseUrl: fresh.url, masterKey, logLevel: 'silent' });
    cleanUp.push(() => server.close());
    return server.baseUrl;
  };
  const first = await station();
  const speakTo = await setUp(first);
  const [one, two] = [speakTo(first), speakTo(await station())];
  await setMailServer(one, mail);
  const addresses = Array.from({ length: MESSAGES }, (_, index) => `station${index}@shop.example`);
  await Promise.all(
    addresses.map((destination, index) =>
      expectData((index % 2 === 0 ? one : two).public.post('/otp/generate', { type: 'email', destination })),
    ),
  );
  await expect
    .poll(async () => (await expectData(one.admin.get<MessageRecord[]>('/notifications/messages?status=sent&kind=code&limit=200'))).length, {
      timeout: 20_000,
    })
    .toBe(MESSAGES);
  const delivered = mail.mails.flatMap(({ envelopeTo }) => envelopeTo).filter((to) => to.startsWith('station'));
  expect(delivered.sort()).toEqual(addresses.sort());
});

test.each(DATABASES)(
  'what a station was sending when it died is sent by the next, by the same name (%s)',
  { timeout: 60_000 },
  async (database) => {
    const mail = await startMailServer();
    cleanUp.push(() => mail.stop());
    const fresh = database === 'postgres' ? await freshDatabase() : undefined;
    if (fresh) cleanUp.push(() => fresh.drop());
    const dataDir = await folder();
    const to = 'patient@shop.example';
    mail.answer = () => 'silence';
    const first = await startEmptyProcess(dataDir, fresh?.url);
    const speakTo = await setUp(first.baseUrl);
    const api = speakTo(first.baseUrl);
    await setMailServer(api, mail);
    await tellOfRefund(api, to);
    const { messageId } = await messageTo(api, to);
    await expect.poll(() => mail.asked.length, { timeout: 15_000 }).toBe(1);
    await first.kill();
    mail.answer = () => undefined;
    if (fresh) {
      const client = new Client({ connectionString: fresh.url });
      await client.connect();
      const { rows } = await client.query('SELECT lease_ms FROM messages WHERE id = $1', [messageId]);
      expect(Number(rows[0]?.lease_ms)).toBeGreaterThan(0);
      // The lease of the dead station runs out.
      await client.query('UPDATE messages SET lease_ms = 1 WHERE id = $1', [messageId]);
      await client.end();
    }
    const second = await startServer({ dataDir, port: 0, databaseUrl: fresh?.url, logLevel: 'silent' });
    cleanUp.push(() => second.close());
    await sent(speakTo(second.baseUrl), to);
    expect(mail.to(to).map((got) => got.messageId)).toEqual([`<${messageId}@shop.example>`]);
  },
);
