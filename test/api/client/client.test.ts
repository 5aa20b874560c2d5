import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeclinedError, InvalidAmountError, NotFoundError, Paydesk } from '@paydesk/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildClientPackage } from '../../../scripts/client-package.ts';
import { CARDS } from '../../support/sales.ts';
import { type ApiFixture, describeOnAnyDatabase, FULL } from '../../support/server.ts';
import { ROOT } from '../../support/sources.ts';

const card = (number: string) => ({ CardNumber: number, ExpiryMonth: '12', ExpiryYear: '2031', CVV: '123' });

function clientOf({ baseUrl, credentials }: ApiFixture): Paydesk {
  return new Paydesk({ baseUrl, tenantId: credentials.tenantId, apiKey: credentials.apiKey });
}

describeOnAnyDatabase('client package', (fixture) => {
  test('sells once under one idempotency key, and reads, refunds and lists the sale', async () => {
    const paydesk = clientOf(fixture());
    const sell = () => paydesk.post('/public/transaction', { Amount: '41.50', ...card(CARDS.visa) }, { idempotencyKey: 'client-order-1' });
    const [sale, repeated] = [await sell(), await sell()];
    expect(repeated).toEqual(sale);
    const { transactionId: id } = sale;
    expect(await paydesk.get('/public/transaction/{id}', { params: { id } })).toMatchObject({ transactionId: id, amount: 41.5 });
    expect(await paydesk.post('/public/refund', { transactionId: id, amount: 1 })).toMatchObject({ amount: 1, status: 'approved' });
    const ids = new Set<string>();
    for await (const { transactionId } of paydesk.list('/public/transaction-list', { query: { limit: 50 } })) {
      ids.add(transactionId);
      if (ids.size === 120) break;
    }
    expect([ids.size, ids.has(id)]).toEqual([120, true]);
  });

  test('throws the class of the error code, with the request ID', async () => {
    const paydesk = clientOf(fixture());
    await expect(paydesk.post('/public/transaction', { Amount: 0, ...card(CARDS.visa) })).rejects.toThrow(InvalidAmountError);
    const missing = await paydesk.post('/public/refund', { transactionId: 'txn_missing' }).catch((error: unknown) => error);
    expect(missing).toBeInstanceOf(NotFoundError);
    expect(missing).toMatchObject({ requestId: expect.stringMatching(/^req_/) });
    const declined = await paydesk.post('/public/transaction', { Amount: 12, ...card(CARDS.noFunds) }).catch((error: unknown) => error);
    expect(declined).toBeInstanceOf(DeclinedError);
    expect(declined).toMatchObject({ code: 'INSUFFICIENT_FUNDS', data: { status: 'declined' } });
  });

  test('signs a user in for the paths of signed-in users', async () => {
    const { baseUrl, credentials } = fixture();
    const { tenantId, adminEmail: email, adminPassword: password } = credentials;
    const office = await Paydesk.signIn({ baseUrl, tenantId, email, password });
    expect(await office.get('/auth/me')).toMatchObject({ tenant: { tenantId } });
  });
});

describe('built client package', FULL, () => {
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-client-'));
  const consumer = `import { Paydesk } from '@paydesk/client';
export const total = async (paydesk: Paydesk): Promise<number> => (await paydesk.post('/public/refund', { transactionId: 'ref' })).amount;
`;

  beforeAll(() => buildClientPackage(join(folder, 'node_modules/@paydesk/client')));
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each([
    ['ES modules', '--input-type=module', "import { Paydesk } from '@paydesk/client'; console.log(Paydesk.name)"],
    ['CommonJS', '--input-type=commonjs', "console.log(require('@paydesk/client').Paydesk.name)"],
  ])('can be loaded by %s', (_, type, program) => {
    const { stdout } = spawnSync(process.execPath, [type, '-e', program], { cwd: folder, encoding: 'utf8' });
    expect(stdout.trim()).toBe('Paydesk');
  });

  test('gives both kinds of modules the types of the API', FULL, () => {
    for (const name of ['consumer.mts', 'consumer.cts']) writeFileSync(join(folder, name), consumer);
    writeFileSync(join(folder, 'wrong.mts'), consumer.replace("transactionId: 'ref'", 'transactionId: 7'));
    const check = (...names: string[]) =>
      spawnSync(
        process.execPath,
        [
          join(ROOT, 'node_modules/typescript/bin/tsc'),
          '--ignoreConfig',
          '--noEmit',
          '--strict',
          '--module',
          'nodenext',
          '--lib',
          'es2024,dom',
          '--types',
          '',
          ...names,
        ],
        { cwd: folder, encoding: 'utf8' },
      ).stdout;
    expect(check('consumer.mts', 'consumer.cts')).toBe('');
    expect(check('wrong.mts')).toMatch(/wrong\.mts\(2,\d+\): error TS2322/);
  });
});
