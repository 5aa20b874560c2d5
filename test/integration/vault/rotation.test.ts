import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createCore } from '#core';
import { serviceActor } from '#core/kernel';
import { openSandboxLedger } from '#core/processing/gateways';
import { GivenKey, KeyFile, KeyRing, WrongKey } from '#core/records/vault';
import { openTestDatabase } from '../../support/databases.ts';
import { ANY_DATABASE, sized } from '../../support/server.ts';
import { pause } from '../../support/until.ts';

const SALES_PER_SECOND = 100;
/** Number of exchanges of both keys under load. */
const ROUNDS = sized(3, 15);
const SALES_MIN = 50;
const SALES_MAX = sized(120, 1_000);
const NUMBERS = ['4111111111111111', '5555555555554444', '378282246310005'];

test.each(ANY_DATABASE)(
  'fails no sale at 100 a second during an exchange of the master key and a data key, and opens every token with the new key only (%s)',
  async (kind) => {
    const folder = await mkdtemp(join(tmpdir(), 'paydesk-rotation-'));
    const { database, close } = await openTestDatabase(kind);
    const sandboxLedger = await openSandboxLedger({ file: join(folder, 'ledger.sqlite') });
    const file = new KeyFile(join(folder, 'master.key'));
    const coreBy = (masterKey: KeyRing) =>
      createCore({ database, sandboxLedger, masterKey, renderResponse: () => ({ status: 200, body: '' }), report: () => {} });
    const ring = await KeyRing.open(database, file);
    const first = ring.masterKey;
    const core = coreBy(ring);
    const tenant = (name: string) =>
      core.createTenant({
        name,
        environment: 'sandbox',
        tier: 'sandbox',
        merchant: { name, currency: 'USD', timezone: 'UTC' },
        owner: { email: `o@${name}.example`, password: 'long enough for a test' },
      });
    const { tenantId } = await tenant('busy');
    const actor = serviceActor(tenantId);
    const tokens: string[] = [];
    const failures: unknown[] = [];
    const sell = async (index: number) => {
      const card = { number: NUMBERS[index % 3] as string, expiryMonth: '12', expiryYear: '2039' };
      const known = tokens[index % Math.max(tokens.length, 1)];
      const method =
        index % 4 === 0 && known !== undefined ? ({ kind: 'token', token: known } as const) : ({ kind: 'card', ...card } as const);
      const sold = await core.payments.createPayment(actor, { type: 'sale', amount: (10 + index / 100).toFixed(2), method, source: 'api' });
      if (sold.status !== 'approved') throw new Error(`a sale ended ${sold.status}`);
      tokens.push(sold.token ?? '');
    };
    const began = performance.now();
    let rounds = 0;
    const running: Promise<unknown>[] = [];
    const load = async () => {
      for (let index = 0; (rounds < ROUNDS && index < SALES_MAX) || index < SALES_MIN + 10; index += 1) {
        running.push(sell(index).catch((failure: unknown) => failures.push(failure)));
        await pause(Math.max(0, began + ((index + 1) * 1_000) / SALES_PER_SECOND - performance.now()));
      }
    };
    const exchange = async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        await core.keyManagement.exchangeMasterKey(actor);
        // Keys of new tenants are wrapped by the current master key of the database.
        await Promise.all([core.keyManagement.exchangeMasterKey(actor), tenant(`new${round}`)]);
        await core.vault.rotateDataKey(tenantId);
        rounds += 1;
        await pause(50);
      }
    };
    const exchanging = exchange().finally(() => {
      // The load also ends if an exchange fails.
      rounds = ROUNDS;
    });
    await Promise.all([load(), exchanging]);
    await Promise.all(running);
    expect(failures).toEqual([]);
    expect(tokens.length).toBeGreaterThan(SALES_MIN);

    const [last, ...more] = await file.keys();
    expect(more).toEqual([]);
    expect(last).not.toEqual(first);
    await expect(KeyRing.open(database, new GivenKey(first))).rejects.toThrow(WrongKey);
    const again = coreBy(await KeyRing.open(database, file));
    await again.identity.tenants.load();
    for (const token of tokens) expect(NUMBERS).toContain(((await again.vault.open(tenantId, token)) as { number: string }).number);
    const tenants = await database.readAcrossTenants().all<{ id: string }>('SELECT id FROM tenants');
    for (const { id } of tenants) expect(await again.vault.openText(id, 'p', await again.vault.sealText(id, 'p', 'text'))).toBe('text');
    expect(await again.audit.verify(tenantId)).toMatchObject({ valid: true });
    const wrapped = await database
      .readAcrossTenants()
      .all<{ tenant_id: string; version: number; wrapped: string }>('SELECT * FROM data_keys');
    const old = KeyRing.given(database, first);
    for (const row of wrapped) expect(() => old.unwrap(`data-key|${row.tenant_id}|${row.version}`, row.wrapped)).toThrow();
    await core.stop();
    await again.stop();
    await sandboxLedger.close();
    await close();
    await rm(folder, { recursive: true, force: true });
  },
);
