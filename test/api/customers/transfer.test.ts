import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import {
  CompressedDataPacket,
  createMessage,
  decrypt,
  encrypt,
  generateKey,
  Message,
  PacketList,
  readKey,
  readMessage,
  readPrivateKey,
} from 'openpgp';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { STRIPE_HEADER, stripeRow, testCard } from '../../support/customer-file.ts';
import { runImport, sendCustomers } from '../../support/customer-transfer.ts';
import { createCustomer } from '../../support/customers.ts';
import { BLOCK_MS_MAX, watchEventLoop } from '../../support/event-loop.ts';
import { deflateRepeated } from '../../support/hostile-files.ts';
import { whyNotRun } from '../../support/other-programs.ts';
import { pairReader, present } from '../../support/readers.ts';
import { type ApiFixture, expectData, expectError, FULL, onAnyDatabase } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';

interface KeyRecord {
  readonly transferKeyId: string;
  readonly publicKey: string;
  readonly destroyedReason: string | null;
}

const createKey = ({ api }: ApiFixture) =>
  expectData(api.admin.post<KeyRecord>('/customers/transfer-keys', { name: 'From the old provider' }), 201);
const keyOf = async ({ api }: ApiFixture, id: string) =>
  (await expectData(api.admin.get<KeyRecord[]>('/customers/transfer-keys'))).find(({ transferKeyId }) => transferKeyId === id);

async function encryptFor(publicKey: string, text: string, format: 'armored' | 'binary'): Promise<Uint8Array<ArrayBuffer>> {
  const message = await createMessage({ text });
  const encryptionKeys = await readKey({ armoredKey: publicKey });
  const encrypted =
    format === 'binary'
      ? await encrypt({ message, encryptionKeys, format: 'binary' })
      : await encrypt({ message, encryptionKeys, format: 'armored' });
  return new Uint8Array(Buffer.from(encrypted));
}

/** The key pair of a provider that receives exports. */
let recipient: { publicKey: string; privateKey: string };
beforeAll(async () => {
  recipient = await generateKey({ type: 'ecc', userIDs: [{ name: 'New provider' }], format: 'armored' });
});

/** Downloads an export with card numbers and opens it as its recipient. */
async function download({ api, credentials }: ApiFixture, merchantId: string, layout: string): Promise<string> {
  const body = { publicKey: recipient.publicKey, layout, merchantId, currentPassword: credentials.adminPassword };
  const { exportId } = await expectData(api.admin.post<{ exportId: string }>('/customers/exports', body), 201);
  const token = (
    await expectData(
      api.bare.post<{ token: string }>(
        '/api/v1/auth/login',
        { email: credentials.adminEmail, password: credentials.adminPassword },
        { 'X-Tenant-ID': credentials.tenantId },
      ),
    )
  ).token;
  const response = await fetch(`${fixtureUrl}/api/v1/customers/exports/${exportId}/file`, {
    method: 'POST',
    headers: { 'X-Tenant-ID': credentials.tenantId, Authorization: `Bearer ${token}` },
  });
  expect(response.status).toBe(200);
  const bytes = new Uint8Array(await response.arrayBuffer());
  expect(Buffer.from(bytes).toString('latin1')).not.toContain('411111');
  await expectError(api.admin.post(`/customers/exports/${exportId}/file`), 409, 'RESOURCE_CONFLICT');
  const message = await readMessage({ binaryMessage: bytes });
  const { data } = await decrypt({ message, decryptionKeys: await readPrivateKey({ armoredKey: recipient.privateKey }) });
  return data as string;
}
let fixtureUrl = '';

const MB = 1_048_576;
const BINARY = 'b'.charCodeAt(0);
const ZLIB = 2;
const BZIP2 = 3;

/** Returns the packets of compressed content, as they are inside of an encrypted file. */
function compressed(algorithm: number, content: Uint8Array): PacketList<CompressedDataPacket> {
  const packet = new CompressedDataPacket();
  Object.assign(packet, { algorithm, compressed: new Uint8Array(content) });
  const packets = new PacketList<CompressedDataPacket>();
  packets.push(packet);
  return packets;
}

/** Returns the packet of 256 MB of zeros, compressed. */
function compressedZeros() {
  const bytes = 256 * MB;
  // Tag and length of the packet, then its format, an empty name and no date.
  const head = Buffer.from([0xcb, 0xff, 0, 0, 0, 0, BINARY, 0, 0, 0, 0, 0]);
  head.writeUInt32BE(bytes + 6, 2);
  return deflateRepeated(Buffer.alloc(MB), 256, head);
}

async function encryptPackets(publicKey: string, packets: PacketList<CompressedDataPacket>): Promise<Uint8Array> {
  const message = new Message(packets as never);
  return (await encrypt({ message, encryptionKeys: await readKey({ armoredKey: publicKey }), format: 'binary' })) as Uint8Array;
}

/** Returns an encrypted file whose session key is repeated. */
function withManyRecipients(file: Uint8Array, count: number): Buffer {
  const [, first = 0, second = 0] = file;
  const packet = file.subarray(0, 3 + ((first - 192) << 8) + second + 192);
  return Buffer.concat([...Array.from({ length: count }, () => packet), file]);
}

describe('encrypted files', () => {
  onAnyDatabase('refuses files that expand or repeat without end, while others are served', async (fixture) => {
    const merchantId = await createMerchant(fixture);
    const { publicKey } = await createKey(fixture);
    const plain = await encryptFor(publicKey, `${STRIPE_HEADER}\n${stripeRow(1)}\n`, 'binary');
    const zeros = compressedZeros();
    const files = {
      'compressed once': await encryptPackets(publicKey, compressed(ZLIB, zeros)),
      'compressed twice': await encryptPackets(publicKey, compressed(ZLIB, deflateSync(compressed(ZLIB, zeros).write()))),
      'compressed with bzip2': await encryptPackets(publicKey, compressed(BZIP2, Buffer.from('BZh91AY&SY'))),
      'with 1,000 session keys': withManyRecipients(plain, 1_000),
      'with 100,000 session keys': withManyRecipients(plain, 100_000),
    };
    for (const [name, file] of Object.entries(files)) {
      const content = new Uint8Array(file);
      const loop = watchEventLoop();
      const error = await expectError(sendCustomers(fixture, content, merchantId), 400, 'VALIDATION_ERROR', 'file');
      expect(loop.end(), name).toBeLessThan(BLOCK_MS_MAX);
      if (name !== 'compressed once') expect(error.message, name).toContain('Encrypt the file again');
    }
    await expectData(sendCustomers(fixture, plain, merchantId), 201);
  });

  onAnyDatabase('imports a file that is encrypted for a transfer key, and destroys the key at the end', async (fixture) => {
    const merchantId = await createMerchant(fixture);
    const { transferKeyId, publicKey } = await createKey(fixture);
    const text = `${STRIPE_HEADER}\n${stripeRow(1)}\n`;
    const armored = await expectData(sendCustomers(fixture, await encryptFor(publicKey, text, 'armored'), merchantId), 201);
    expect(armored).toMatchObject({ transferKeyId, planned: { create: 1 } });
    const binary = await encryptFor(publicKey, text, 'binary');
    const { importId } = await expectData(sendCustomers(fixture, binary, merchantId), 201);
    await runImport(fixture, importId);
    expect((await keyOf(fixture, transferKeyId))?.destroyedReason).toBe('import');
    const error = await expectError(sendCustomers(fixture, binary, merchantId), 400, 'VALIDATION_ERROR', 'file');
    expect(error.details).toMatchObject({ reason: 'other_key' });
  });

  onAnyDatabase('refuses a file that was changed on its way, and leaves nothing of it', async (fixture) => {
    const merchantId = await createMerchant(fixture);
    const { transferKeyId, publicKey } = await createKey(fixture);
    const rows = Array.from({ length: 300 }, (_, n) => stripeRow(n));
    const content = await encryptFor(publicKey, `${STRIPE_HEADER}\n${rows.join('\n')}\n`, 'binary');
    const changed = content.slice();
    const at = changed.length - 40;
    changed[at] = (changed[at] ?? 0) ^ 1;
    await expectError(sendCustomers(fixture, changed, merchantId), 400, 'VALIDATION_ERROR', 'file');
    await expectError(sendCustomers(fixture, content.slice(0, -500), merchantId), 400, 'VALIDATION_ERROR', 'file');
    expect(await expectData(fixture.api.admin.get(`/customers/imports?merchantId=${merchantId}`))).toEqual([]);
    await expectData(fixture.api.admin.delete(`/customers/transfer-keys/${transferKeyId}`));
    await expectError(sendCustomers(fixture, content, merchantId), 400, 'VALIDATION_ERROR', 'file');
  });
});

describe('exports with card numbers', () => {
  onAnyDatabase('give the same customers when they are imported into an empty merchant', async (fixture) => {
    fixtureUrl = fixture.baseUrl;
    const text = fc
      .string({ minLength: 1, maxLength: 20, unit: 'binary' })
      .filter(
        (each) => each.trim() === each && each.trim() !== '' && !/[\0\d]/.test(each) && each.isWellFormed() && !each.includes('\uFFFD'),
      );
    const people = fc.sample(
      fc.record({ firstName: text, lastName: text, company: fc.option(text), cards: fc.integer({ min: 0, max: 3 }) }),
      { numRuns: 12, seed: 7 },
    );
    const from = await createMerchant(fixture);
    const lines = people.map((person, index) =>
      JSON.stringify({
        ...person,
        customerId: `old-${index}`,
        email: `p${index}@customer.example`,
        phone: '+12075550142',
        address: { street: '1 Main St', city: 'Bath' },
        metadata: { tier: 'gold' },
        paymentMethods: Array.from({ length: person.cards }, (_, card) => ({
          paymentMethodId: `m${index}-${card}`,
          ...(card === 2
            ? { routingNumber: '110000000', accountNumber: `00012345${index}`, accountType: 'savings', accountHolderName: 'A B' }
            : {
                cardNumber: testCard(1_000 + index * 10 + card),
                expiryMonth: '03',
                expiryYear: '2033',
                networkTransactionId: `nti${index}${card}`,
              }),
          isDefault: card === 1,
          consentText: 'I agree.',
          consentAt: '2024-05-06T07:08:09.000Z',
        })),
      }),
    );
    const first = await expectData(sendCustomers(fixture, `{"format":"paydesk-customers","version":1}\n${lines.join('\n')}`, from), 201);
    expect(first.planned.rejected).toBe(0);
    await runImport(fixture, first.importId);
    const exported = await download(fixture, from, 'paydesk');
    const to = await createMerchant(fixture);
    const second = await expectData(sendCustomers(fixture, exported, to), 201);
    await runImport(fixture, second.importId);
    expect(comparable(await download(fixture, to, 'paydesk'))).toEqual(comparable(exported));
    // The same account knows the customers of its own export.
    const same = await expectData(sendCustomers(fixture, exported, from), 201);
    expect(same.planned.duplicate).toBe(same.lines);

    const stripe = await download(fixture, from, 'stripe');
    const third = await expectData(sendCustomers(fixture, stripe, await createMerchant(fixture)), 201);
    expect(third).toMatchObject({ provider: 'stripe', planned: { rejected: 0 } });
  });

  onAnyDatabase('leave out cards that only a gateway has, and count them', async (fixture) => {
    const merchantId = await createMerchant(fixture);
    const { customerId } = await createCustomer(fixture, { merchantId });
    const { terminalId } = await pairReader(fixture, { merchantId });
    const { cardSaveId } = await expectData(
      fixture.api.admin.post<{ cardSaveId: string }>(`/customers/${customerId}/card-saves`, { terminalId, consentText: 'I agree.' }),
      202,
    );
    await present(fixture, terminalId, 'chip');
    expect(await expectData(fixture.api.admin.get(`/card-saves/${cardSaveId}`))).toMatchObject({ status: 'saved' });
    const [customer] = (await download(fixture, merchantId, 'paydesk')).trim().split('\n').slice(1);
    expect(JSON.parse(customer ?? '')).toMatchObject({ customerId, paymentMethods: [] });
    const exports = await expectData(
      fixture.api.admin.get<{ merchantId: string; paymentMethodCount: number; leftOutCount: number }[]>('/customers/exports'),
    );
    expect(exports.find((each) => each.merchantId === merchantId)).toMatchObject({ paymentMethodCount: 0, leftOutCount: 1 });
  });

  onAnyDatabase('need the password and a public key that can encrypt', async (fixture) => {
    const { api, credentials } = fixture;
    const body = { publicKey: recipient.publicKey, layout: 'paydesk', currentPassword: 'wrong' };
    expect((await api.admin.post('/customers/exports', body)).status).toBeGreaterThanOrEqual(400);
    const own = { ...body, currentPassword: credentials.adminPassword };
    await expectError(
      api.admin.post('/customers/exports', { ...own, publicKey: recipient.privateKey }),
      400,
      'VALIDATION_ERROR',
      'publicKey',
    );
    await expectError(api.admin.post('/customers/exports', { ...own, publicKey: 'no key' }), 400, 'VALIDATION_ERROR', 'publicKey');
  });

  onAnyDatabase('lists customers without numbers for everyone who may read them', async (fixture) => {
    const merchantId = await createMerchant(fixture);
    const { importId } = await expectData(sendCustomers(fixture, `${STRIPE_HEADER}\n${stripeRow(40)}\n`, merchantId), 201);
    await runImport(fixture, importId);
    const { text } = await fixture.api.admin.get(`/customers/export?merchantId=${merchantId}`);
    expect(text).toContain(`stripe:cus_Old40`);
    expect(text).toContain(testCard(40).slice(-4));
    expect(text).not.toContain(testCard(40));
  });
});

/** Returns the customers of a file without the identifiers that an import assigns. */
function comparable(file: string) {
  const [, ...lines] = file.trimEnd().split('\n');
  return lines
    .map(
      (line) =>
        JSON.parse(line) as {
          email: string;
          customerId?: string;
          externalIds: { source: string }[];
          paymentMethods: { paymentMethodId?: string }[];
        },
    )
    .map(({ customerId: _, externalIds: __, paymentMethods, ...customer }) => ({
      ...customer,
      paymentMethods: paymentMethods.map(({ paymentMethodId: ___, ...method }) => method),
    }))
    .sort((left, right) => (left.email < right.email ? -1 : 1));
}

const run = promisify(execFile);
const reason = whyNotRun('gpg');

describe.skipIf(reason !== undefined)(`GnuPG${reason === undefined ? '' : ` (not run: ${reason})`}`, () => {
  const folders: string[] = [];
  afterAll(async () => {
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  });

  onAnyDatabase(
    'encrypts a file that the import opens',
    async (fixture) => {
      const home = await mkdtemp(join(tmpdir(), 'paydesk-gpg-'));
      folders.push(home);
      const merchantId = await createMerchant(fixture);
      const { publicKey } = await createKey(fixture);
      await writeFile(join(home, 'key.asc'), publicKey);
      await writeFile(join(home, 'customers.csv'), `${STRIPE_HEADER}\n${stripeRow(50)}\n`);
      const options = ['--homedir', home, '--batch', '--yes'];
      await run('gpg', [
        ...options,
        '--recipient-file',
        join(home, 'key.asc'),
        '--output',
        join(home, 'out.pgp'),
        '--encrypt',
        join(home, 'customers.csv'),
      ]);
      const content = new Uint8Array(await readFile(join(home, 'out.pgp')));
      expect(await expectData(sendCustomers(fixture, content, merchantId), 201)).toMatchObject({ planned: { create: 1, rejected: 0 } });
    },
    FULL,
  );
});
