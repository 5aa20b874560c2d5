import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, expect, test } from 'vitest';
import { createEmptyInstallation, setUpTenant } from '../../support/new-installation.ts';
import { startEmptyProcess } from '../../support/process.ts';
import { ANY_DATABASE, type DatabaseKind, expectData, FULL, sized } from '../../support/server.ts';
import { startServer } from '../../support/start-server.ts';
import { startMailServer } from './fake-mail-server.ts';
import { type MessageRecord, messageTo, sent, setMailServer, tellOfRefund } from './outbox.ts';

const MESSAGES = sized(12, 24);

const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

async function place(kind: DatabaseKind) {
  const made = await createEmptyInstallation(kind);
  cleanUp.push(made.remove);
  return made;
}

test('sends each message once from two workstations on one database', async () => {
  const mail = await startMailServer();
  cleanUp.push(() => mail.stop());
  const { dataDir, url: databaseUrl } = await place('postgres');
  const masterKey = randomBytes(32);
  const station = async (name: string): Promise<string> => {
    const server = await startServer({ dataDir: join(dataDir, name), port: 0, databaseUrl, masterKey, logLevel: 'silent' });
    cleanUp.push(() => server.close());
    return server.baseUrl;
  };
  const first = await station('one');
  const tenant = await setUpTenant(first);
  const [one, two] = [tenant.at(first), tenant.at(await station('two'))];
  await setMailServer(one, mail);
  const addresses = Array.from({ length: MESSAGES }, (_, index) => `station${index}@shop.example`);
  await Promise.all(
    addresses.map((destination, index) =>
      expectData((index % 2 === 0 ? one : two).public.post('/otp/generate', { type: 'email', destination })),
    ),
  );
  await expect
    .poll(async () => (await expectData(one.admin.get<MessageRecord[]>('/notifications/messages?status=sent&kind=code&limit=200'))).length)
    .toBe(MESSAGES);
  const delivered = mail.mails.flatMap(({ envelopeTo }) => envelopeTo).filter((to) => to.startsWith('station'));
  expect(delivered.sort()).toEqual(addresses.sort());
});

test.each(ANY_DATABASE)(
  'sends the message of a killed workstation from another one with the same message ID (%s)',
  FULL,
  async (database) => {
    const mail = await startMailServer();
    cleanUp.push(() => mail.stop());
    const { dataDir, url } = await place(database);
    const to = 'patient@shop.example';
    mail.answer = () => 'silence';
    const first = await startEmptyProcess(dataDir, url);
    const tenant = await setUpTenant(first.baseUrl);
    const api = tenant.at(first.baseUrl);
    await setMailServer(api, mail);
    await tellOfRefund(api, to);
    const { messageId } = await messageTo(api, to);
    await expect.poll(() => mail.asked.filter((each) => each === to).length).toBe(1);
    await first.kill();
    mail.answer = () => undefined;
    if (url) {
      const client = new Client({ connectionString: url });
      await client.connect();
      const { rows } = await client.query('SELECT lease_ms FROM messages WHERE id = $1', [messageId]);
      expect(Number(rows[0]?.lease_ms)).toBeGreaterThan(0);
      // The lease of the killed workstation ends.
      await client.query('UPDATE messages SET lease_ms = 1 WHERE id = $1', [messageId]);
      await client.end();
    }
    const second = await startServer({ dataDir, port: 0, databaseUrl: url, logLevel: 'silent' });
    cleanUp.push(() => second.close());
    await sent(tenant.at(second.baseUrl), to);
    expect(mail.to(to).map((got) => got.messageId)).toEqual([`<${messageId}@shop.example>`]);
  },
);
